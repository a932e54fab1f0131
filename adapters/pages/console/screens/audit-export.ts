import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { inputField } from "../../components/fields.ts"
import { field, type Input, Visit } from "../../page.ts"
import { confirmation } from "../confirmation.ts"
import { code } from "../parts/values.ts"
import { type ConsoleView, Operator } from "../screen.ts"
import { chosenFilters, labels, type Query, rangeOf } from "./audit-filters.ts"

/** The fields of the range, in days. */
export const fields = (view: ConsoleView, chosen: Query = {}) => {
  const { t, rich } = view.texts
  const day = (name: "since" | "until") =>
    inputField(view, { name, label: t(`console.audit.export.${name}`), type: "date", required: false, value: chosen[name] ?? "" })
  return html`${day("since")}${day("until")}<p>${rich("console.audit.export.more", { command: code("audit export") })}</p>`
}

export const exportAudit = confirmation({
  path: "/audit/export",
  permission: "audit:export",
  also: ["audit:read"],
  section: "/audit",
  needs: ["adminAuditExport"],
  uses: ["adminUsersList"],
  title: "console.audit.export",
  text: "console.audit.export.text",
  needsReason: true,
  fields: (view, { chosen }) => fields(view, chosen),
  subject: Effect.gen(function* () {
    const { view } = yield* Operator
    const { typed, byText } = yield* chosenFilters
    const { cursor: _, outcome: __, ...chosen } = typed
    const about = Object.entries(labels).flatMap(([name, label]) =>
      chosen[name] === undefined ? [] : [[view.texts.t(label), code(chosen[name])] as const],
    )
    return { id: "", name: view.texts.t("console.audit"), about, page: ["/audit", chosen] as const, chosen, byText }
  }),
  run: Effect.fnUntraced(function* exportRecords({ byText }, { reason }) {
    const { call, form } = yield* Visit
    const range = rangeOf({ since: field(form, "since"), until: field(form, "until") })
    const { lines } = yield* call("adminAuditExport", { ...byText, ...range, reason } as Input<"adminAuditExport">)
    return { file: { name: "audit.jsonl", text: lines } }
  }),
})
