import { Array, Effect } from "effect"
import { Organizations } from "../../../../domain/organizations/tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"

/** Milliseconds between two rounds, of which only those after an upgrade find something. */
const every = 60_000
const batch = 100

/**
 * Gives organizations that an earlier version of the program wrote the text by which lists search names: a write derives it. Several
 * processes can do it at once; a round ends where another one writes.
 */
const fill = Effect.gen(function* fillSearchNames() {
  const { commit, list, read } = yield* Store
  while (true) {
    const rows = yield* list(Organizations, { search_name: null }, { limit: batch })
    const found = Array.getSomes(yield* Effect.forEach(rows, ({ id }) => read(Organizations, { id }), { concurrency: 4 }))
    if (found.length > 0) yield* commit(found.map((organization) => update(Organizations, organization, {})))
    if (rows.length < batch) return
  }
}).pipe(
  Effect.catchTag("Conflict", () => Effect.void),
  Effect.catchTag("Taken", Effect.die),
)

export const searchNames = { every, run: fill }
