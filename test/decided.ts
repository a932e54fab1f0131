import { Deferred, Effect, Fiber } from "effect"
import type { AuthError } from "../domain/errors.ts"
import { Store } from "../domain/ports/store.ts"
import type { WorldServices } from "./world.ts"

/** Pauses a call before its commit. The returned effect lets it continue, and gives `ok` or the error code. */
export const decided = Effect.fnUntraced(function* (call: Effect.Effect<unknown, AuthError, WorldServices>) {
  const store = yield* Store
  const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const commit: typeof store.commit = (writes) =>
    Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(released)), Effect.andThen(store.commit(writes)))
  const outcome = Effect.match(call, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
  const fiber = yield* Effect.forkChild(Effect.provideService(outcome, Store, { ...store, commit }))
  yield* Deferred.await(arrived)
  return Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(fiber))
})
