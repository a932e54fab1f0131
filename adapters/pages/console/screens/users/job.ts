import { html, type SafeHtml } from "@remix-run/html-template"
import { form } from "../../../components/form.ts"
import type { Output } from "../../../page.ts"
import { reasonField, typedField } from "../../confirmation.ts"
import { badge, type State } from "../../parts/badge.ts"
import { body, card } from "../../parts/body.ts"
import { details, id } from "../../parts/details.ts"
import { table } from "../../parts/table.ts"
import type { ConsoleView, Template } from "../../screen.ts"
import { type JobOperation, operationName } from "./operations.ts"

export type ShownJob = Output<"adminJobsShow">
type Job = ShownJob["job"]

interface Props {
  /** What is done to how many chosen users; null on the page of a job that has started. */
  readonly chosen: { readonly operation: JobOperation; readonly count: number } | null
  /** The dry run, or the job that has started. */
  readonly shown: ShownJob | null
}

/** An operation on many users: a dry run first, then the operation with the number of users typed, then how far it is. */
export const template: Template<Props> = (view, { chosen, shown }) => {
  const { t } = view.texts
  const title = t("console.job")
  return body(
    view,
    { title, parent: { href: view.at("/users"), label: t("console.users") } },
    chosen === null
      ? null
      : details([
          [t("console.job.operation"), operationName(view, chosen.operation)],
          [t("console.users"), String(chosen.count)],
        ]),
    shown === null ? null : outcomeCard(view, shown, chosen === null),
    chosen === null ? (shown === null ? card(title, {}, html`<p>${t("console.job.none")}</p>`) : null) : nextStep(view, chosen, shown),
  )
}

const nextStep = (view: ConsoleView, { operation, count }: NonNullable<Props["chosen"]>, shown: ShownJob | null): SafeHtml | null => {
  const { t } = view.texts
  if (shown === null) {
    const check = form(view, { action: "check", submit: t("console.job.check"), look: "small" })
    return card(t("console.job.check"), {}, html`<p>${t("console.job.check.about")}</p>`, check)
  }
  if (shown.job.finished_at === null) return null
  return card(
    operationName(view, operation),
    {},
    form(view, {
      action: "confirm",
      submit: operationName(view, operation),
      look: "danger",
      body: html`${operation === "ban" ? reasonField(view) : null}${typedField(view, String(count))}`,
      more: html`<a class="button secondary" href="${view.at("/users")}">${t("console.confirm.cancel")}</a>`,
    }),
  )
}

const states = {
  queued: ["waiting", "console.job.queued"],
  running: ["waiting", "console.job.running"],
  succeeded: ["good", "console.job.succeeded"],
  failed: ["failed", "console.job.failed"],
  cancelled: ["stopped", "console.job.cancelled"],
} as const satisfies Readonly<Record<Job["state"], readonly [State, string]>>

const outcomeCard = (view: ConsoleView, { job, failures }: ShownJob, isAlone: boolean) => {
  const { t } = view.texts
  const [state, label] = states[job.state]
  const isOver = job.finished_at !== null
  return card(
    t(job.dry_run ? "console.job.dry_run" : "console.job.progress"),
    { action: isOver ? null : html`<a class="button small secondary" href="${view.here}">${t("console.job.refresh")}</a>` },
    details([
      [t("console.job.operation"), isAlone ? operationName(view, job.operation) : null],
      [t("console.users.state"), badge(state, t(label))],
      [
        t("console.job.done"),
        job.total === null ? String(job.position) : t("console.job.done.of", { done: job.position, total: job.total }),
      ],
      [t(job.dry_run ? "console.job.would" : "console.job.did"), String(job.succeeded)],
      [t(job.dry_run ? "console.job.would_not" : "console.job.did_not"), String(job.failed)],
      [t("console.job.code"), job.code === null ? null : reasonOf(view, job.code)],
    ]),
    failures.length === 0 ? null : failuresTable(view, failures),
  )
}

const failuresTable = (view: ConsoleView, failures: ShownJob["failures"]) => {
  const { t } = view.texts
  return table({
    caption: t("console.job.failures"),
    columns: [
      { label: t("console.users.user"), cell: ({ user_id }) => html`<a href="${view.at("/user", { id: user_id })}">${id(user_id)}</a>` },
      { label: t("console.job.code"), cell: ({ code }) => reasonOf(view, code) },
    ],
    rows: failures,
    empty: "",
  })
}

/** An error in words, if there are some. Those of an invalid input are about a form. */
const reasonOf = ({ texts }: ConsoleView, code: string) => {
  const text = code === "invalid_request" ? undefined : texts.find(`error.${code}`, { seconds: 60, minutes: 1 })
  return text ?? html`<code dir="ltr">${code}</code>`
}
