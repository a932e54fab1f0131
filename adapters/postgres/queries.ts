import { isStorable } from "../../domain/ports/store.ts"
import { demandOne, demandOrder, fieldsOf, indexFieldsOf, limitOf, prefixRange } from "../../domain/storage/query-checks.ts"
import { int8, quote } from "./columns.ts"
import { afterCursor, condition, conditions, orderBy, shape } from "./conditions.ts"
import { noDemand, type TableRows } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

export const read =
  ({ name, selectList, conditionValues, cachedText, demandOneRow }: TableRows): TableSql["read"] =>
  (where) => ({
    text: cachedText(`read ${shape(where)}`, demandOneRow(where), () => `SELECT ${selectList()} FROM ${name} WHERE ${condition(where)}`),
    values: conditionValues(where),
  })

export const readWithReferenced =
  ({ name, selectList, conditionValues, cachedText, demandOneRow }: TableRows): TableSql["readWithReferenced"] =>
  (where, field, parent) => ({
    text: cachedText(`follow ${field} ${shape(where)}`, demandOneRow(where), () => {
      const to = `${parent.name} r ON r.${quote(parent.key.name)} = t.${quote(field)}`
      return `SELECT ${selectList("t.")}, ${parent.selectList("r.")} FROM ${name} t JOIN ${to} WHERE ${condition(where, "t.")}`
    }),
    values: conditionValues(where),
  })

/**
 * The values of the first parameter, as a table. Through the sub-query, PostgreSQL expects the same number of rows whatever the values are,
 * so that it keeps one plan. For a plain array it would make a plan for every statement, which takes longer than the statement itself.
 */
const listed = "unnest(ARRAY(SELECT unnest($1::text[])))"

export const uniqueRead =
  ({ name, selectList, uniqueField, cachedText }: TableRows): TableSql["uniqueRead"] =>
  (where) => {
    const unique = uniqueField(where)
    if (unique === undefined) return undefined
    return cachedText(`readEach ${unique.name}`, noDemand, () => ({
      text: eachOf(selectList("t."), `${name} t`, unique.name),
      column: unique.at,
    }))
  }

export const uniqueReadWithReferenced =
  ({ name, selectList, uniqueField, cachedText }: TableRows): TableSql["uniqueReadWithReferenced"] =>
  (where, field, parent) => {
    const unique = uniqueField(where)
    if (unique === undefined) return undefined
    return cachedText(`followEach ${field} ${unique.name}`, noDemand, () => {
      const to = `${parent.name} r ON r.${quote(parent.key.name)} = t.${quote(field)}`
      const text = eachOf(`${selectList("t.")}, ${parent.selectList("r.")}`, `${name} t JOIN ${to}`, unique.name)
      return { text, column: unique.at }
    })
  }

/** The row of each value, by an index: the limit keeps PostgreSQL from joining whole tables. */
const eachOf = (columns: string, from: string, field: string) =>
  `SELECT f.* FROM ${listed} AS v(value) CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE t.${quote(field)} = v.value LIMIT 1) f`

export const readWithReferencing =
  ({ name, key, selectList, conditionValues, cachedText, demandOneRow }: TableRows): TableSql["readWithReferencing"] =>
  (where, other, field, rest) => {
    const conditionParameters = conditionValues(where)
    const demand = () => {
      demandOneRow(where)()
      demandOne(other.table, [field, ...Object.keys(rest)])
    }
    const statement = cachedText(`readWith ${other.table.name} ${field} ${shape(where)}, ${shape(rest)}`, demand, () => {
      const on = [`r.${quote(field)} = t.${quote(key.name)}`, ...conditions(rest, "r.", conditionParameters.length)].join(" AND ")
      const to = `${other.name} r ON ${on}`
      return `SELECT ${selectList("t.")}, ${other.selectList("r.")} FROM ${name} t LEFT JOIN ${to} WHERE ${condition(where, "t.")}`
    })
    return { text: statement, values: [...conditionParameters, ...other.conditionValues(rest)] }
  }

export const list =
  ({ table, name, key, column, selectList, conditionValues, cachedText }: TableRows): TableSql["list"] =>
  (where, { limit, order = table.key, descending = false, after, prefix }) => {
    const sorted = order === table.key ? [key] : [column(order), key]
    const conditionParameters = conditionValues(where)
    const range = prefix === undefined ? [] : prefixRange(table, prefix).map(column(prefix.field).encode)
    const bounds = after === undefined ? [] : sorted.map(({ name, encode }) => encode(after[name]))
    const kind = `list ${order} ${descending} ${after !== undefined} ${prefix?.field} ${range.length} ${shape(where)}`
    const demand = () => demandOrder(table, indexFieldsOf(table, where, prefix), order)
    const statement = cachedText(kind, demand, () => {
      const first = conditionParameters.length + 1
      const prefixConditions = range.map((_, at) => `${quote(prefix!.field)} ${at === 0 ? ">=" : "<"} $${first + at}`)
      const cursorConditions = after === undefined ? [] : [afterCursor(sorted, descending, first + range.length)]
      const all = [...conditions(where, "", 0), ...prefixConditions, ...cursorConditions]
      const filter = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`
      const last = first + range.length + bounds.length
      return `SELECT ${selectList()} FROM ${name}${filter} ORDER BY ${orderBy(sorted, descending)} LIMIT $${last}`
    })
    return { text: statement, values: [...conditionParameters, ...range, ...bounds, int8(limitOf(table, { limit }))] }
  }

export const listForEach =
  ({ table, name, key, column, selectList, conditionValues, cachedText }: TableRows): TableSql["listForEach"] =>
  (field, of, { limit, order = table.key, descending = false, after, where = {} }) => {
    const sorted = order === table.key ? [key] : [column(order), key]
    const bounds = after === undefined ? [] : sorted.map(({ name, encode }) => encode(after[name]))
    const kind = `listEach ${field} ${order} ${descending} ${bounds.length} ${shape(where)}`
    const demand = () => demandOrder(table, [field, ...fieldsOf(table, where)], order)
    const statement = cachedText(kind, demand, () => {
      const own = [`${quote(field)} = v.value`, ...conditions(where, "", 2 + bounds.length)]
      const filter = [...own, ...(after === undefined ? [] : [afterCursor(sorted, descending, 3)])].join(" AND ")
      const rows = `SELECT ${selectList()} FROM ${name} WHERE ${filter} ORDER BY ${orderBy(sorted, descending)} LIMIT $2`
      const by = `v.place, ${orderBy(sorted, descending, "t.")}`
      return `SELECT v.place, ${selectList("t.")} FROM ${listed} WITH ORDINALITY AS v(value, place) CROSS JOIN LATERAL (${rows}) t ORDER BY ${by}`
    })
    // Text that cannot be stored matches no row; null keeps the positions of the other values.
    const storable = of.map((value) => (isStorable(value) ? value : null))
    return { text: statement, values: [storable, int8(limitOf(table, { limit })), ...bounds, ...conditionValues(where)] }
  }
