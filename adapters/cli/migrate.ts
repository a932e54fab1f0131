import { Console, Effect } from "effect"
import type { Configuration, KeptStore } from "../config/load.ts"

/** Updates the schema of the database with `apply` and prints the statements. */
export const migrate = (store: Configuration["store"], apply: (store: KeptStore) => Effect.Effect<ReadonlyArray<string>, unknown>) => {
  if (store.kind === undefined) return Console.log("The store is one of your own: nothing to migrate.")
  if (store.kind === "memory") return Console.log("The store is in memory: nothing to migrate.")
  return Effect.flatMap(apply(store), (statements) =>
    Console.log(statements.length === 0 ? "Nothing to do." : statements.map((statement) => `${statement};`).join("\n")),
  )
}
