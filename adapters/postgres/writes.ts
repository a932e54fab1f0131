import { int8, quote, revisionColumn } from "./columns.ts"
import { noDemand, type TableRows } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

type Writes = Pick<TableSql, "lock" | "check" | "write" | "insertUnder">

/** The statements that add, replace or lock one row. */
export const writes = ({ name, key, storedColumns, encodeRow, cachedText }: TableRows): Writes => {
  const written = storedColumns.map((column) => quote(column.name)).join(", ")
  const insert = `INSERT INTO ${name} (${written}) VALUES (${storedColumns.map((_, at) => `$${at + 1}`).join(", ")})`
  const conflict = `${insert} ON CONFLICT (${quote(key.name)}) DO`

  const put = () => {
    const others = storedColumns.filter((column) => column !== key)
    const replaced = [...others.map((column) => quote(column.name)), revisionColumn].map((name) => `${name} = EXCLUDED.${name}`)
    return `${conflict} UPDATE SET ${replaced.join(", ")}`
  }
  const update = () => {
    const set = storedColumns.flatMap((column, at) => (column === key ? [] : [`${quote(column.name)} = $${at + 1}`]))
    const condition = `${quote(key.name)} = $${storedColumns.indexOf(key) + 1} AND ${revisionColumn} = $${storedColumns.length + 1}`
    return `UPDATE ${name} SET ${[...set, `${revisionColumn} = DEFAULT`].join(", ")} WHERE ${condition}`
  }

  return {
    lock: (id) => ({
      text: cachedText("lock", noDemand, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 FOR UPDATE`),
      values: [key.encode(id)],
    }),
    check: (id, expected) => ({
      text: cachedText("check", noDemand, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 AND ${revisionColumn} = $2 FOR SHARE`),
      values: [key.encode(id), int8(expected)],
    }),
    write: (write) => {
      const row = encodeRow(write.row)
      if (write._tag === "insert") return { text: insert, values: row }
      if (write.expected === "absent") return { text: `${conflict} NOTHING`, values: row }
      if (write.expected === undefined) return { text: cachedText("put", noDemand, put), values: row }
      return { text: cachedText("update", noDemand, update), values: [...row, int8(write.expected)] }
    },
    insertUnder: (check, added) => ({
      text: cachedText(`insert under ${check.text}`, noDemand, () => {
        // In a SELECT list, a parameter does not get the type of the column that it is inserted into.
        const typed = storedColumns.map(({ type }, at) => `$${check.values.length + at + 1}::${type}`)
        return `WITH checked AS MATERIALIZED (${check.text}) INSERT INTO ${name} (${written}) SELECT ${typed.join(", ")} FROM checked`
      }),
      values: [...check.values, ...encodeRow(added)],
    }),
  }
}
