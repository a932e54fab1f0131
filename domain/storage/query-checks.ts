import { isStorable, type ListOptions } from "../ports/store.ts"
import { type AnyTable, columns, indexes, searchedColumns } from "../ports/table.ts"

// The checks that every store makes of a query. A query without an index then fails in its first test, instead of being slow once a table
// is large.

/** Throws unless at most one row can match these fields. */
export const demandOne = (table: AnyTable, fields: ReadonlyArray<string>): void => {
  if (!selectsOne(table, fields)) throw fault(table, `${named(fields)} is neither the key nor unique`)
}

/** Whether at most one row can have certain values in these fields. Several rows can have null in a unique field. */
export const selectsOne = (table: AnyTable, fields: ReadonlyArray<string>): boolean =>
  fields.includes(table.key) || indexes(table).some((index) => index.unique && index.fields.every((field) => fields.includes(field)))

/** Throws unless a query by these fields can use an index. */
export const demandIndex = (table: AnyTable, fields: ReadonlyArray<string>): void => {
  const hasIndex = fields.includes(table.key) || indexes(table).some((index) => fields.includes(index.fields[0]!))
  if (!hasIndex) throw fault(table, `no index begins with one of ${named(fields)}`)
}

/** Throws unless a list of these fields can be sorted by this one without reading the whole table. */
export const demandOrder = (table: AnyTable, fields: ReadonlyArray<string>, order: string): void => {
  const column = columns(table).find(({ name }) => name === order)
  if (column === undefined || column.nullable || column.kind === "json") throw fault(table, `cannot be sorted by ${order}`)
  if (fields.length > 0) demandIndex(table, fields)
  const hasIndex = order === table.key || indexes(table).some((index) => index.fields[0] === order)
  if (fields.length === 0 && !hasIndex) throw fault(table, `no index begins with ${order}`)
}

/** The fields by which a list selects its rows. */
export const indexFieldsOf = (
  table: AnyTable,
  where: Readonly<Record<string, unknown>>,
  prefix: Prefix | undefined,
): ReadonlyArray<string> => {
  const fields = fieldsOf(table, where)
  return prefix === undefined ? fields : [...fields, prefix.field]
}

type Prefix = NonNullable<ListOptions<AnyTable>["prefix"]>

/** Throws unless an index supports a search by a prefix of this field. */
export const demandPrefix = (table: AnyTable, { field, text }: Prefix): void => {
  if (text === "") throw fault(table, "the prefix is empty")
  const column = [...columns(table), ...searchedColumns(table)].find(({ name }) => name === field)
  if (column?.kind !== "text") throw fault(table, `${field} is not a text column`)
  const hasIndex = field === table.key || indexes(table).some((index) => index.fields[0] === field)
  if (!hasIndex) throw fault(table, `no index begins with ${field}`)
}

/** The range of texts with this prefix: from `from`, inclusive, to `to`, exclusive; without `to` if no text follows the range. */
export const prefixRange = (table: AnyTable, prefix: Prefix): readonly [from: string, to?: string] => {
  demandPrefix(table, prefix)
  const points = Array.from(prefix.text, (point) => point.codePointAt(0)!)
  while (points.at(-1) === lastPoint) points.pop()
  const last = points.pop()
  if (last === undefined) return [prefix.text]
  const next = last === beforeSurrogates ? afterSurrogates : last + 1
  return [prefix.text, String.fromCodePoint(...points, next)]
}
const lastPoint = 0x10_ffff
const beforeSurrogates = 0xd7ff
const afterSurrogates = 0xe000

/** The page size of a list; throws unless it is a whole number. */
export const limitOf = <T extends AnyTable>(table: T, { limit }: Pick<ListOptions<T>, "limit">): number => {
  if (!Number.isSafeInteger(limit) || limit < 0) throw fault(table, `a list cannot have ${limit} rows`)
  return limit
}

/** The fields of a condition. Throws on an undefined value, which would otherwise silently match every row. */
export const fieldsOf = (table: AnyTable, where: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const fields = Object.keys(where)
  for (const field of fields) if (where[field] === undefined) throw fault(table, `${field} is undefined`)
  return fields
}

/** Whether a row can match: text that cannot be stored is in no row. */
export const isStorableWhere = (where: Readonly<Record<string, unknown>>): boolean => {
  for (const field in where) {
    const value = where[field]
    if (typeof value === "string" && !isStorable(value)) return false
  }
  return true
}

/** Whether every text in a JSON value, however deep, can be stored. */
export const isStorableJson = (json: unknown): boolean => {
  if (typeof json === "string") return isStorable(json)
  if (typeof json !== "object" || json === null) return true
  return Object.entries(json).every(([name, value]) => isStorable(name) && isStorableJson(value))
}

/** Makes each check of a query once for the same verb and fields: every request would repeat it. */
export const cachedDemand = (table: AnyTable) => {
  const accepted = new Set<string>()
  return (verb: string, where: Readonly<Record<string, unknown>>, check: (fields: ReadonlyArray<string>) => void): void => {
    const fields = fieldsOf(table, where)
    const kind = `${verb} ${fields.join()}`
    if (accepted.has(kind)) return
    check(fields)
    accepted.add(kind)
  }
}

/** The error of a query without an index, or of an invalid one: a fault of the program. */
export const fault = (table: AnyTable, what: string): Error => new Error(`Store: table ${table.name}: ${what}`)

/** Calls `make` once for each table, and returns a lookup of the results. */
export const perTable = <A>(tables: ReadonlyArray<AnyTable>, make: (table: AnyTable) => A): ((table: AnyTable) => A) => {
  const made = new Map(tables.map((table) => [table.name, make(table)]))
  return (table) => {
    const found = made.get(table.name)
    if (found === undefined) throw fault(table, "is not declared")
    return found
  }
}

const named = (fields: ReadonlyArray<string>) => (fields.length === 0 ? "nothing" : fields.join(", "))
