import { Effect, Option } from "effect"
import { Store } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { Keys } from "../tokens/keys.ts"
import { type Column, columnsOf, nameOf } from "./sealing.ts"

type Row = Readonly<Record<string, unknown>>

const page = 1000

/** Opens every sealed value of the tables: how many of each column open with the listed secrets, and how many do not. */
export const openEach = (tables: ReadonlyArray<AnyTable>) => Effect.forEach(columnsOf(tables), openColumn)

const openColumn = Effect.fnUntraced(function* openColumn(column: Column) {
  const { table, field, purpose } = column
  const store = yield* Store
  const keys = yield* Keys
  const counts = { opened: 0, unreadable: 0 }
  let after: Row | undefined
  do {
    const rows: ReadonlyArray<Row> = yield* store.list(table, {}, { limit: page, ...(after === undefined ? {} : { after }) })
    for (const row of rows) counts[Option.isSome(yield* keys.open(purpose, String(row[field]))) ? "opened" : "unreadable"] += 1
    after = rows.length < page ? undefined : rows.at(-1)
  } while (after !== undefined)
  return { column: nameOf(column), ...counts }
})
