import { Effect, Schema } from "effect"
import { CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { Forbidden } from "../../../../domain/errors.ts"
import { orFail, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../../service/paging.ts"
import { creation } from "./creation.ts"
import { JobNotFound } from "./errors.ts"
import type { AnyOperation, StartedOperation } from "./operations.ts"
import { endWrites } from "./progress.ts"
import { ShownJob, shownJob, WithJob } from "./shown.ts"
import { JobFailures, Jobs, maxFailures, State } from "./tables.ts"

const OneJob = Schema.Struct({ job_id: Schema.String })

const stored = Effect.fnUntraced(function* storedJob(id: string) {
  return yield* orFail((yield* Store).read(Jobs, { id }), () => new JobNotFound())
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/jobs/list",
  summary: "The jobs of the last 90 days, the newest first; on request only those in one state.",
  access: { permission: "jobs:read" },
  input: Schema.Struct({ state: Schema.optionalKey(State), ...PageInput }),
  output: Schema.Struct({ jobs: Schema.Array(ShownJob), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListJobs({ state, ...request }) {
    const { rows, rest } = yield* page(Jobs, state === undefined ? {} : { state }, request, true)
    return Endpoint.reply({ jobs: rows.map(shownJob), ...rest })
  }),
})

const show = Endpoint.make({
  method: "GET",
  path: "/admin/jobs/show",
  summary: "One job, and the first 1,000 users for whom it failed, with the error codes.",
  access: { permission: "jobs:read" },
  input: OneJob,
  output: Schema.Struct({
    job: ShownJob,
    failures: Schema.Array(Schema.Struct({ user_id: Schema.String, code: Schema.String })),
  }),
  errors: [JobNotFound],
  handler: Effect.fnUntraced(function* adminShowJob({ job_id }) {
    const { row } = yield* stored(job_id)
    const failures = yield* (yield* Store).list(JobFailures, { job_id }, { limit: maxFailures, order: "id" })
    return Endpoint.reply({ job: shownJob(row), failures: failures.map(({ user_id, code }) => ({ user_id, code })) })
  }),
})

const cancel = (all: ReadonlyArray<AnyOperation>) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/jobs/cancel",
    summary: "Ends a job before its next users; those who are done stay so. A job that has ended stays as it is.",
    access: { permission: "jobs:run" },
    input: OneJob,
    output: WithJob,
    errors: [JobNotFound],
    handler: Effect.fnUntraced(function* adminCancelJob({ job_id }) {
      const job = yield* stored(job_id)
      const operation = all.find(({ name }) => name === job.row.operation)
      if (operation !== undefined && !(yield* CurrentPrincipal).permissions.has(operation.permission)) return yield* new Forbidden()
      if (job.row.finished_at !== null) return Endpoint.reply({ job: shownJob(job.row) })
      const unchanged = yield* ofPrincipal(null)
      yield* (yield* Store).commit([...unchanged, ...(yield* endWrites(job, "cancelled"))])
      return Endpoint.reply({ job: shownJob((yield* stored(job_id)).row) })
    }, retryOnConflict),
  })

export const jobEndpoints = (started: ReadonlyArray<StartedOperation>, all: ReadonlyArray<AnyOperation>) =>
  [creation(started), list, show, cancel(all)] as const
