import { Cause, Context, DateTime, Effect, Exit, Option, Result, Schema } from "effect"
import { partyOf, principalLater } from "../../../../domain/administration/later.ts"
import { CurrentPrincipal } from "../../../../domain/administration/principal.ts"
import { Acting } from "../../../../domain/events/acting.ts"
import { Note } from "../../../../domain/events/note.ts"
import { conflictIfTaken, isCommitted, retryOnConflict, Store, type Versioned } from "../../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../../domain/sessions/caller.ts"
import { areIndependent, faulty, internalError, isOurFault, type Outcome, outcomeOf } from "./effects.ts"
import type { AnyOperation } from "./operations.ts"
import { endWrites, progressWrites } from "./progress.ts"
import { type Job, Jobs } from "./tables.ts"
import { nextTargets, type Targets } from "./targets.ts"

/** A job that a worker has. */
interface Held {
  readonly id: string
  readonly holder: string
  readonly operation: AnyOperation
}

/** The job while the worker has it. */
const heldJob = Effect.fnUntraced(function* heldJob(id: string, holder: string) {
  const found = yield* (yield* Store).read(Jobs, { id })
  return Option.filter(found, ({ row }) => row.state === "running" && row.holder === holder)
})

/** The users whose reads run at the same time. */
const concurrency = 8

/** Does the next users of a job: in one commit, or else one after another. */
export const batch = Effect.fnUntraced(function* batchOfJob(all: ReadonlyArray<AnyOperation>, id: string, holder: string) {
  const found = yield* heldJob(id, holder)
  if (Option.isNone(found)) return
  yield* batchOf(all, found.value, holder).pipe(
    Effect.catchDefect((defect) => (isOurFault(defect) ? endedByFault(id, holder, defect) : Effect.die(defect))),
  )
})

/** A fault outside of the operation: no worker could go on. */
const endedByFault = Effect.fnUntraced(function* endedByFault(id: string, holder: string, defect: unknown) {
  yield* Effect.annotateLogs(Effect.logError("A job failed.", Cause.die(defect)), { job: id })
  const found = yield* heldJob(id, holder)
  if (Option.isSome(found)) yield* ended(found.value, internalError)
})

const batchOf = Effect.fnUntraced(function* batchOfHeldJob(all: ReadonlyArray<AnyOperation>, job: Versioned<Job>, holder: string) {
  const { id } = job.row
  const operation = all.find(({ name }) => name === job.row.operation)
  // An earlier version had the operation.
  if (operation === undefined) return yield* ended(job, "invalid_request")
  const { as } = yield* Acting
  const work = Effect.gen(function* workAsInitiator() {
    const principal = yield* Effect.option(principalLater(job.row.initiator, [operation.permission, "jobs:run"]))
    if (Option.isNone(principal)) return yield* ended(job, "forbidden")
    const services = Context.make(CurrentPrincipal, principal.value).pipe(Context.add(Note, job.row.note))
    return yield* Effect.provideContext(targeted({ id, holder, operation }, job), services)
  })
  return yield* as(partyOf(job.row.initiator))(Effect.provideService(work, Caller, noCaller))
})

/** Ends a job, unless it was cancelled or lost meanwhile. */
const ended = (job: Versioned<Job>, code: string) => Effect.flatMap(endWrites(job, "failed", code), isCommitted)

const targeted = Effect.fnUntraced(function* batchOfTargets(held: Held, job: Versioned<Job>) {
  const found = yield* Effect.result(nextTargets(job.row, held.operation))
  // The filter was valid when the job began: another configuration, or other permissions, came meanwhile.
  if (Result.isFailure(found)) return yield* ended(job, found.failure._tag)
  const targets = found.success
  const input = yield* Effect.option(Schema.decodeUnknownEffect(held.operation.input)(JSON.parse(job.row.input)))
  // An earlier version took another input.
  if (Option.isNone(input)) return yield* ended(job, "invalid_request")
  const principal = yield* CurrentPrincipal
  // The rights are read once for the group: its commit checks the rows that they were read from.
  const once = { ...principal, reread: yield* Effect.cached(principal.reread) }
  const outcomes = yield* Effect.forEach(targets.users, ({ id }) => outcomeOf(held.operation, id, input.value), { concurrency }).pipe(
    Effect.provideService(CurrentPrincipal, once),
  )
  if (yield* hasLostRights(job, held, outcomes)) return yield* ended(job, "forbidden")
  const isLast = targets.isLast || isOver(held.operation, outcomes)
  return (yield* together(job, { ...targets, isLast }, outcomes)) || (yield* oneByOne(held, targets, input.value))
})

