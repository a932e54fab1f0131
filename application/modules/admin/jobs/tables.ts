import { Schema } from "effect"
import { Initiator } from "../../../../domain/initiator.ts"
import * as Table from "../../../../domain/ports/table.ts"

export const State = Schema.Literals(["queued", "running", "succeeded", "failed", "cancelled"]).annotate({ identifier: "JobState" })
export type State = typeof State.Type

export const OnError = Schema.Literals(["continue", "stop"]).annotate({ identifier: "JobOnError" })

const Job = Schema.Struct({
  id: Schema.String,
  operation: Schema.String,
  /** The input of the operation, as JSON. */
  input: Schema.String,
  /** Why its administrator started it, for the records of what it does. Null if they did not say, for a dry run, and after its end. */
  note: Schema.NullOr(Schema.String),
  /** The filters that select the users, as JSON. Null: the users of `JobTargets`. */
  filter: Schema.NullOr(Schema.String),
  on_error: OnError,
  dry_run: Schema.Boolean,
  state: State,
  initiator: Initiator,
  /** The number of users; null with a filter. */
  total: Schema.NullOr(Schema.Int),
  /** The number of users who are done. Their effects and this number are in one commit, so no user is done twice. */
  position: Schema.Int,
  succeeded: Schema.Int,
  failed: Schema.Int,
  /** With a filter, the last user who is done, as JSON. */
  place: Schema.NullOr(Schema.String),
  /** The first users whom a dry run would have changed. */
  sample: Schema.Array(Schema.String),
  /** Why it failed. */
  code: Schema.NullOr(Schema.String),
  /** The worker that runs it, until `lease_until` unless it commits again. */
  holder: Schema.NullOr(Schema.String),
  lease_until: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
  started_at: Schema.NullOr(Schema.DateTimeUtc),
  finished_at: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type Job = typeof Job.Type

export const Jobs = Table.make("job", Job, { key: "id", indexed: [["state", "id"]], expires: "expires_at" })

/** The users of one row of `JobTargets`. */
export const chunk = 100

/** The chosen users of a job, until it ends. */
export const JobTargets = Table.make(
  "job_target",
  Schema.Struct({
    /** `numbered`. */
    id: Schema.String,
    job_id: Schema.String,
    user_ids: Schema.Array(Schema.String),
    expires_at: Schema.DateTimeUtc,
  }),
  { key: "id", references: { job_id: Jobs }, expires: "expires_at" },
)

/** The maximum number of failures that a job keeps. */
export const maxFailures = 1000

export const JobFailures = Table.make(
  "job_failure",
  Schema.Struct({
    /** `numbered`. */
    id: Schema.String,
    job_id: Schema.String,
    user_id: Schema.String,
    code: Schema.String,
    expires_at: Schema.DateTimeUtc,
  }),
  { key: "id", indexed: [["job_id", "id"], "user_id"], references: { job_id: Jobs }, expires: "expires_at" },
)

/** The key of a row of a job, which sorts by the number. */
export const numbered = (job_id: string, number: number) => `${job_id}.${String(number).padStart(9, "0")}`

/** One row. Every commit that adds a job, or starts one, writes it: of two at once, the second sees the first. */
export const JobQueues = Table.make("job_queue", Schema.Struct({ id: Schema.String, changed_at: Schema.DateTimeUtc }), { key: "id" })
