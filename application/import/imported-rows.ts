import type { Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { inOrder } from "../../domain/values/json.ts"
import { hashOf } from "./seen.ts"
import type { MadeRow } from "./tables.ts"

// The rows that an import made, by which `undo` recognises users who have not used their account.

/** Identifies a row in maps and sets. */
export const rowName = ({ table, key }: Pick<MadeRow, "table" | "key">) => `${table} ${key}`

/** Sealed values are left out of the hash, because `secret rotate` seals them again. A database may change the order of members. */
export const madeRow = (table: AnyTable, row: Readonly<Record<string, unknown>>): MadeRow => {
  const fields = Object.keys(table.fields).filter((field) => !(field in table.sealed))
  const hash = hashOf(
    JSON.stringify(
      fields.map((field) => row[field]),
      inOrder,
    ),
  ).map((half) => half.toString(36))
  return { table: table.name, key: String(row[table.key]), hash: hash.join("-") }
}

/** The rows that these writes insert. */
export const madeBy = (writes: ReadonlyArray<Write>): ReadonlyArray<MadeRow> =>
  writes.flatMap((write) => (write._tag === "insert" ? [madeRow(write.table, write.row)] : []))
