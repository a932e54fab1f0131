import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../../components/direction.ts"
import { named } from "../../../components/names.ts"
import { type Output, Visit } from "../../../page.ts"
import { badge } from "../../parts/badge.ts"
import { card } from "../../parts/body.ts"
import { id } from "../../parts/details.ts"
import { table } from "../../parts/table.ts"
import { time } from "../../parts/time.ts"
import type { ConsoleView, Template } from "../../screen.ts"

type Entry = Output<"adminAuditList">["entries"][number]

/** How many records are shown. */
const limit = 20

/** The newest records about the user and of what the user did. */
export const activityOf = Effect.fnUntraced(function* activityOf(user_id: string) {
  const { call } = yield* Visit
  const lists = yield* Effect.all(
    [call("adminAuditList", { subject_id: user_id, limit }), call("adminAuditList", { actor_id: user_id, limit })],
    {
      concurrency: 2,
    },
  )
  const entries = lists.flatMap((list) => list.entries)
  // Ids grow with time.
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
})

interface Props {
  readonly user_id: string
  readonly entries: ReadonlyArray<Entry>
}

export const activityCard: Template<Props> = (view, { user_id, entries }) => {
  const { t } = view.texts
  return card(
    t("console.user.activity"),
    {},
    table({
      caption: t("console.user.activity"),
      columns: [
        { label: t("console.audit.type"), cell: ({ type }) => html`<code dir="ltr">${type}</code>` },
        { label: t("console.audit.time"), cell: ({ at }) => time(view, at) },
        { label: t("console.audit.outcome"), cell: (entry) => outcomeOf(view, entry) },
        { label: t("console.audit.by"), cell: ({ actor }) => actorOf(actor, user_id, t("console.audit.by.user")) },
        { label: t("console.session.address"), cell: ({ ip_address }) => (ip_address === null ? "–" : leftToRight(ip_address)) },
      ],
      rows: entries,
      empty: t("console.user.activity.none"),
    }),
  )
}

const outcomeOf = ({ texts }: ConsoleView, { outcome, reason }: Entry) => {
  if (outcome !== "failure") return badge("good", texts.t("console.audit.success"))
  return html`${badge("failed", texts.t("console.audit.failure"))}${reason === null ? null : html` <span class="muted">${named(reason)}</span>`}`
}

const actorOf = ({ kind, id: actor }: Entry["actor"], user_id: string, own: string) => {
  if (actor === user_id) return own
  return html`${kind}${actor === null ? null : html`<span class="line">${id(actor)}</span>`}`
}
