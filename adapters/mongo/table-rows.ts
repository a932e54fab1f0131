import type { Db, Document, Filter } from "mongodb"
import type { Versioned } from "../../domain/ports/store.ts"
import { type AnyTable, completion, indexes, searchedOf } from "../../domain/ports/table.ts"
import { cachedDemand, demandOne, fault } from "../../domain/storage/query-checks.ts"
import { derivedFields, type Field, fields, revisionPath } from "./fields.ts"

export type Where = Readonly<Record<string, unknown>>
type Key = string | number | boolean | Date
export type Stored = Document & { readonly _id: Key }

/** Encodes and decodes the rows of one table as documents, and builds filters. */
export const make = (table: AnyTable, db: Db) => {
  const all = fields(table)
  const storedFields = [...all, ...derivedFields(table)]
  const byName = new Map(storedFields.map((field) => [field.name, field]))
  const key = byName.get(table.key)!
  const uniques = new Set(indexes(table).flatMap((index) => (index.unique && index.fields.length === 1 ? index.fields : [])))
  const demand = cachedDemand(table)
  const field = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw fault(table, `has no field ${name}`)
    return found
  }

  const shardFields = (table.shardKey ?? []).map(field)

  return {
    table,
    documents: db.collection<Stored>(table.name),
    key,
    field,
    decodeDocument: reader(all, completion(table)),
    /** The document of a row. */
    encodeRow: (row: Where, revision: number): Stored => {
      const document: Record<string, unknown> = {}
      const stored = storedFields.length === all.length ? row : { ...row, ...searchedOf(table, row) }
      for (const { name, path, encode } of storedFields) document[path] = encode(stored[name])
      return { ...document, _id: document["_id"] as Key, [revisionPath]: revision }
    },
    filter: (where: Where): Filter<Stored> => {
      const filter: Record<string, unknown> = {}
      for (const name in where) filter[field(name).path] = { $eq: field(name).encode(where[name]) }
      return filter
    },
    /** Finds one row. `known`: further fields of it, of which the filter contains the shard key. */
    byKey: (id: unknown, revision?: number, known: Where = {}): Filter<Stored> => {
      const filter: Filter<Stored> = { _id: { $eq: key.encode(id) as Key } }
      const located = shardFields.filter((field) => field !== key && known[field.name] !== undefined)
      const shard = Object.fromEntries(located.map(({ name, path, encode }) => [path, { $eq: encode(known[name]) }]))
      return { ...filter, ...shard, ...(revision === undefined ? {} : { [revisionPath]: { $eq: revision } }) }
    },
    /** The fields that a list in this order is sorted by. */
    sortedBy: (order: string): ReadonlyArray<Field> => (order === table.key || uniques.has(order) ? [field(order)] : [field(order), key]),
    /** Checks each kind of query once, since every request runs it. */
    demand,
    /** Demands that at most one row matches these fields. */
    demandOneRow: (where: Where) => demand("one", where, (names) => demandOne(table, names)),
  }
}
export type TableRows = ReturnType<typeof make>

const reader =
  (all: ReadonlyArray<Field>, complete: ReturnType<typeof completion>) =>
  (document: Document): Versioned<Record<string, unknown>> => {
    const row: Record<string, unknown> = {}
    for (const { name, path, decode } of all) row[name] = decode(document[path])
    complete?.(row)
    return { row, revision: Number(document[revisionPath]) }
  }
