import type { Dependant } from "../../domain/ports/store.ts"
import { dependants } from "../../domain/ports/store.ts"
import { demandIndex, fieldsOf } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { quote, revisionColumn, whole } from "./columns.ts"
import { condition, shape } from "./conditions.ts"
import type { TableRows } from "./table-rows.ts"
import { always } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

type Removals = Pick<TableSql, "take" | "removeAll" | "remove" | "detach" | "removeEach" | "due" | "removeDue" | "removeKeys">

/** The statements that take rows away, and with them what references them. */
export const removals = ({ table, name, key, listed, values, text, one }: TableRows, tables: ReadonlyArray<AnyTable>): Removals => {
  /** What the last statement returns is said behind it. */
  const cascade = (condition: string, returning = "") => {
    const statements = removal(tables, table, condition)
    return statements.with(-1, `${statements.at(-1)}${returning}`)
  }
  const id = quote(key.name)
  const expiry = quote(table.expires ?? "")
  const due = `SELECT ${id} FROM ${name} WHERE ${expiry} <= $1 ORDER BY ${expiry} LIMIT $2`

  return {
    take: (where) => {
      const given = values(where)
      const texts = text(`take ${shape(where)}`, one(where), () => cascade(condition(where), ` RETURNING ${listed()}`))
      return texts.map((text) => ({ text, values: given }))
    },
    removeAll: (where) => {
      const given = values(where)
      const demand = () => demandIndex(table, fieldsOf(table, where))
      return text(`removeAll ${shape(where)}`, demand, () => cascade(condition(where))).map((text) => ({ text, values: given }))
    },
    remove: (removed, expected) => {
      const given = expected === undefined ? [key.encode(removed)] : [key.encode(removed), whole(expected)]
      const held = `${id} = $1${expected === undefined ? "" : ` AND ${revisionColumn} = $2`}`
      return text(`remove ${given.length}`, always, () => cascade(held)).map((text) => ({ text, values: given }))
    },
    detach: (removed, expected) => ({
      text: text("detach", always, () => `DELETE FROM ${name} WHERE ${id} = $1 AND ${revisionColumn} = $2`),
      values: [key.encode(removed), whole(expected)],
    }),
    removeEach: (keys) => text("removeEach", always, () => cascade(`${id} = ANY($1)`)).map((text) => ({ text, values: [keys] })),
    due: (now, limit) => ({ text: due, values: [now, whole(limit)] }),
    removeDue: (now, limit) => ({
      text: `DELETE FROM ${name} WHERE ${id} IN (${due} FOR UPDATE SKIP LOCKED)`,
      values: [now, whole(limit)],
    }),
    removeKeys: (keys, now) =>
      text("removeKeys", always, () => cascade(`${id} = ANY($1) AND ${expiry} <= $2`)).map((text) => ({ text, values: [keys, now] })),
  }
}

/**
 * Removes the rows under a condition, and before them what references them, deepest first. The rows are locked
 * at the start: a commit that adds a reference under a `check` is then either seen by the statements below or refused.
 */
const removal = (tables: ReadonlyArray<AnyTable>, table: AnyTable, condition: string): ReadonlyArray<string> => {
  const children = dependants(tables, table)
  const lock = children.length === 0 ? [] : [`SELECT 1 FROM ${quote(table.name)} WHERE ${condition} FOR UPDATE`]
  const below = children.flatMap((child) => removal(tables, child.table, pointing(child, table, condition)))
  return [...lock, ...below, `DELETE FROM ${quote(table.name)} WHERE ${condition}`]
}

const pointing = (child: Dependant, table: AnyTable, condition: string) =>
  `${quote(child.field)} IN (SELECT ${quote(table.key)} FROM ${quote(table.name)} WHERE ${condition})`
