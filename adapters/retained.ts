import { Duration, Effect, Exit } from "effect"

/** Runs an effect once for concurrent callers and retains its result. After a failure, the next caller runs it again. */
export const retainedOnSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.cachedWithTTL(effect, Exit.match({ onSuccess: () => Duration.infinity, onFailure: () => Duration.zero }))
