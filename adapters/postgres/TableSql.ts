import { Option } from "effect"
import type { Dependant, EachOptions, Held, ListOptions, Write } from "../../application/ports/Store.ts"
import { dependants, isStorable } from "../../application/ports/Store.ts"
import {
  demandIndex,
  demandOne,
  demandOrder,
  fault,
  fieldsOf,
  limitOf,
  listedBy,
  prefixRange,
} from "../../application/ports/StoreQuestion.ts"
import type { AnyTable } from "../../application/Table.ts"
import { searchedOf } from "../../application/Table.ts"
import type { SqlColumn } from "./columns.ts"
import { columns, indexName, quote, revisionColumn, searchedColumns, whole } from "./columns.ts"

type Where = Readonly<Record<string, unknown>>
type Values = ReadonlyArray<unknown>

/** A statement with its values. Texts are constant per table and shape of question, so each connection prepares them once. */
export interface Sql {
  readonly text: string
  readonly values: Values
}

/** The SQL of one table. Texts are made once and kept; a call only encodes its values. */
export interface TableSql {
  readonly table: AnyTable
  readonly columns: ReadonlyArray<SqlColumn>
  /** What a `SELECT` lists to be read by `held`. */
  readonly listed: (alias: string) => string
  readonly width: number
  readonly held: (values: Values, from?: number) => Held<Record<string, unknown>>
  /** The row at a place where a `LEFT JOIN` may have put nothing. */
  readonly joined: (values: Values, from: number) => Option.Option<Held<Record<string, unknown>>>
  readonly values: (where: Where) => Values
  readonly read: (where: Where) => Sql
  readonly follow: (where: Where, field: string, parent: TableSql) => Sql
  readonly readWith: (where: Where, other: TableSql, field: string, rest: Where) => Sql
  readonly list: (where: Where, options: ListOptions<any>) => Sql
  /** Each row stands behind the place, from 1, of the value that it is listed for. */
  readonly listEach: (field: string, values: ReadonlyArray<string>, options: EachOptions<any>) => Sql
  /** The last statement removes and returns the row; those before it remove what references it. */
  readonly take: (where: Where) => ReadonlyArray<Sql>
  readonly removeAll: (where: Where) => ReadonlyArray<Sql>
  readonly remove: (key: unknown, expected: number | undefined) => ReadonlyArray<Sql>
  readonly lock: (key: unknown) => Sql
  readonly check: (key: unknown, expected: number) => Sql
  readonly write: (write: Extract<Write, { readonly row: unknown }>) => Sql
  /** Adds a row if a check meets its row, in one statement; the check's lock lasts until the new row is there. */
  readonly insertUnder: (check: Sql, row: Where) => Sql
  readonly due: (now: Date, limit: number) => Sql
  readonly removeDue: (now: Date, limit: number) => Sql
  readonly removeKeys: (keys: Values, now: Date) => ReadonlyArray<Sql>
}

