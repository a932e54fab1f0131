import { DateTime, Duration, Effect, Schema } from "effect"
import { initiator } from "../../../../domain/administration/later.ts"
import { CurrentPrincipal, ofPrincipal, requireProofFor } from "../../../../domain/administration/principal.ts"
import { Forbidden, IdempotencyKeyReused, invalidMember, SessionNotFresh } from "../../../../domain/errors.ts"
import { Note } from "../../../../domain/events/note.ts"
import { conflictIfTaken, insert, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { faults } from "../../../service/faults.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../../service/idempotency.ts"
import { IndexBuilding, TooMany } from "../errors.ts"
import { Filters } from "../user-filters.ts"
import { anyInput, type StartedOperation } from "./operations.ts"
import { roomInQueue } from "./queue.ts"
import { shownJob, WithJob } from "./shown.ts"
import { chunk, type Job, Jobs, JobTargets, numbered, OnError } from "./tables.ts"
import { filterText } from "./targets.ts"

const maxTargets = 10_000
const kept = Duration.days(90)

const UserId = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64))

/** The input of the operation, as a job keeps it. */
const inputText = Effect.fnUntraced(function* inputText(operation: StartedOperation, input: Readonly<Record<string, unknown>>) {
  const foreign = Object.keys(input).find((member) => !Object.hasOwn(operation.input.fields, member))
  if (foreign !== undefined) return yield* invalidMember("input", `The operation ${operation.name} takes no ${foreign}`)
  const decoded = Schema.decodeUnknownEffect(operation.input)(input)
  yield* operation.check(yield* Effect.mapError(decoded, ({ issue }) => invalidMember("input", faults(issue).message)))
  return JSON.stringify(input)
})

/** A job starts as a row that waits. */
export const queued = Effect.fnUntraced(function* queuedJob(
  chosen: Pick<Job, "operation" | "input" | "filter" | "total" | "on_error" | "dry_run">,
) {
  const created_at = yield* DateTime.now
  const note = yield* Note
  const job: Job = {
    id: yield* newId,
    ...chosen,
    note: chosen.dry_run ? null : note,
    state: "queued",
    initiator: yield* initiator,
    position: 0,
    succeeded: 0,
    failed: 0,
    place: null,
    sample: [],
    code: null,
    holder: null,
    lease_until: null,
    created_at,
    started_at: null,
    finished_at: null,
    expires_at: DateTime.addDuration(created_at, kept),
  }
  return job
})

export const targetsOf = ({ id: job_id, expires_at }: Job, user_ids: ReadonlyArray<string>) =>
  Array.from({ length: Math.ceil(user_ids.length / chunk) }, (_, at) =>
    insert(JobTargets, { id: numbered(job_id, at), job_id, user_ids: user_ids.slice(at * chunk, (at + 1) * chunk), expires_at }),
  )

export const creation = (all: ReadonlyArray<StartedOperation>) => {
  const Input = Schema.Struct({
    operation: Schema.Literals(all.map(({ name }) => name)).annotate({ identifier: "JobOperation" }),
    user_ids: Schema.optionalKey(Schema.Array(UserId).check(Schema.isMinLength(1), Schema.isMaxLength(maxTargets))).pipe(
      Schema.annotateKey({ description: "At most 10,000 users. Either these or `filter`." }),
    ),
    filter: Schema.optionalKey(Schema.Struct(Filters).annotate({ identifier: "UserFilter" })).pipe(
      Schema.annotateKey({ description: "All users who match the filters of `GET /admin/users/list`." }),
    ),
    input: Schema.optionalKey(anyInput(all)).pipe(Schema.annotateKey({ description: "As the endpoint for one user takes it." })),
    dry_run: Schema.optionalKey(Schema.Boolean).pipe(
      Schema.annotateKey({ description: "Whether the job only counts whom it would change, and for whom it would fail." }),
    ),
    on_error: Schema.optionalKey(OnError).pipe(
      Schema.annotateKey({ description: "Whether the job ends when the operation fails for a user. Default: `continue`." }),
    ),
    ...IdempotencyKey,
  })
  return Endpoint.make({
    method: "POST",
    path: "/admin/jobs/create",
    summary: "Starts an operation on many users, which goes on in the background. The caller needs its permission as well.",
    access: { permission: "jobs:run" },
    input: Input,
    output: WithJob,
    errors: [TooMany, IndexBuilding, IdempotencyKeyReused, SessionNotFresh],
    takesReason: true,
    handler: idempotent(
      WithJob,
      Effect.fnUntraced(function* adminCreateJob(
        { operation: name, user_ids, filter, input = {}, dry_run = false, on_error = "continue" }: typeof Input.Type,
        keep: Keep<typeof WithJob.Type>,
      ) {
        const operation = all.find((one) => one.name === name)
        if (operation === undefined || !(yield* CurrentPrincipal).permissions.has(operation.permission)) return yield* new Forbidden()
        if (!dry_run) yield* requireProofFor(operation.permission)
        if ((user_ids === undefined) === (filter === undefined))
          return yield* invalidMember("user_ids", "Expected either user_ids or filter")
        const targets = [...new Set(user_ids)]
        const total = filter === undefined ? targets.length : null
        const written = { input: yield* inputText(operation, input), filter: filter === undefined ? null : yield* filterText(filter) }
        const job = yield* queued({ operation: name, ...written, total, on_error, dry_run })
        const answer = { job: shownJob(job) }
        const room = [...(yield* ofPrincipal(null)), ...(yield* roomInQueue)]
        const added = [insert(Jobs, job), ...targetsOf(job, targets)]
        yield* conflictIfTaken((yield* Store).commit([...(yield* keep(answer)), ...room, ...added]))
        return Endpoint.reply(answer)
      }, retryOnConflict),
    ),
  })
}
