import { Effect, Layer } from "effect"
import { Store } from "../../../domain/ports/store.ts"

/** The number of calls of the store. */
export const questions = { count: 0 }

/** Replaces the store of the test world by one that counts its calls. */
export const counted = Layer.effect(
  Store,
  Effect.map(Store, (store) => {
    const one = <A>(verb: Effect.Effect<A>) =>
      Effect.suspend(() => {
        questions.count += 1
        return verb
      })
    return Store.of({
      ...store,
      read: (...asked) => one(store.read(...asked)),
      readWithReferenced: (...asked) => one(store.readWithReferenced(...asked)),
      readWithReferencing: (...asked) => one(store.readWithReferencing(...asked)),
      list: (...asked) => one(store.list(...asked)),
      listForEach: (...asked) => one(store.listForEach(...asked)),
    })
  }),
)
