import { Schema } from "effect"
import { Initiator } from "../../../../domain/initiator.ts"
import { type Job, OnError, State } from "./tables.ts"

/** The form of a job for administrators. */
export const ShownJob = Schema.Struct({
  id: Schema.String,
  operation: Schema.String,
  state: State,
  dry_run: Schema.Boolean,
  on_error: OnError,
  created_by: Schema.Struct({ kind: Initiator.fields.kind, id: Schema.String }),
  total: Schema.NullOr(Schema.Int).pipe(
    Schema.annotateKey({ description: "The number of users; null for users who match a filter, and for a merge." }),
  ),
  position: Schema.Int.pipe(Schema.annotateKey({ description: "The number of users who are done." })),
  succeeded: Schema.Int,
  failed: Schema.Int,
  sample: Schema.Array(Schema.String).pipe(Schema.annotateKey({ description: "The first 20 users whom a dry run would have changed." })),
  code: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Why the job failed." })),
  created_at: Schema.DateTimeUtc,
  started_at: Schema.NullOr(Schema.DateTimeUtc),
  finished_at: Schema.NullOr(Schema.DateTimeUtc),
}).annotate({ identifier: "Job" })

export const shownJob = ({ initiator: { kind, id }, ...job }: Job): typeof ShownJob.Type => ({
  id: job.id,
  operation: job.operation,
  state: job.state,
  dry_run: job.dry_run,
  on_error: job.on_error,
  created_by: { kind, id },
  total: job.total,
  position: job.position,
  succeeded: job.succeeded,
  failed: job.failed,
  sample: job.sample,
  code: job.code,
  created_at: job.created_at,
  started_at: job.started_at,
  finished_at: job.finished_at,
})

export const WithJob = Schema.Struct({ job: ShownJob })
