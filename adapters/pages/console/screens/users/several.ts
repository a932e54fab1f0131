import { Effect } from "effect"
import { invalidMember } from "../../../../../domain/errors.ts"
import { Visit } from "../../../page.ts"
import { recentProof, requireTyped } from "../../confirmation.ts"
import { askedReason, enteredReason } from "../../reason.ts"
import { goTo, Operator, type Screen } from "../../screen.ts"
import { enteredEnd } from "../user/suspend.ts"
import { type ShownJob, template } from "./dry-run.ts"
import { operationIn } from "./operations.ts"

const path = "/users/several"

/** What is to be done to whom, by the query of the page; null without either. */
const chosenIn = Effect.gen(function* () {
  const { query } = yield* Visit
  const { view } = yield* Operator
  const operation = operationIn(view, query.get("operation"))
  const listed = [...query.getAll("id"), ...(query.get("users") ?? "").split(",")]
  const user_ids = [...new Set(listed.filter((id) => id !== ""))]
  return operation === null || user_ids.length === 0 ? null : { operation, user_ids, count: user_ids.length }
})

/** The dry run in the query of the page. */
const dryRunShown = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const job_id = query.get("job")
  return job_id === null ? null : yield* call("adminJobsShow", { job_id })
})

const requireChosen = Effect.flatMap(chosenIn, (chosen) =>
  chosen === null ? invalidMember("user_ids", "Expected chosen users and an operation") : Effect.succeed(chosen),
)

/** Whether the job is the finished dry run of this operation. */
const isChecked = (shown: ShownJob | null, operation: string, count: number) =>
  shown?.job.dry_run === true && shown.job.finished_at !== null && shown.job.operation === operation && shown.job.total === count

/** A suspension needs a reason. That of a dry run is stored with no user. */
const dryRunReason = "dry run"

const check = Effect.gen(function* () {
  yield* recentProof
  const { call } = yield* Visit
  const { operation, user_ids } = yield* requireChosen
  const input = operation === "suspend" ? { input: { reason: dryRunReason } } : {}
  const { job } = yield* call("adminJobsCreate", { operation, user_ids, dry_run: true, ...input })
  return yield* goTo(path, undefined, { operation, users: user_ids.join(","), job: job.id })
})

const confirm = Effect.gen(function* () {
  yield* recentProof
  const { call } = yield* Visit
  const { operation, user_ids, count } = yield* requireChosen
  if (!isChecked(yield* dryRunShown, operation, count)) return yield* invalidMember("job", "Expected a dry run that has ended")
  yield* requireTyped(String(count))
  const why = yield* enteredReason
  if (operation === "suspend" && why.reason === undefined) return yield* invalidMember("reason", "Missing key")
  const input = operation === "suspend" ? { input: { ...why, ...(yield* enteredEnd) } } : {}
  const { job } = yield* call("adminJobsCreate", { operation, user_ids, ...why, ...input })
  return yield* goTo("/job", "console.several.started", { id: job.id })
})

/** An operation on users who were chosen in the list. */
export const severalUsers: Screen = {
  path,
  permission: "jobs:run",
  needs: ["adminJobsCreate", "adminJobsShow"],
  section: "/users",
  problems: { not_confirmed: "console.confirm.typed.wrong" },
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const chosen = yield* chosenIn
    if (chosen !== null) yield* recentProof
    const reason = yield* askedReason(chosen?.operation === "suspend")
    return { title: view.texts.t("console.several"), main: template(view, { chosen, dryRun: yield* dryRunShown, reason }) }
  }),
  actions: { check, confirm },
}
