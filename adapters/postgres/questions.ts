import { isStorable } from "../../domain/ports/store.ts"
import { demandOne, demandOrder, fieldsOf, limitOf, listedBy, prefixRange } from "../../domain/storage/store-question.ts"
import { quote, whole } from "./columns.ts"
import { beyond, condition, conditions, orderOf, shape } from "./conditions.ts"
import type { TableRows } from "./table-rows.ts"
import type { TableSql } from "./table-sql.ts"

export const read =
  ({ name, listed, values, text, one }: TableRows): TableSql["read"] =>
  (where) => ({
    text: text(`read ${shape(where)}`, one(where), () => `SELECT ${listed()} FROM ${name} WHERE ${condition(where)}`),
    values: values(where),
  })

export const readWithReferenced =
  ({ name, listed, values, text, one }: TableRows): TableSql["readWithReferenced"] =>
  (where, field, parent) => ({
    text: text(`follow ${field} ${shape(where)}`, one(where), () => {
      const to = `${parent.name} r ON r.${quote(parent.key.name)} = t.${quote(field)}`
      return `SELECT ${listed("t.")}, ${parent.listed("r.")} FROM ${name} t JOIN ${to} WHERE ${condition(where, "t.")}`
    }),
    values: values(where),
  })

export const readWithReferencing =
  ({ name, key, listed, values, text, one }: TableRows): TableSql["readWithReferencing"] =>
  (where, other, field, rest) => {
    const given = values(where)
    const demand = () => {
      one(where)()
      demandOne(other.table, [field, ...Object.keys(rest)])
    }
    const statement = text(`readWith ${other.table.name} ${field} ${shape(where)}, ${shape(rest)}`, demand, () => {
      const on = [`r.${quote(field)} = t.${quote(key.name)}`, ...conditions(rest, "r.", given.length)].join(" AND ")
      const to = `${other.name} r ON ${on}`
      return `SELECT ${listed("t.")}, ${other.listed("r.")} FROM ${name} t LEFT JOIN ${to} WHERE ${condition(where, "t.")}`
    })
    return { text: statement, values: [...given, ...other.values(rest)] }
  }

export const list =
  ({ table, name, key, column, listed, values, text }: TableRows): TableSql["list"] =>
  (where, { limit, order = table.key, descending = false, after, prefix }) => {
    const sorted = order === table.key ? [key] : [column(order), key]
    const given = values(where)
    const range = prefix === undefined ? [] : prefixRange(table, prefix).map(column(prefix.field).encode)
    const bounds = after === undefined ? [] : sorted.map(({ name, encode }) => encode(after[name]))
    const kind = `list ${order} ${descending} ${after !== undefined} ${prefix?.field} ${range.length} ${shape(where)}`
    const demand = () => demandOrder(table, listedBy(table, where, prefix), order)
    const statement = text(kind, demand, () => {
      const first = given.length + 1
      const begun = range.map((_, at) => `${quote(prefix!.field)} ${at === 0 ? ">=" : "<"} $${first + at}`)
      const rest = after === undefined ? [] : [beyond(sorted, descending, first + range.length)]
      const all = [...conditions(where, "", 0), ...begun, ...rest]
      const filter = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`
      const last = first + range.length + bounds.length
      return `SELECT ${listed()} FROM ${name}${filter} ORDER BY ${orderOf(sorted, descending)} LIMIT $${last}`
    })
    return { text: statement, values: [...given, ...range, ...bounds, whole(limitOf(table, { limit }))] }
  }

export const listForEach =
  ({ table, name, key, column, listed, values, text }: TableRows): TableSql["listForEach"] =>
  (field, of, { limit, order = table.key, descending = false, after, where = {} }) => {
    const sorted = order === table.key ? [key] : [column(order), key]
    const bounds = after === undefined ? [] : sorted.map(({ name, encode }) => encode(after[name]))
    const kind = `listEach ${field} ${order} ${descending} ${bounds.length} ${shape(where)}`
    const demand = () => demandOrder(table, [field, ...fieldsOf(table, where)], order)
    const statement = text(kind, demand, () => {
      const own = [`${quote(field)} = v.value`, ...conditions(where, "", 2 + bounds.length)]
      const filter = [...own, ...(after === undefined ? [] : [beyond(sorted, descending, 3)])].join(" AND ")
      const rows = `SELECT ${listed()} FROM ${name} WHERE ${filter} ORDER BY ${orderOf(sorted, descending)} LIMIT $2`
      const given = "unnest($1::text[]) WITH ORDINALITY AS v(value, place)"
      const by = `v.place, ${orderOf(sorted, descending, "t.")}`
      return `SELECT v.place, ${listed("t.")} FROM ${given} CROSS JOIN LATERAL (${rows}) t ORDER BY ${by}`
    })
    // Text that cannot be stored is in no row, but keeps its place.
    const storable = of.map((value) => (isStorable(value) ? value : null))
    return { text: statement, values: [storable, whole(limitOf(table, { limit })), ...bounds, ...values(where)] }
  }