export const make = (tables: ReadonlyArray<AnyTable>, table: AnyTable): TableSql => {
  const all = columns(table)
  const kept = [...all, ...searchedColumns(table)]
  const byName = new Map(kept.map((column) => [column.name, column]))
  if (byName.has(revisionColumn)) throw fault(table, `the name ${revisionColumn} is taken`)
  const text = memo()
  const name = quote(table.name)
  const key = byName.get(table.key)!
  const names = all.map((column) => quote(column.name))
  const returned = [...names, revisionColumn].join(", ")
  const written = kept.map((column) => quote(column.name)).join(", ")
  const places = kept.map((_, at) => `$${at + 1}`).join(", ")
  const others = kept.filter((column) => column !== key)

  const column = (field: string) => {
    const found = byName.get(field)
    if (found === undefined) throw fault(table, `has no field ${field}`)
    return found
  }
  const values = (where: Where) => {
    const encoded: Array<unknown> = []
    for (const field of fieldsOf(table, where)) if (where[field] !== null) encoded.push(column(field).encode(where[field]))
    return encoded
  }
  const row = (given: Where) => {
    const row = kept.length === all.length ? given : { ...given, ...searchedOf(table, given) }
    return kept.map((column) => column.encode(row[column.name]))
  }
  const one = (where: Where) => () => demandOne(table, fieldsOf(table, where))
  const cascade = (condition: string, last: string) => removal(tables, table, condition, last)
  const expiry = quote(table.expires ?? "")
  const held = reader(all)

  return {
    table,
    columns: all,
    listed: (alias) => [...names.map((name) => `${alias}.${name}`), `${alias}.${revisionColumn}`].join(", "),
    width: all.length + 1,
    held,
    joined: (found, from) => (found[from + all.length] === null ? Option.none() : Option.some(held(found, from))),
    values,
    read: (where) => ({
      text: text(`read ${shape(where)}`, one(where), () => `SELECT ${returned} FROM ${name} WHERE ${condition(where)}`),
      values: values(where),
    }),
    follow: (where, field, parent) => ({
      text: text(`follow ${field} ${shape(where)}`, one(where), () => {
        const to = `${quote(parent.table.name)} r ON r.${quote(parent.table.key)} = t.${quote(field)}`
        return `SELECT ${listedOf(all, "t")}, ${parent.listed("r")} FROM ${name} t JOIN ${to} WHERE ${condition(where, "t.")}`
      }),
      values: values(where),
    }),
    readWith: (where, other, field, rest) => {
      const given = values(where)
      const demand = () => {
        one(where)()
        demandOne(other.table, [field, ...Object.keys(rest)])
      }
      const statement = text(`readWith ${other.table.name} ${field} ${shape(where)}, ${shape(rest)}`, demand, () => {
        const on = [`r.${quote(field)} = t.${quote(key.name)}`, ...conditions(rest, "r.", given.length)].join(" AND ")
        const to = `${quote(other.table.name)} r ON ${on}`
        return `SELECT ${listedOf(all, "t")}, ${other.listed("r")} FROM ${name} t LEFT JOIN ${to} WHERE ${condition(where, "t.")}`
      })
      return { text: statement, values: [...given, ...other.values(rest)] }
    },
    list: (where, { limit, order = table.key, descending = false, after, prefix }) => {
      const sorted = order === table.key ? [key] : [column(order), key]
      const given = values(where)
      const range = prefix === undefined ? [] : prefixRange(table, prefix).map(column(prefix.field).encode)
      given.push(...range)
      if (after !== undefined) for (const { name, encode } of sorted) given.push(encode(after[name]))
      const kind = `list ${order} ${descending} ${after !== undefined} ${prefix?.field} ${range.length} ${shape(where)}`
      const statement = text(
        kind,
        () => demandOrder(table, listedBy(table, where, prefix), order),
        () => {
          const first = given.length - (after === undefined ? 0 : sorted.length) + 1
          const begun = range.map((_, at) => `${quote(prefix!.field)} ${at === 0 ? ">=" : "<"} $${first - range.length + at}`)
          const bound = after === undefined ? [] : [page(sorted, descending, first)]
          const conditions = [...(Object.keys(where).length === 0 ? [] : [condition(where)]), ...begun, ...bound]
          const filter = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
          const by = sorted.map(({ name }) => `${quote(name)}${descending ? " DESC" : ""}`).join(", ")
          return `SELECT ${returned} FROM ${name}${filter} ORDER BY ${by} LIMIT $${given.length + 1}`
        },
      )
      return { text: statement, values: [...given, whole(limitOf(table, { limit }))] }
    },
    listEach: (field, of, { limit, order = table.key, descending = false, after, where = {} }) => {
      const sorted = order === table.key ? [key] : [column(order), key]
      const bounds = after === undefined ? [] : sorted.map(({ name, encode }) => encode(after[name]))
      const statement = text(
        `listEach ${field} ${order} ${descending} ${bounds.length} ${shape(where)}`,
        () => demandOrder(table, [field, ...fieldsOf(table, where)], order),
        () => {
          const own = [`${quote(field)} = v.value`, ...conditions(where, "", 2 + bounds.length)]
          const filter = [...own, ...(after === undefined ? [] : [page(sorted, descending, 3)])].join(" AND ")
          const by = (alias: string) => sorted.map(({ name }) => `${alias}${quote(name)}${descending ? " DESC" : ""}`).join(", ")
          const rows = `SELECT ${returned} FROM ${name} WHERE ${filter} ORDER BY ${by("")} LIMIT $2`
          const given = "unnest($1::text[]) WITH ORDINALITY AS v(value, place)"
          return `SELECT v.place, ${listedOf(all, "t")} FROM ${given} CROSS JOIN LATERAL (${rows}) t ORDER BY v.place, ${by("t.")}`
        },
      )
      // Text that cannot be stored is in no row, but keeps its place.
      return {
        text: statement,
        values: [of.map((value) => (isStorable(value) ? value : null)), whole(limitOf(table, { limit })), ...bounds, ...values(where)],
      }
    },
    take: (where) => {
      const given = values(where)
      const texts = text(`take ${shape(where)}`, one(where), () => cascade(condition(where), ` RETURNING ${returned}`))
      return texts.map((text) => ({ text, values: given }))
    },
    removeAll: (where) => {
      const given = values(where)
      const demand = () => demandIndex(table, fieldsOf(table, where))
      return text(`removeAll ${shape(where)}`, demand, () => cascade(condition(where), "")).map((text) => ({ text, values: given }))
    },
    remove: (id, expected) => {
      const given = expected === undefined ? [key.encode(id)] : [key.encode(id), whole(expected)]
      const held = `${quote(key.name)} = $1${expected === undefined ? "" : ` AND ${revisionColumn} = $2`}`
      return text(`remove ${given.length}`, always, () => cascade(held, "")).map((text) => ({ text, values: given }))
    },
    lock: (id) => ({
      text: text("lock", always, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 FOR UPDATE`),
      values: [key.encode(id)],
    }),
    check: (id, expected) => ({
      text: text("check", always, () => `SELECT 1 FROM ${name} WHERE ${quote(key.name)} = $1 AND ${revisionColumn} = $2 FOR SHARE`),
      values: [key.encode(id), whole(expected)],
    }),
    write: (write) => {
      const insert = `INSERT INTO ${name} (${written}) VALUES (${places})`
      if (write._tag === "insert") return { text: insert, values: row(write.row) }
      const conflict = `${insert} ON CONFLICT (${quote(key.name)}) DO`
      if (write.expected === "absent") return { text: `${conflict} NOTHING`, values: row(write.row) }
      if (write.expected === undefined) {
        const replaced = [...others.map(({ name }) => quote(name)), revisionColumn].map((name) => `${name} = EXCLUDED.${name}`)
        return { text: text("put", always, () => `${conflict} UPDATE SET ${replaced.join(", ")}`), values: row(write.row) }
      }
      const update = text("update", always, () => {
        const set = kept.flatMap((column, at) => (column === key ? [] : [`${quote(column.name)} = $${at + 1}`]))
        const held = `${quote(key.name)} = $${all.indexOf(key) + 1} AND ${revisionColumn} = $${kept.length + 1}`
        return `UPDATE ${name} SET ${[...set, `${revisionColumn} = DEFAULT`].join(", ")} WHERE ${held}`
      })
      return { text: update, values: [...row(write.row), whole(write.expected)] }
    },
    insertUnder: (check, added) => ({
      text: text(`insert under ${check.text}`, always, () => {
        // A parameter in a SELECT list does not take the type of the column it goes to.
        const typed = kept.map(({ type }, at) => `$${check.values.length + at + 1}::${type}`)
        return `WITH held AS MATERIALIZED (${check.text}) INSERT INTO ${name} (${written}) SELECT ${typed.join(", ")} FROM held`
      }),
      values: [...check.values, ...row(added)],
    }),
    due: (now, limit) => ({
      text: `SELECT ${quote(key.name)} FROM ${name} WHERE ${expiry} <= $1 ORDER BY ${expiry} LIMIT $2`,
      values: [now, whole(limit)],
    }),
    removeDue: (now, limit) => ({
      text: `DELETE FROM ${name} WHERE ${quote(key.name)} IN (SELECT ${quote(key.name)} FROM ${name} WHERE ${expiry} <= $1 ORDER BY ${expiry} LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [now, whole(limit)],
    }),
    removeKeys: (keys, now) =>
      text("removeKeys", always, () => cascade(`${quote(key.name)} = ANY($1) AND ${expiry} <= $2`, "")).map((text) => ({
        text,
        values: [keys, now],
      })),
  }
}

/** The row at a place in the driver's values, as a plain loop: this is what every request waits for. */
const reader = (columns: ReadonlyArray<SqlColumn>): TableSql["held"] => {
  const names = columns.map(({ name }) => name)
  const decoders = columns.map(({ decode }) => decode)
  return (values, from = 0) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      const value = values[from + at]
      const decode = decoders[at]
      row[names[at]!] = decode === undefined || value === null ? value : decode(value)
    }
    return { row, revision: Number(values[from + names.length]) }
  }
}

