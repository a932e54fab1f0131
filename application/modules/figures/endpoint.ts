import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidRequest, invalidMember } from "../../../domain/errors.ts"
import { Store } from "../../../domain/ports/store.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { activeUntil } from "./active.ts"
import { countBetween, idAt, Step, startOf, startsFrom } from "./periods.ts"
import { remembered } from "./remembered.ts"
import { readStart } from "./start.ts"
import { Figures } from "./tables.ts"

/** The maximum number of hours or days of one answer. */
export const maxPoints = 400

const Point = Schema.Struct({
  at: Schema.DateTimeUtc.pipe(Schema.annotateKey({ description: "The start of the hour or day, UTC." })),
  counts: Schema.Record(Schema.String, Schema.Int).pipe(
    Schema.annotateKey({
      description:
        "How many events of the audit log there were, by `type`, by `type/method` for successes and by `type/code` for refusals. Names without events are absent; `other` has those beyond 400 names.",
    }),
  ),
}).annotate({ identifier: "FigurePoint" })

const Active = Schema.Struct({ day: Schema.Int, week: Schema.Int, month: Schema.Int }).annotate({
  identifier: "ActiveUsers",
  description:
    "About how many users had a session or refresh token accepted on the last day (UTC) before `to`, and on the 7 and 30 days up to it.",
})

/** The figures of a time. */
export const figures = () => {
  const active = remembered(activeUntil)
  return Endpoint.make({
    method: "GET",
    path: "/admin/figures",
    summary: "How often each event of the audit log happened, by hour or day, and about how many users were active.",
    access: { permission: "figures:read" },
    input: Schema.Struct({
      /** The hour or day that contains this moment is the first, RFC 3339. */
      from: Schema.DateTimeUtcFromString,
      /** Hours and days that begin at this moment or later are left out. Default: now. */
      to: Schema.optionalKey(Schema.DateTimeUtcFromString),
      step: Step,
    }),
    output: Schema.Struct({
      points: Schema.Array(Point),
      active: Active,
      counted_since: Schema.NullOr(Schema.DateTimeUtc).pipe(
        Schema.annotateKey({ description: "The first hour of which every event is counted; null before the first event." }),
      ),
    }),
    errors: [InvalidRequest],
    handler: Effect.fnUntraced(function* adminFigures({ from, to, step }) {
      const now = yield* DateTime.now
      const end = to ?? now
      const count = countBetween(step, from, end)
      if (count === 0) return yield* invalidMember("to", "Expected a later moment than that of from")
      if (count > maxPoints) return yield* invalidMember("from", `Expected at most ${maxPoints} points`)
      const start = yield* readStart
      return Endpoint.reply({
        points: yield* pointsFrom(step, from, count),
        active: yield* active(DateTime.subtract(DateTime.min(end, now), { milliseconds: 1 })),
        counted_since: Option.getOrNull(Option.map(start, ({ row }) => row.since)),
      })
    }),
  })
}

/** The ids of one kind of row sort by their moments, so that one list has all of them. */
const pointsFrom = Effect.fnUntraced(function* pointsFrom(step: Step, from: DateTime.Utc, count: number) {
  const before = idAt(step, DateTime.subtract(startOf(step, from), { milliseconds: 1 }))
  const rows = yield* (yield* Store).list(Figures, {}, { limit: count, order: "id", after: { id: before } })
  const isLive = liveAt(Figures, yield* DateTime.now)
  const counts = new Map(rows.filter(isLive).map((row) => [row.id, row.counts]))
  return startsFrom(step, from, count).map((at) => ({ at, counts: counts.get(idAt(step, at)) ?? {} }))
})
