import { Clock, Effect, Option, Stream } from "effect"
import { overlap } from "../../../../application/service/streams/log-tail.ts"
import { firstIdAt } from "../../../../domain/storage/new-id.ts"
import type { ServerSentEvent } from "../../../http/event-stream.ts"
import { type Followed, type FollowedEvent, Visit } from "../../page.ts"
import { type ConsoleView, Operator, type Screen } from "../screen.ts"
import { type Entry, entriesTable } from "./audit.ts"
import { chosenFilters, type Query } from "./audit-filters.ts"

/** Seconds between two sentences about the number of new records. */
const pause = 10
/** The maximum number of records a second that are shown: more cannot be read, and showing them would delay requests. */
const perSecond = 10

/** What filters and counts read of a record, before it is in JSON. */
type Recorded = Pick<Entry, "id" | "subject" | "actor" | "type" | "outcome">

type Page = readonly [ReadonlyArray<ServerSentEvent>, Option.Option<void>]
const more = (events: ReadonlyArray<ServerSentEvent>): Page => [events, Option.some(undefined)]
const last = (events: ReadonlyArray<ServerSentEvent>): Page => [events, Option.none()]

/**
 * New records as tables of one row, in the language of the page, and every ten seconds how many there were. The latter events have the place
 * up to which the log was read, also where the filters leave all records out. A browser that connects again gets some records twice: they are
 * not counted.
 */
export const tailOf = (
  view: ConsoleView,
  { after, next }: Followed,
  isWanted: (record: Recorded) => boolean,
): Stream.Stream<ServerSentEvent> =>
  Stream.suspend(() => {
    let count = 0
    let shown = 0
    let read: string | undefined
    // The page shows most of the records from before it was read, so they take no room from new ones.
    const [roomForNew, roomForOld] = [roomPerSecond(), roomPerSecond()]
    const rowOf = ({ id, value, encoded }: FollowedEvent, now: number) => {
      const record = value as Recorded
      read = id
      if (!isWanted(record)) return []
      const isNew = after === undefined || record.id > after
      if (isNew) count += 1
      if (!(isNew ? roomForNew : roomForOld)(now)) return []
      if (isNew) shown += 1
      return [{ id, event: "row", data: JSON.stringify(String(entriesTable(view, [encoded() as Entry]))) }]
    }
    const rows = Stream.paginate(undefined, () =>
      // The records of a second come at once: requests are served between two of them.
      Effect.andThen(Effect.yieldNow, next).pipe(
        Effect.zipWith(Clock.currentTimeMillis, (event, now) => (event === undefined ? last([]) : more(rowOf(event, now)))),
        Effect.catch(() => Effect.succeed(last([{ event: "complete", data: "" }]))),
      ),
    )
    const news = Effect.map(Clock.currentTimeMillis, (now): ServerSentEvent => {
      const text = newsText(view, count, shown)
      const id = read ?? firstIdAt(now - overlap)
      ;[count, shown] = [0, 0]
      read = undefined
      return { id, event: "news", data: JSON.stringify(text) }
    })
    const ticks = Stream.drop(Stream.tick(`${pause} seconds`), 1)
    return Stream.merge(
      rows,
      Stream.mapEffect(ticks, () => news),
      { haltStrategy: "left" },
    )
  })

const newsText = ({ texts: { t } }: ConsoleView, count: number, shown: number) => {
  if (count === 0) return ""
  return shown < count ? t("console.live.part", { count, shown }) : t("console.live.news", { count })
}

/** Whether there is room for one more record in this second. */
const roomPerSecond = () => {
  let [begun, count] = [0, 0]
  return (now: number) => {
    if (now - begun >= 1000) [begun, count] = [now, 0]
    count += 1
    return count <= perSecond
  }
}

/** The events of the page of the audit log, until the proof of the visitor's identity is too old for the console. */
export const auditLive: Screen = {
  path: "/audit/live",
  permission: "audit:read",
  needs: ["adminAuditList"],
  uses: ["adminUsersList"],
  section: "/audit",
  isLive: true,
  show: Effect.gen(function* () {
    const { open, query, site } = yield* Visit
    const { view, proved_at } = yield* Operator
    const { typed, byText } = yield* chosenFilters
    const wanted = { ...byText, ...(typed["outcome"] && { outcome: typed["outcome"] }) }
    const after = query.get("after")
    const followed = yield* open("adminAuditEvents", after === null ? {} : { after })
    const left = proved_at + (site.settings.admin?.max_age ?? 0) * 1000 - (yield* Clock.currentTimeMillis)
    const tail = tailOf(view, followed, (record) => isWantedBy(wanted, record))
    return { stream: Stream.interruptWhen(tail, Effect.sleep(left)) }
  }),
}

const isWantedBy = (wanted: Query, { subject, actor, type, outcome }: Recorded) => {
  const values: Record<string, unknown> = { subject_id: subject.id, actor_id: actor.id, type, outcome }
  return Object.entries(wanted).every(([name, value]) => values[name] === value)
}
