// The tests of a store of your own: `import { testStore } from "sallyport/testing"` in a test file of vitest.

import { Effect, Layer } from "effect"
import { layer, type OwnStore } from "./adapters/own/store.ts"
import { storeSuite, sweepSuite } from "./testing/store-suite.ts"

export type { MaybeRow, OwnStore } from "./adapters/own/store.ts"
export type { ForEachOptions, ListOptions, Versioned, Write } from "./domain/ports/store.ts"
export type { AnyTable, Row, Where } from "./domain/ports/table.ts"

/** Declares the tests that every store of the service passes. `make` makes a store without rows; some tests need several. */
export const testStore = (name: string, make: () => OwnStore): void => {
  const store = (tables: Parameters<typeof layer>[1]) => Layer.unwrap(Effect.sync(() => layer(make(), tables)))
  storeSuite(name, store)
  sweepSuite(name, store)
}
