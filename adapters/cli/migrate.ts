import type { Layer } from "effect"
import { Console, Effect } from "effect"
import type { AnyTable } from "../../application/Table.ts"
import type { Configuration, KeptStore } from "../config/load.ts"
import type { Database } from "../postgres/Database.ts"
import { migrate as apply } from "../postgres/Migrations.ts"

/** Brings the database up to the tables and prints what was run. */
export const migrate = <E>(
  store: Configuration["store"],
  tables: ReadonlyArray<AnyTable>,
  database: (store: KeptStore) => Layer.Layer<Database, E>,
) => {
  if (store.kind === "memory") return Console.log("The store is in memory: there is nothing to migrate.")
  return apply(tables).pipe(
    Effect.provide(database(store)),
    Effect.flatMap((done) => Console.log(done.length === 0 ? "Nothing to do." : done.map((statement) => `${statement};`).join("\n"))),
  )
}
