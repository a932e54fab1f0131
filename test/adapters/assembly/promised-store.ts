import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import type { OwnStore } from "../../../adapters/own/store.ts"
import { Store } from "../../../domain/ports/store.ts"
import { StoreUnavailable } from "../../../index.ts"

/** The memory store behind promises, as one written without Effect. */
export const promisedStore = () => {
  const scope = Scope.makeUnsafe()
  const events: Array<string> = []
  let isDown = false
  let inner: Store["Service"] | undefined
  const ask = <A, E>(verb: (store: Store["Service"]) => Effect.Effect<A, E>): Promise<A> => {
    if (isDown || inner === undefined) return Promise.reject(new StoreUnavailable({ cause: "down" }))
    return Effect.runPromise(verb(inner))
  }
  const store: OwnStore = {
    open: async (tables) => {
      events.push("open")
      if (isDown) throw new StoreUnavailable({ cause: "down" })
      inner = Context.get(await Effect.runPromise(Layer.buildWithScope(StoreMemory.layer(tables), scope)), Store)
    },
    read: (table, where) => ask((inner) => inner.read(table, where)),
    readWithReferenced: (table, where, field) => ask((inner) => inner.readWithReferenced(table, where, field as never)),
    readWithReferencing: (table, where, other, field, rest) =>
      ask((inner) => inner.readWithReferencing(table, where, other, field as never, rest as never)),
    list: (table, where, options) => ask((inner) => inner.list(table, where, options)),
    listForEach: (table, field, values, options) => ask((inner) => inner.listForEach(table, field as never, values, options as never)),
    take: (table, where) => ask((inner) => inner.take(table, where)),
    commit: (writes) => ask((inner) => inner.commit(writes)),
    sweep: (at, limit) => ask((inner) => inner.sweep(at, limit)),
    ping: () => ask((inner) => inner.ping),
    close: async () => {
      events.push("close")
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
  const turn = (state: "on" | "off") => {
    isDown = state === "off"
  }
  return { store, events, turn }
}
