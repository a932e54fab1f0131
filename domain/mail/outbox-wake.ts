import { Effect, Layer } from "effect"
import { Store } from "../ports/store.ts"
import { Outbox } from "./outbox.ts"
import { PendingMessages } from "./outbox-tables.ts"

/** Wraps the Store: a commit that adds a message wakes the outbox worker afterwards. */
export const layer = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store
    const { nudge } = yield* Outbox
    return Store.of({
      ...store,
      commit: (writes) =>
        writes.some(({ table }) => table === PendingMessages) ? Effect.tap(store.commit(writes), () => nudge) : store.commit(writes),
    })
  }),
)
