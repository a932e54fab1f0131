import { quote, revisionColumn, whole } from "./columns.ts"
import type { TableRows } from "./table-rows.ts"
import { always } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

type Writes = Pick<TableSql, "lock" | "check" | "write" | "insertUnder">

/** The statements that add and replace one row, and those that hold one meanwhile. */
export const writes = ({ name, key, kept, encoded, text }: TableRows): Writes => {
  const written = kept.map((column) => quote(column.name)).join(", ")
  const insert = `INSERT INTO ${name} (${written}) VALUES (${kept.map((_, at) => `$${at + 1}`).join(", ")})`
  const conflict = `${insert} ON CONFLICT (${quote(key.name)}) DO`

  const put = () => {
    const others = kept.filter((column) => column !== key)
    const replaced = [...others.map((column) => quote(column.name)), revisionColumn].map((name) => `${name} = EXCLUDED.${name}`)
    return `${conflict} UPDATE SET ${replaced.join(", ")}`
  }
  const update = () => {
    const set = kept.flatMap((column, at) => (column === key ? [] : [`${quote(column.name)} = $${at + 1}`]))
    const held = `${quote(key.name)} = $${kept.indexOf(key) + 1} AND ${revisionColumn} = $${kept.length + 1}`
    return `UPDATE ${name} SET ${[...set, `${revisionColumn} = DEFAULT`].join(", ")} WHERE ${held}`
  }

  return {
    lock: (id) => ({
      text: text("lock", always, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 FOR UPDATE`),
      values: [key.encode(id)],
    }),
    check: (id, expected) => ({
      text: text("check", always, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 AND ${revisionColumn} = $2 FOR SHARE`),
      values: [key.encode(id), whole(expected)],
    }),
    write: (write) => {
      const row = encoded(write.row)
      if (write._tag === "insert") return { text: insert, values: row }
      if (write.expected === "absent") return { text: `${conflict} NOTHING`, values: row }
      if (write.expected === undefined) return { text: text("put", always, put), values: row }
      return { text: text("update", always, update), values: [...row, whole(write.expected)] }
    },
    insertUnder: (check, added) => ({
      text: text(`insert under ${check.text}`, always, () => {
        // A parameter in a SELECT list does not take the type of the column it goes to.
        const typed = kept.map(({ type }, at) => `$${check.values.length + at + 1}::${type}`)
        return `WITH held AS MATERIALIZED (${check.text}) INSERT INTO ${name} (${written}) SELECT ${typed.join(", ")} FROM held`
      }),
      values: [...check.values, ...encoded(added)],
    }),
  }
}
