import { html } from "@remix-run/html-template"
import { Clock, Effect } from "effect"
import { firstIdAt } from "../../../../domain/storage/new-id.ts"
import { deviceName, named } from "../../components/names.ts"
import { type Input, type Output, Visit } from "../../page.ts"
import { body } from "../parts/body.ts"
import { results } from "../parts/filters.ts"
import { pagingOfPart, table } from "../parts/table.ts"
import { badge, details, id, ipAddress, time, userLink, word } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { auditFilters, chosenFilters, type Query, rangeOf } from "./audit-filters.ts"

/** Records of a page. Of those with one outcome, which the list cannot be asked for, a page shows what it finds in more records. */
const pageSize = 50
const examined = 500

export type Entry = Output<"adminAuditList">["entries"][number]

interface Props {
  readonly entries: ReadonlyArray<Entry>
  readonly query: Query
  /** All types of records. */
  readonly types: ReadonlyArray<string>
  readonly next: string | null
  /** Whether the visitor may export records. */
  readonly mayExport: boolean
  /** The place in the log from which on a script shows new records; null: it shows none. */
  readonly liveAfter: string | null
}

/** The audit log, the newest first. */
export const template: Template<Props> = (view, { entries, query, types, next, mayExport, liveAfter }) => {
  const { t } = view.texts
  const isPart = query["outcome"] !== undefined && next !== null && entries.length < pageSize
  return body(
    view,
    {
      title: t("console.audit"),
      action: html`<div class="actions">${query["cursor"] === undefined ? newer(view, query, liveAfter) : null}${mayExport ? exportLink(view, query) : null}</div>`,
    },
    auditFilters(view, query, types),
    results(isPart && entries.length === 0 ? null : entriesTable(view, entries), pagingOfPart(view, "/audit", query, { next, isPart })),
  )
}

/** The link to newer records, and the button by which the script shows them as they are added. */
const newer = (view: ConsoleView, query: Query, liveAfter: string | null) => {
  const { t } = view.texts
  const link = html`<a class="button small secondary" data-follows="newer" href="${view.at("/audit", query)}">${t("console.live.newer")}</a>`
  if (liveAfter === null) return link
  const url = view.at("/audit/live")
  return html`<p class="muted" role="status" id="news"></p>${link}<button type="button" class="small secondary" hidden data-live="${url}" data-after="${liveAfter}" data-pause="${t("console.live.pause")}" data-ended="${t("console.live.ended")}">${t("console.live.start")}</button>`
}

/** An export has the filters of the list, but the outcome. */
const exportLink = (view: ConsoleView, { outcome: _, cursor: __, ...filters }: Query) =>
  html`<a class="button small secondary" data-follows="export" href="${view.at("/audit/export", filters)}">${view.texts.t("console.audit.export")}</a>`

/** A type of records, and how many records one stands for. */
export const typeOf = (type: string, count: number) => html`${word(type)}${count > 1 ? html` ×&nbsp;${count}` : null}`

/** Records of the audit log, each with all of its members to open. */
export const entriesTable = (view: ConsoleView, entries: ReadonlyArray<Entry>) => {
  const { t } = view.texts
  return table({
    caption: t("console.audit"),
    columns: [
      { label: t("console.audit.time"), cell: ({ at }) => time(view, at) },
      {
        label: t("console.audit.type"),
        cell: ({ type, count }) => typeOf(type, count),
      },
      { label: t("console.audit.outcome"), cell: (entry) => outcome(view, entry) },
      { label: t("console.audit.actor"), cell: ({ actor }) => party(view, actor) },
      { label: t("console.audit.subject"), cell: ({ subject }) => party(view, subject) },
      { label: t("console.session.address"), cell: ({ ip_address }) => ipAddress(ip_address) },
      { label: t("console.audit.more"), cell: (entry) => more(view, entry) },
    ],
    rows: entries,
    key: ({ id: own }) => own,
    empty: t("console.audit.none"),
  })
}

const more = (view: ConsoleView, entry: Entry) => {
  const { t } = view.texts
  const { id: own, organization_id, session_id, client_id, user_agent, request_id, trace_id, note, data } = entry
  const members = [
    [t("console.id"), own],
    [t("console.audit.session"), session_id],
    [t("console.organization"), organization_id],
    [t("console.client"), client_id],
    [t("console.audit.request"), request_id],
    [t("console.audit.trace"), trace_id],
  ] as const
  const ids = members.map(([label, value]) => [label, value === null ? null : id(value)] as const)
  const about = Object.entries(data).map(([name, value]) => [name, named([value].flat().join(", "))] as const)
  const reason = [t("console.confirm.reason"), note === null ? null : named(note)] as const
  const shown = details([reason, ...ids, [t("console.session.device"), deviceName(view, user_agent)], ...about])
  return html`<details><summary>${t("field.show")}</summary>${shown}</details>`
}

/** How it ended, with the code of a refusal. */
export const outcome = ({ texts: { t } }: ConsoleView, { outcome: ended, reason }: Pick<Entry, "outcome" | "reason">) =>
  html`${badge(ended === "success" ? "good" : "failed", t(`console.outcome.${ended}`))}${reason === null ? null : html`<span class="line muted">${word(reason)}</span>`}`

/** A user as a link to their page; others by kind and id. */
export const party = (view: ConsoleView, { kind, id }: { readonly kind: string; readonly id: string | null }) => {
  // Without an id, the service itself.
  const shownKind = kind === "service" && id === null ? "system" : kind
  const name = html`<span class="line word">${view.texts.t(`console.kind.${shownKind}`)}</span>`
  if (id === null) return name
  const shown = html`<code dir="ltr" class="whole">${id.length > 12 ? `…${id.slice(-8)}` : id}</code>`
  return html`${name}${kind === "user" || kind === "admin" ? userLink(view, id, shown) : shown}`
}

const none: Output<"adminAuditList"> = { entries: [] }

export const audit: Screen = {
  path: "/audit",
  permission: "audit:read",
  needs: ["adminAuditList"],
  uses: ["adminUsersList"],
  section: { label: "console.audit", group: "activity", key: "a" },
  show: Effect.gen(function* () {
    const { call, site, has } = yield* Visit
    const { view } = yield* Operator
    const mayExport = view.may("audit:export") && has("adminAuditExport")
    const { typed, byText } = yield* chosenFilters
    const isLive = site.settings.admin?.live === true && typed["until"] === undefined
    const liveAfter = isLive ? firstIdAt(yield* Clock.currentTimeMillis) : null
    const { outcome: ended, cursor } = typed
    const limit = ended === undefined ? pageSize : examined
    const asked = { limit, ...byText, ...rangeOf(typed), ...(cursor && { cursor }) } as Input<"adminAuditList">
    // A text that is no type of event finds nothing.
    const { entries, next_cursor = null } = yield* call("adminAuditList", asked).pipe(
      Effect.catchTag("invalid_request", () => Effect.succeed(none)),
    )
    const shown = entries.filter((entry) => ended === undefined || entry.outcome === ended)
    const props = { entries: shown, query: typed, types: site.eventTypes, next: next_cursor, mayExport, liveAfter }
    return { title: view.texts.t("console.audit"), main: template(view, props) }
  }),
}
