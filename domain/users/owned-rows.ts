import { Stream } from "effect"
import { dependants, rowsOf, type Store } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { Users } from "./tables.ts"

/** A table whose rows belong to a user: `field` references the user, or a row of another such table. */
export interface Owned {
  readonly table: AnyTable
  readonly field: string
  /** Undefined for the table of users itself. */
  readonly parent: Owned | undefined
}

const root: Owned = { table: Users, field: Users.key, parent: undefined }

/** The tables that are removed with a user, the one of users first. */
export const ownedTables = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Owned> => {
  const found = [root]
  // The list grows: each table is found by its shortest way to the user.
  for (const parent of found)
    for (const { table, field } of dependants(tables, parent.table))
      if (!found.some((owned) => owned.table === table)) found.push({ table, field, parent })
  return found
}

/** The tables whose rows outlive the user whose id they have. */
export const outlivingTables = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Owned> =>
  tables.flatMap((table) => (table.data.user === undefined ? [] : [{ table, field: table.data.user, parent: root }]))

type AnyRow = Readonly<Record<string, unknown>>

const page = 100

/** The rows of a user in one of these tables, page by page. */
export const rowsOfUser = ({ table, field, parent }: Owned, user_id: string): Stream.Stream<AnyRow, never, Store> => {
  if (parent === undefined || parent === root) return rowsOf(table, { [field]: user_id }, { limit: page })
  const ofParent = (row: AnyRow) => rowsOf(table, { [field]: row[parent.table.key] }, { limit: page })
  return Stream.flatMap(rowsOfUser(parent, user_id), ofParent, { concurrency: 8 })
}
