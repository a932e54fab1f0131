import { Cause, Duration, Effect } from "effect"
import { Acting } from "../../domain/events/acting.ts"
import type { Party } from "../../domain/events/security-event.ts"
import { Policies } from "../../domain/policies.ts"
import { Store } from "../../domain/ports/store.ts"
import type { AnyModule, Background } from "./module.ts"
import type { Origin } from "./origin.ts"
import { policiesOf } from "./policies.ts"
import type { Recorder } from "./recording.ts"
import { pollEvery, type Streams } from "./streams/streaming.ts"

/** Milliseconds between two commits of failures. */
const flushEvery = 200
/** Milliseconds for the last commit of failures, when the service stops. */
const flushFor = 5_000

/**
 * Runs the work of all modules and reads the events of open streams until the scope ends. At its end it also stores the failures that wait,
 * and ends the streams.
 */
export const background = (modules: ReadonlyArray<AnyModule>, recorder: Recorder | undefined, streams: Streams) =>
  Effect.gen(function* startBackground() {
    const flush: Effect.Effect<void, never, any> = recorder?.flush ?? Effect.void
    const policies = policiesOf(ownOrigin.operation, modules)
    const asService = (run: Effect.Effect<unknown, never, any>) =>
      Effect.provideService(recorder === undefined ? run : recordedBy(recorder, run), Policies, policies)
    const own = modules.flatMap(({ name, background }) => background.map((each) => ({ name, ...each })))
    const hasStreams = modules.some((module) => module.streams.length > 0)
    const work = hasStreams ? [...own, { name: "streams", every: pollEvery, run: streams.poll }] : own
    if (modules.every(({ recorded }) => recorded === undefined) && work.length === 0) return
    const last = (recorder?.flushAll ?? Effect.void).pipe(
      Effect.interruptible,
      Effect.timeoutOption(flushFor),
      Effect.catchDefect(unstored),
    )
    yield* Effect.addFinalizer(() => last)
    yield* Effect.addFinalizer(() => streams.endAll)
    for (const each of [{ name: "events", every: flushEvery, run: flush }, ...work])
      yield* Effect.forkScoped(forever({ ...each, run: asService(each.run) }))
  })

/** Records the events of the work as those of the service, or of the parties as which it acts. */
const recordedBy = Effect.fnUntraced(function* recordedBy(recorder: Recorder, run: Effect.Effect<unknown, never, any>) {
  const plain = yield* Store
  const from = (origin: Origin) => Effect.provideService(recorder.storeOf(origin), Store, plain)
  const as =
    (actor: Party) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.provideServiceEffect(work, Store, from({ ...ownOrigin, actor })) as Effect.Effect<A, E, R>
  return yield* run.pipe(Effect.provideService(Acting, { as }), Effect.provideServiceEffect(Store, from(ownOrigin)))
})

/** The origin of what the service does by itself. */
const ownOrigin: Origin = {
  operation: { name: "background", path: "background", module: "background", signsIn: undefined },
  actor: { kind: "system", id: null },
  on_behalf_of: null,
  session_id: null,
  ip_address: null,
  user_agent: null,
  request_id: null,
  trace_id: null,
}

const unstored = (defect: unknown) => Effect.logWarning("refused calls could not be recorded", Cause.die(defect))

/** Repeats a round; a fault is logged once, until a round succeeds. */
const forever = ({ name, every, run }: Background<any> & { readonly name: string }) =>
  Effect.gen(function* repeat() {
    let isFaulty = false
    while (true) {
      const fault = yield* run.pipe(Effect.as(undefined), Effect.catchDefect(Effect.succeed))
      if (fault !== undefined && !isFaulty)
        yield* Effect.logWarning(`The background work of ${name} failed and is repeated.`, Cause.die(fault))
      isFaulty = fault !== undefined
      yield* Effect.sleep(Duration.millis(every))
    }
  })