/** The first of the driver's rows, if there is any. */
export const firstHeld = (sql: TableSql, rows: ReadonlyArray<Values>) =>
  rows.length === 0 ? Option.none() : Option.some(sql.held(rows[0]!))

/** Makes each kind of text once, after the question has been found fit. */
const memo = () => {
  const made = new Map<string, unknown>()
  return <A>(kind: string, demand: () => void, build: () => A): A => {
    const known = made.get(kind)
    if (known !== undefined) return known as A
    demand()
    const text = build()
    made.set(kind, text)
    return text
  }
}

const always = () => {}

const shape = (where: Where) => {
  let fields = ""
  for (const field in where) fields += where[field] === null ? `${field}? ` : `${field} `
  return fields
}

const condition = (where: Where, prefix = "") => conditions(where, prefix, 0).join(" AND ")

/** One for each field; the values stand behind so many others. */
const conditions = (where: Where, prefix: string, others: number) => {
  let place = others
  return Object.keys(where).map((field) =>
    where[field] === null ? `${prefix}${quote(field)} IS NULL` : `${prefix}${quote(field)} = $${++place}`,
  )
}

const page = (sorted: ReadonlyArray<SqlColumn>, descending: boolean, from: number) => {
  const names = sorted.map(({ name }) => quote(name)).join(", ")
  const places = sorted.map((_, at) => `$${from + at}`).join(", ")
  return `(${names}) ${descending ? "<" : ">"} (${places})`
}

