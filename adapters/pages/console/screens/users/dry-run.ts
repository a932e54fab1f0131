import { html } from "@remix-run/html-template"
import { form } from "../../../components/form.ts"
import type { Output } from "../../../page.ts"
import { typedField } from "../../confirmation.ts"
import { body, card } from "../../parts/body.ts"
import { details } from "../../parts/values.ts"
import { type AskedReason, reasonField } from "../../reason.ts"
import type { ConsoleView, Template } from "../../screen.ts"
import { failuresCard, jobDone, jobState, reasonOf } from "../jobs.ts"
import { untilField } from "../user/suspend.ts"
import { type JobOperation, operationName } from "./operations.ts"

export type ShownJob = Output<"adminJobsShow">

/** What is done to how many users. */
interface Chosen {
  readonly operation: JobOperation
  readonly count: number
}

interface Props {
  /** Null if no user is chosen. */
  readonly chosen: Chosen | null
  /** The job that counts for whom it would succeed; null before it has started. */
  readonly dryRun: ShownJob | null
  readonly reason: AskedReason | null
}

/** An operation on many users: a dry run first, then the operation, with the number of users typed. */
export const template: Template<Props> = (view, { chosen, dryRun, reason }) => {
  const { t } = view.texts
  const head = { title: t("console.several"), parent: { href: view.at("/users"), label: t("console.users") } }
  if (chosen === null) return body(view, head, html`<div class="card"><p>${t("console.several.none")}</p></div>`)
  const chosenShown = details([
    [t("console.job.operation"), operationName(view, chosen.operation)],
    [t("console.users"), t("console.number", { count: chosen.count })],
  ])
  if (dryRun === null) return body(view, head, chosenShown, checkCard(view))
  const isOver = dryRun.job.finished_at !== null
  return body(
    view,
    head,
    chosenShown,
    outcomeCard(view, dryRun),
    dryRun.failures.length === 0 ? null : failuresCard(view, dryRun.failures),
    isOver ? confirmCard(view, chosen, reason) : null,
  )
}

const checkCard = (view: ConsoleView) => {
  const { t } = view.texts
  const check = form(view, { action: "check", submit: t("console.several.check"), look: "small" })
  return card(t("console.several.check"), {}, html`<p>${t("console.several.check.about")}</p>`, check)
}

const confirmCard = (view: ConsoleView, { operation, count }: Chosen, reason: AskedReason | null) => {
  const label = operationName(view, operation)
  const isSuspension = operation === "suspend"
  const confirm = form(view, {
    action: "confirm",
    submit: label,
    look: "danger",
    body: html`${isSuspension ? untilField(view) : null}${reason === null ? null : reasonField(view, reason)}${typedField(view, String(count))}`,
    more: html`<a class="button secondary" href="${view.at("/users")}">${view.texts.t("account.cancel")}</a>`,
  })
  return card(label, {}, isSuspension ? html`<p>${view.texts.t("console.several.suspend.text")}</p>` : null, confirm)
}

const outcomeCard = (view: ConsoleView, { job }: ShownJob) => {
  const { t } = view.texts
  const refresh = html`<a class="button small secondary" href="${view.here}">${t("console.several.refresh")}</a>`
  return card(
    t("console.several.dry_run"),
    { action: job.finished_at === null ? refresh : null },
    details([
      [t("console.users.state"), jobState(view, job)],
      [t("console.job.done"), jobDone(view, job)],
      [t("console.several.would"), t("console.number", { count: job.succeeded })],
      [t("console.several.would_not"), t("console.number", { count: job.failed })],
      [t("console.job.code"), job.code === null ? null : reasonOf(view, job.code)],
    ]),
  )
}
