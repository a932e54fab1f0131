import type { Collection, Db, Document, Filter } from "mongodb"
import type { Versioned } from "../../domain/ports/store.ts"
import { demandOne, fault, fieldsOf } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { indexes, searchedOf } from "../../domain/storage/table.ts"
import type { Field } from "./fields.ts"
import { fields, revisionPath, searchedFields } from "./fields.ts"

export type Where = Readonly<Record<string, unknown>>
type Key = string | number | boolean | Date
export type Stored = Document & { readonly _id: Key }

/** The rows of one table as documents, and the filters that lead to them. */
export interface TableRows {
  readonly table: AnyTable
  readonly documents: Collection<Stored>
  readonly key: Field
  readonly field: (name: string) => Field
  readonly held: (document: Document) => Versioned<Record<string, unknown>>
  /** A row as it is kept. */
  readonly encoded: (row: Where, revision: number) => Stored
  readonly filter: (where: Where) => Filter<Stored>
  readonly byKey: (key: unknown, revision?: number) => Filter<Stored>
  /** What a list in this order is sorted by. */
  readonly sortedBy: (order: string) => ReadonlyArray<Field>
  /** Judges each kind of question once: this is what every request waits for. */
  readonly demand: (verb: string, where: Where, judge: (fields: ReadonlyArray<string>) => void) => void
  /** Demands that these fields lead to one row at most. */
  readonly demandRow: (where: Where) => void
}

export const make = (table: AnyTable, db: Db): TableRows => {
  const all = fields(table)
  const kept = [...all, ...searchedFields(table)]
  const byName = new Map(kept.map((field) => [field.name, field]))
  const key = byName.get(table.key)!
  const uniques = new Set(indexes(table).flatMap((index) => (index.unique && index.fields.length === 1 ? index.fields : [])))
  const demand = judging(table)
  const field = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw fault(table, `has no field ${name}`)
    return found
  }

  return {
    table,
    documents: db.collection<Stored>(table.name),
    key,
    field,
    held: reader(all),
    encoded: (given, revision) => {
      const document: Record<string, unknown> = {}
      const row = kept.length === all.length ? given : { ...given, ...searchedOf(table, given) }
      for (const { name, path, encode } of kept) document[path] = encode(row[name])
      return { ...document, _id: document["_id"] as Key, [revisionPath]: revision }
    },
    filter: (where) => {
      const filter: Record<string, unknown> = {}
      for (const name in where) filter[field(name).path] = { $eq: field(name).encode(where[name]) }
      return filter
    },
    byKey: (id, revision) => {
      const _id = { $eq: key.encode(id) as Key }
      return revision === undefined ? { _id } : { _id, [revisionPath]: { $eq: revision } }
    },
    sortedBy: (order) => (order === table.key || uniques.has(order) ? [field(order)] : [field(order), key]),
    demand,
    demandRow: (where) => demand("one", where, (names) => demandOne(table, names)),
  }
}

const judging = (table: AnyTable): TableRows["demand"] => {
  const fit = new Set<string>()
  return (verb, where, judge) => {
    const names = fieldsOf(table, where)
    const kind = `${verb} ${names.join()}`
    if (fit.has(kind)) return
    judge(names)
    fit.add(kind)
  }
}

const reader =
  (all: ReadonlyArray<Field>): TableRows["held"] =>
  (document) => {
    const row: Record<string, unknown> = {}
    for (const { name, path, decode } of all) row[name] = decode(document[path])
    return { row, revision: Number(document[revisionPath]) }
  }
