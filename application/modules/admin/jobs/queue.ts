import { DateTime, Duration, Effect, Option } from "effect"
import { conflictIfTaken, isCommitted, replace, retryOnConflict, Store, update, type Write } from "../../../../domain/ports/store.ts"
import { hasEnded } from "../../../../domain/storage/live.ts"
import { TooMany } from "../errors.ts"
import { type Job, JobQueues, Jobs } from "./tables.ts"

export const maxRunning = 5
const maxQueued = 100

/** For how long a worker has a job after each of its commits. A worker that ends without a word loses it then. */
const lease = Duration.seconds(30)
export const leased = (now: DateTime.Utc) => ({ lease_until: DateTime.addDuration(now, lease) })

const id = "jobs"

/** The write that makes the commits that add or start jobs happen one after another. */
const inTurn = Effect.gen(function* writeOfTurn() {
  const found = yield* (yield* Store).read(JobQueues, { id })
  return replace(JobQueues, found, { id, changed_at: yield* DateTime.now })
})

/** The writes under which one more job can wait. */
export const roomInQueue = Effect.gen(function* roomInQueue() {
  const turn = yield* inTurn
  const waiting = yield* (yield* Store).list(Jobs, { state: "queued" }, { limit: maxQueued })
  const writes: ReadonlyArray<Write> = [turn]
  return waiting.length < maxQueued ? writes : yield* new TooMany()
})

const isLapsed = ({ lease_until }: Job, now: DateTime.Utc) => lease_until === null || hasEnded(lease_until, now)

/** The jobs that run, after those whose worker has ended were returned to the queue. */
const running = Effect.gen(function* runningJobs() {
  const { list, read } = yield* Store
  const now = yield* DateTime.now
  const all = yield* list(Jobs, { state: "running" }, { limit: maxRunning })
  const [live, lapsed] = [all.filter((job) => !isLapsed(job, now)), all.filter((job) => isLapsed(job, now))]
  for (const { id } of lapsed) {
    const found = yield* read(Jobs, { id })
    if (Option.isSome(found) && found.value.row.state === "running" && isLapsed(found.value.row, now))
      yield* isCommitted([update(Jobs, found.value, { state: "queued", holder: null, lease_until: null })])
  }
  return live
})

/** Asked first, so that a service without jobs reads little. */
const isAnyQueued = Effect.flatMap(Store, ({ list }) =>
  Effect.map(list(Jobs, { state: "queued" }, { limit: 1 }), ({ length }) => length > 0),
)

/** Starts the job that waits longest, if there is one and fewer than five run. */
const startNext = Effect.fnUntraced(function* startNextJob(holder: string) {
  const { commit, list, read } = yield* Store
  const turn = yield* inTurn
  const others = yield* list(Jobs, { state: "running" }, { limit: maxRunning })
  const [next] = yield* list(Jobs, { state: "queued" }, { limit: 1, order: "id" })
  if (others.length >= maxRunning || next === undefined) return false
  const found = yield* read(Jobs, { id: next.id })
  if (Option.isNone(found)) return false
  const now = yield* DateTime.now
  const started_at = found.value.row.started_at ?? now
  yield* conflictIfTaken(commit([turn, update(Jobs, found.value, { state: "running", holder, started_at, ...leased(now) })]))
  return true
}, retryOnConflict)

/** The ids of the jobs that a worker has: those of its last round that still run, and new ones. */
export const heldBy = Effect.fnUntraced(function* jobsHeldBy(holder: string) {
  let live = yield* running
  while (live.length < maxRunning && (yield* isAnyQueued) && (yield* startNext(holder))) live = yield* running
  return live.filter((job) => job.holder === holder).map(({ id }) => id)
})
