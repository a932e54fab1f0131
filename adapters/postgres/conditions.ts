import { quote, type SqlColumn } from "./columns.ts"
import type { Where } from "./table-rows.ts"

/** The part of a condition that determines its SQL text: the compared fields, and which of them are compared with null. */
export const shape = (where: Where) => {
  let fields = ""
  for (const field in where) fields += where[field] === null ? `${field}? ` : `${field} `
  return fields
}

export const condition = (where: Where, prefix = "") => conditions(where, prefix, 0).join(" AND ")

/** One condition for each field. Their parameters follow `preceding` other parameters. */
export const conditions = (where: Where, prefix: string, preceding: number) => {
  let parameter = preceding
  return Object.keys(where).map((field) =>
    where[field] === null ? `${prefix}${quote(field)} IS NULL` : `${prefix}${quote(field)} = $${++parameter}`,
  )
}

/** The condition for rows after a cursor; the cursor's values are the parameters from `firstParameter` on. */
export const afterCursor = (sorted: ReadonlyArray<SqlColumn>, descending: boolean, firstParameter: number) => {
  const names = sorted.map(({ name }) => quote(name)).join(", ")
  const parameters = sorted.map((_, at) => `$${firstParameter + at}`).join(", ")
  return `(${names}) ${descending ? "<" : ">"} (${parameters})`
}

/** The ORDER BY list. */
export const orderBy = (sorted: ReadonlyArray<SqlColumn>, descending: boolean, prefix = "") =>
  sorted.map(({ name }) => `${prefix}${quote(name)}${descending ? " DESC" : ""}`).join(", ")
