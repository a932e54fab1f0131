import { Console, Effect } from "effect"

/** Updates the schema of the database and prints the statements; null is a store without a database. */
export const migrate = (maintenance: { readonly migrate: Effect.Effect<ReadonlyArray<string>, unknown> } | null) => {
  if (maintenance === null) return Console.log("The store has no schema: nothing to migrate.")
  return Effect.flatMap(maintenance.migrate, (statements) =>
    Console.log(statements.length === 0 ? "Nothing to do." : statements.map((statement) => `${statement};`).join("\n")),
  )
}
