import { Effect, Layer } from "effect"
import { Outbox } from "./Outbox.ts"
import { PendingLetters } from "./OutboxTables.ts"
import { Store } from "./ports/Store.ts"

/** The Store, but a commit that holds a letter wakes the outbox's worker once it is over. */
export const layer = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store
    const { nudge } = yield* Outbox
    return Store.of({
      ...store,
      commit: (writes) =>
        writes.some(({ table }) => table === PendingLetters) ? Effect.tap(store.commit(writes), () => nudge) : store.commit(writes),
    })
  }),
)