const listedOf = (columns: ReadonlyArray<SqlColumn>, alias: string) =>
  [...columns.map(({ name }) => `${alias}.${quote(name)}`), `${alias}.${revisionColumn}`].join(", ")

/**
 * Removes the rows under a condition, and before them what references them, deepest first. The rows are locked
 * at the start: a commit that adds a reference under a `check` is then either seen by the statements below or refused.
 */
const removal = (tables: ReadonlyArray<AnyTable>, table: AnyTable, condition: string, last: string): ReadonlyArray<string> => {
  const children = dependants(tables, table)
  const lock = children.length === 0 ? [] : [`SELECT 1 FROM ${quote(table.name)} WHERE ${condition} FOR UPDATE`]
  const below = children.flatMap((child) => removal(tables, child.table, pointing(child, table, condition), ""))
  return [...lock, ...below, `DELETE FROM ${quote(table.name)} WHERE ${condition}${last}`]
}

const pointing = (child: Dependant, table: AnyTable, condition: string) =>
  `${quote(child.field)} IN (SELECT ${quote(table.key)} FROM ${quote(table.name)} WHERE ${condition})`

/** Which field of which table a unique index holds, by the index's name. */
export const uniqueFields = (
  table: AnyTable,
  indexes: ReadonlyArray<{ readonly fields: ReadonlyArray<string>; readonly unique: boolean }>,
) => [
  [indexName(table, [], "pkey"), { table: table.name, field: table.key }] as const,
  ...indexes
    .filter(({ unique }) => unique)
    .map(({ fields }) => [indexName(table, fields, "key"), { table: table.name, field: fields[0]! }] as const),
]
