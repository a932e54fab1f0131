import { type Dependant, dependants } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandIndex, fieldsOf } from "../../domain/storage/query-checks.ts"
import { int8, quote, revisionColumn } from "./columns.ts"
import { condition, shape } from "./conditions.ts"
import { noDemand, type TableRows } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

type Removals = Pick<TableSql, "take" | "removeAll" | "remove" | "detach" | "removeEach" | "due" | "removeDue" | "removeKeys">

/** The statements that remove rows together with the rows that reference them. */
export const removals = (
  { table, name, nameOf, key, selectList, conditionValues, cachedText, demandOneRow }: TableRows,
  tables: ReadonlyArray<AnyTable>,
): Removals => {
  /** `returning` is appended to the last statement, which removes the rows themselves. */
  const cascade = (condition: string, returning = "") => {
    const statements = removal({ tables, nameOf }, table, condition)
    return statements.with(-1, `${statements.at(-1)}${returning}`)
  }
  const id = quote(key.name)
  const expiry = quote(table.expires ?? "")
  const dueIn = (from: string) => `SELECT ${id} FROM ${from} WHERE ${expiry} <= $1 ORDER BY ${expiry} LIMIT $2`

  return {
    take: (where) => {
      const parameters = conditionValues(where)
      const texts = cachedText(`take ${shape(where)}`, demandOneRow(where), () => cascade(condition(where), ` RETURNING ${selectList()}`))
      return texts.map((text) => ({ text, values: parameters }))
    },
    removeAll: (where) => {
      const parameters = conditionValues(where)
      const demand = () => demandIndex(table, fieldsOf(table, where))
      return cachedText(`removeAll ${shape(where)}`, demand, () => cascade(condition(where))).map((text) => ({ text, values: parameters }))
    },
    remove: (removed, expected) => {
      const parameters = expected === undefined ? [key.encode(removed)] : [key.encode(removed), int8(expected)]
      const condition = `${id} = $1${expected === undefined ? "" : ` AND ${revisionColumn} = $2`}`
      return cachedText(`remove ${parameters.length}`, noDemand, () => cascade(condition)).map((text) => ({ text, values: parameters }))
    },
    detach: (removed, expected) => ({
      text: cachedText("detach", noDemand, () => `DELETE FROM ${name} WHERE ${id} = $1 AND ${revisionColumn} = $2`),
      values: [key.encode(removed), int8(expected)],
    }),
    removeEach: (keys) => cachedText("removeEach", noDemand, () => cascade(`${id} = ANY($1)`)).map((text) => ({ text, values: [keys] })),
    due: (now, limit) => ({ text: dueIn(name), values: [now, int8(limit)] }),
    removeDue: (now, limit, from = name) => ({
      text: `DELETE FROM ${from} WHERE ${id} IN (${dueIn(from)} FOR UPDATE SKIP LOCKED)`,
      values: [now, int8(limit)],
    }),
    removeKeys: (keys, now) =>
      cachedText("removeKeys", noDemand, () => cascade(`${id} = ANY($1) AND ${expiry} <= $2`)).map((text) => ({
        text,
        values: [keys, now],
      })),
  }
}

/**
 * Removes the rows that match a condition, after the rows that reference them, deepest first. The rows are locked
 * first: the row of a concurrent commit that adds a reference under a `check` is then either removed too, or that commit fails.
 */
const removal = (all: AllTables, table: AnyTable, condition: string): ReadonlyArray<string> => {
  const name = all.nameOf(table)
  const children = dependants(all.tables, table)
  const lock = children.length === 0 ? [] : [`SELECT 1 FROM ${name} WHERE ${condition} FOR UPDATE`]
  const referencing = ({ field }: Dependant) => `${quote(field)} IN (SELECT ${quote(table.key)} FROM ${name} WHERE ${condition})`
  const below = children.flatMap((child) => removal(all, child.table, referencing(child)))
  return [...lock, ...below, `DELETE FROM ${name} WHERE ${condition}`]
}

interface AllTables extends Pick<TableRows, "nameOf"> {
  readonly tables: ReadonlyArray<AnyTable>
}
