import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Fields } from "../../../http/form-body.ts"
import { inputField } from "../../components/fields.ts"
import { field, type Input, Visit } from "../../page.ts"
import { confirmation } from "../confirmation.ts"
import { dayEnd, dayStart } from "../parts/days.ts"
import { filtersIn } from "../parts/filters.ts"
import { code } from "../parts/values.ts"
import { type ConsoleView, Operator } from "../screen.ts"

const names = ["subject_id", "actor_id", "type"] as const

/** The fields of the range, in days. */
export const fields = (view: ConsoleView) => {
  const { t, rich } = view.texts
  const day = (name: "since" | "until") =>
    inputField(view, { name, label: t(`console.audit.export.${name}`), type: "date", required: false })
  return html`${day("since")}${day("until")}<p>${rich("console.audit.export.more", { command: code("audit export") })}</p>`
}

/** The range of the chosen days, which both belong to it. */
const rangeOf = (form: Fields) => {
  const [since, until] = [field(form, "since"), field(form, "until")]
  return { ...(since !== "" && { since: dayStart(since) }), ...(until !== "" && { until: dayEnd(until) }) }
}

export const exportAudit = confirmation({
  path: "/audit/export",
  permission: "audit:export",
  also: ["audit:read"],
  section: "/audit",
  needs: ["adminAuditExport"],
  title: "console.audit.export",
  text: "console.audit.export.text",
  needsReason: true,
  fields,
  subject: Effect.gen(function* () {
    const { view } = yield* Operator
    const { cursor: _, ...chosen } = filtersIn((yield* Visit).query, names)
    const about = names.flatMap((name) =>
      chosen[name] === undefined ? [] : [[view.texts.t(`console.audit.${name}`), code(chosen[name])] as const],
    )
    return { id: "", name: view.texts.t("console.audit"), about, page: ["/audit", chosen] as const, chosen }
  }),
  run: Effect.fnUntraced(function* exportRecords({ chosen }, { reason }) {
    const { call, form } = yield* Visit
    const { lines } = yield* call("adminAuditExport", { ...chosen, ...rangeOf(form), reason } as Input<"adminAuditExport">)
    return { file: { name: "audit.jsonl", text: lines } }
  }),
})
