import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { Visit } from "../../../page.ts"
import { tableCard } from "../../parts/table.ts"
import { ipAddress, time } from "../../parts/values.ts"
import type { ConsoleView, Template } from "../../screen.ts"
import { type Entry, outcome, party, typeOf } from "../audit.ts"

/** How many records are shown. */
const limit = 20

/** The newest records about the user and of what the user did. */
export const activityOf = Effect.fnUntraced(function* activityOf(user_id: string) {
  const { call } = yield* Visit
  const lists = yield* Effect.all(
    [call("adminAuditList", { subject_id: user_id, limit }), call("adminAuditList", { actor_id: user_id, limit })],
    { concurrency: 2 },
  )
  const entries = lists.flatMap((list) => list.entries)
  // Ids grow with time.
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
})

/** Whom the user did it to. */
const aboutOf = (view: ConsoleView, subject: Entry["subject"]) =>
  html`<span class="line muted">${view.texts.t("console.audit.subject")}: ${party(view, subject)}</span>`

interface Props {
  readonly user_id: string
  readonly entries: ReadonlyArray<Entry>
}

export const activityCard: Template<Props> = (view, { user_id, entries }) => {
  const { t } = view.texts
  return tableCard(t("console.user.activity"), {
    columns: [
      {
        label: t("console.audit.type"),
        cell: ({ type, count, subject }) => html`${typeOf(type, count)}${subject.id === user_id ? null : aboutOf(view, subject)}`,
      },
      { label: t("console.audit.time"), cell: ({ at }) => time(view, at) },
      { label: t("console.audit.outcome"), cell: (entry) => outcome(view, entry) },
      { label: t("console.audit.by"), cell: ({ actor }) => (actor.id === user_id ? t("console.audit.by.user") : party(view, actor)) },
      { label: t("console.session.address"), cell: ({ ip_address }) => ipAddress(ip_address) },
    ],
    rows: entries,
    empty: t("console.user.activity.none"),
  })
}
