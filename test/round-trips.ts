import { Effect } from "effect"
import { Store, type StoreService } from "../domain/ports/store.ts"

/** The result of an effect, and the operations of the store that it called. */
export const counted = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const store = yield* Store
  const trips: Array<string> = []
  const counting = new Proxy(store, {
    get: (target, verb: keyof StoreService) => {
      const own = target[verb]
      if (typeof own !== "function") return own
      return (...question: ReadonlyArray<never>) => {
        trips.push(verb)
        return Reflect.apply(own, target, question)
      }
    },
  })
  const answer = yield* Effect.provideService(effect, Store, counting)
  return [answer, trips] as const
})
