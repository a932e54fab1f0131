import { Effect, Option, Semaphore } from "effect"
import { Overloaded } from "../../domain/errors.ts"

/** Runs at most `concurrency` hashes, lets `queue` callers wait, and refuses the rest with `Overloaded`. */
export const makeGate = (concurrency: number, queue: number) => {
  const places = Semaphore.makeUnsafe(concurrency + queue)
  const threads = Semaphore.makeUnsafe(concurrency)
  return <A>(work: () => Promise<A>) =>
    // A running hash cannot be stopped: if an interrupted caller released its permit at once, more hashes than `concurrency` would run.
    Effect.uninterruptible(Effect.promise(work)).pipe(
      threads.withPermit,
      places.withPermitsIfAvailable(1),
      Effect.flatMap(Option.match({ onNone: () => Effect.fail(new Overloaded({ retryAfter: 1 })), onSome: Effect.succeed })),
    )
}
