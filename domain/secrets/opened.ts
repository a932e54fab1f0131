import { Effect, Option, Stream } from "effect"
import { rowsOf } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { Keys } from "../tokens/keys.ts"
import { type Column, columnsOf, nameOf } from "./sealing.ts"

/** Opens every sealed value of the tables: how many of each column open with the listed secrets, and how many do not. */
export const openEach = (tables: ReadonlyArray<AnyTable>) => Effect.forEach(columnsOf(tables), openColumn)

const openColumn = Effect.fnUntraced(function* openColumn(column: Column) {
  const { table, field, purpose } = column
  const { open } = yield* Keys
  const counts = { opened: 0, unreadable: 0 }
  yield* Stream.runForEach(rowsOf(table, {}, { limit: 1000 }), (row) =>
    Effect.map(open(purpose, String(row[field])), (text) => {
      counts[Option.isSome(text) ? "opened" : "unreadable"] += 1
    }),
  )
  return { column: nameOf(column), ...counts }
})
