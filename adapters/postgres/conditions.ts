import type { SqlColumn } from "./columns.ts"
import { quote } from "./columns.ts"
import type { Where } from "./table-rows.ts"

/** Which fields a condition compares, and which of them with null: what its text depends on. */
export const shape = (where: Where) => {
  let fields = ""
  for (const field in where) fields += where[field] === null ? `${field}? ` : `${field} `
  return fields
}

export const condition = (where: Where, prefix = "") => conditions(where, prefix, 0).join(" AND ")

/** One for each field; the values stand behind so many others. */
export const conditions = (where: Where, prefix: string, others: number) => {
  let place = others
  return Object.keys(where).map((field) =>
    where[field] === null ? `${prefix}${quote(field)} IS NULL` : `${prefix}${quote(field)} = $${++place}`,
  )
}

/** Rows that come after the values from this place on. */
export const beyond = (sorted: ReadonlyArray<SqlColumn>, descending: boolean, from: number) => {
  const names = sorted.map(({ name }) => quote(name)).join(", ")
  const places = sorted.map((_, at) => `$${from + at}`).join(", ")
  return `(${names}) ${descending ? "<" : ">"} (${places})`
}

/** What a list is sorted by. */
export const orderOf = (sorted: ReadonlyArray<SqlColumn>, descending: boolean, prefix = "") =>
  sorted.map(({ name }) => `${prefix}${quote(name)}${descending ? " DESC" : ""}`).join(", ")