/** Whether users were refused because the initiator was withdrawn just now: that ends the job, and fails for no user. */
const hasLostRights = Effect.fnUntraced(function* hasLostRights(
  { row }: Versioned<Job>,
  { operation }: Held,
  outcomes: ReadonlyArray<Outcome>,
) {
  if (!outcomes.some(({ code }) => code === "forbidden" || code === "unauthorized")) return false
  return Option.isNone(yield* Effect.option(principalLater(row.initiator, [operation.permission, "jobs:run"])))
})

/** Whether a repeated operation has nothing left to do. */
const isOver = ({ isRepeated }: AnyOperation, outcomes: ReadonlyArray<Outcome>) =>
  isRepeated && outcomes.every(({ writes }) => writes.length === 0)

const kept = (job: Job, outcome: Outcome): Outcome => (job.dry_run ? { ...outcome, writes: [] } : outcome)

/** Commits all outcomes at once. False if the store refuses it, since a row has changed meanwhile or the commit is too large. */
const together = Effect.fnUntraced(function* commitTogether(job: Versioned<Job>, targets: Targets, all: ReadonlyArray<Outcome>) {
  const stop = job.row.on_error === "stop" ? all.findIndex(({ code }) => code !== undefined) : -1
  const outcomes = all.slice(0, stop < 0 ? undefined : stop + 1).map((outcome) => kept(job.row, outcome))
  if (!areIndependent(outcomes)) return false
  const { isLast, place } = targets
  const progress = progressWrites(job, { outcomes, place, isLast }, yield* DateTime.now)
  return yield* Effect.map(Effect.exit((yield* Store).commit([...outcomes.flatMap(({ writes }) => writes), ...progress])), Exit.isSuccess)
})

/** Each user in a commit of its own. */
const oneByOne = Effect.fnUntraced(function* commitOneByOne(held: Held, { users, place, isLast }: Targets, input: unknown) {
  for (const [at, user] of users.entries()) {
    const end = at === users.length - 1 ? { place, isLast } : { place: user.place, isLast: false }
    const done = (outcome: Effect.Effect<Outcome, never, Effect.Services<ReturnType<typeof outcomeOf>>>) => commitOne(held, outcome, end)
    const isHeld = yield* done(outcomeOf(held.operation, user.id, input)).pipe(
      Effect.catchDefect((defect) => (isOurFault(defect) ? done(faulty(user.id, defect)) : Effect.die(defect))),
    )
    if (!isHeld) return false
  }
  return true
})

/** False if the worker has lost the job, or the job has ended. */
const commitOne = <R>(
  held: Held,
  outcome: Effect.Effect<Outcome, never, R>,
  end: { readonly place: string | null; readonly isLast: boolean },
) =>
  Effect.gen(function* commitOneUser() {
    const job = yield* heldJob(held.id, held.holder)
    if (Option.isNone(job)) return false
    const done = kept(job.value.row, yield* outcome)
    if (yield* hasLostRights(job.value, held, [done])) {
      yield* ended(job.value, "forbidden")
      return false
    }
    const isLast = end.isLast || isOver(held.operation, [done])
    const progress = progressWrites(job.value, { outcomes: [done], ...end, isLast }, yield* DateTime.now)
    yield* conflictIfTaken((yield* Store).commit([...done.writes, ...progress]))
    return true
  }).pipe(retryOnConflict)
