import { Console, Effect } from "effect"
import type { Configuration, KeptStore } from "../config/load.ts"

/** Brings the database up to the tables, by what `apply` does on each kind of store, and prints what was run. */
export const migrate = (store: Configuration["store"], apply: (store: KeptStore) => Effect.Effect<ReadonlyArray<string>, unknown>) => {
  if (store.kind === "memory") return Console.log("The store is in memory: there is nothing to migrate.")
  return Effect.flatMap(apply(store), (done) =>
    Console.log(done.length === 0 ? "Nothing to do." : done.map((statement) => `${statement};`).join("\n")),
  )
}
