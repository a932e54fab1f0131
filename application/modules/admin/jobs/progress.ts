import { DateTime, Effect } from "effect"
import { insert, removeAll, update, type Versioned, type Write } from "../../../../domain/ports/store.ts"
import type { Outcome } from "./effects.ts"
import { leased } from "./queue.ts"
import { type Job, JobFailures, Jobs, JobTargets, maxFailures, numbered } from "./tables.ts"

/** The users of a dry run that its job names. */
const maxSample = 20

/** What is done, in the commit with its effects. */
export interface Done {
  readonly outcomes: ReadonlyArray<Outcome>
  /** `place` of the job afterwards. */
  readonly place: string | null
  readonly isLast: boolean
}

/** The job after these outcomes. */
const advanced = (job: Job, { outcomes, place, isLast }: Done, now: DateTime.Utc): Partial<Job> => {
  const failures = outcomes.flatMap(({ code }) => code ?? [])
  const succeeded = outcomes.filter(({ code }) => code === undefined)
  const [code] = job.on_error === "stop" ? failures : []
  const counts = {
    position: job.position + outcomes.length,
    succeeded: job.succeeded + succeeded.length,
    failed: job.failed + failures.length,
    place,
    sample: job.dry_run ? [...job.sample, ...succeeded.map(({ user_id }) => user_id)].slice(0, maxSample) : job.sample,
  }
  if (code !== undefined) return { ...counts, ...ended("failed", now, code) }
  return isLast ? { ...counts, ...ended("succeeded", now) } : { ...counts, ...leased(now) }
}

const ended = (state: Job["state"], finished_at: DateTime.Utc, code: string | null = null) => ({
  state,
  code,
  finished_at,
  // They can have an address, or be about a user who is removed later.
  place: null,
  filter: null,
  input: "{}",
  note: null,
  holder: null,
  lease_until: null,
})

const failureRows = ({ id: job_id, position, failed, expires_at }: Job, outcomes: ReadonlyArray<Outcome>) =>
  outcomes
    .flatMap(({ user_id, code }, at) =>
      code === undefined ? [] : [{ id: numbered(job_id, position + at), job_id, user_id, code, expires_at }],
    )
    .slice(0, Math.max(0, maxFailures - failed))
    .map((row) => insert(JobFailures, row))

/** The writes that note what is done. They fail if the job has been cancelled, or another worker has it. */
export const progressWrites = (job: Versioned<Job>, done: Done, now: DateTime.Utc): ReadonlyArray<Write> => {
  const changes = advanced(job.row, done, now)
  return [
    update(Jobs, job, changes),
    ...failureRows(job.row, done.outcomes),
    ...(changes.state === undefined ? [] : [targetsRemoved(job.row)]),
  ]
}

const targetsRemoved = ({ id }: Job) => removeAll(JobTargets, { job_id: id })

/** The writes that end a job before its last user. */
export const endWrites = (job: Versioned<Job>, state: "cancelled" | "failed", code: string | null = null) =>
  Effect.map(DateTime.now, (now): ReadonlyArray<Write> => [update(Jobs, job, ended(state, now, code)), targetsRemoved(job.row)])
