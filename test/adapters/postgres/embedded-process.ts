import { Console, DateTime, Effect, Layer } from "effect"
import * as Embedded from "../../../adapters/postgres/embedded.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { Tickets, tables } from "../../../testing/tables.ts"

/** Opens the directory of the first argument, adds rows until the process is killed, and prints each row after its commit. */
const [directory, prefix] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const { commit } = yield* Store
  for (let count = 0; ; count++) {
    const row = { hash: `${prefix}${count}`, count, owner_id: "unknown", expires_at: DateTime.makeUnsafe(0) }
    yield* commit([insert(Tickets, row), insert(Tickets, { ...row, hash: `${row.hash} too` })])
    yield* Console.log(row.hash)
  }
})

const store = PostgresStore.layer(tables).pipe(Layer.provide(Embedded.layer(directory)))
Effect.runPromise(Effect.provide(program, store)).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
