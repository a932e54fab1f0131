import type { Collection, Db, Document, Filter } from "mongodb"
import { MongoServerError } from "mongodb"
import type { EachOptions, Held, ListOptions, Write } from "../../application/ports/Store.ts"
import { Conflict, dependants, Taken } from "../../application/ports/Store.ts"
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
import { indexes, searchedOf } from "../../application/Table.ts"
import type { Limits } from "./Database.ts"
import { duplicatePath, KeyRace } from "./faults.ts"
import type { Field } from "./fields.ts"
import { checksPath, fields, followedPath, placePath, revisionPath, searchedFields } from "./fields.ts"

type Where = Readonly<Record<string, unknown>>
type Key = string | number | boolean | Date
type Stored = Document & { readonly _id: Key }

/** Something for the database to do; values are encoded, so that nothing it refuses can come up halfway. */
export type Operation<A> = (limits: Limits) => Promise<A>

/** A part of a commit. Throws `Taken` or `Conflict`. */
export interface Step {
  /** Whether one operation does it, so that it needs no transaction. */
  readonly isOne: boolean
  readonly run: Operation<void>
  /** The document of an insert: those of one table that follow one another travel together. */
  readonly inserts?: { readonly into: TableDocuments; readonly documents: ReadonlyArray<Stored> }
}

/** The operations of one table. Making one checks and encodes what it was given. */
export interface TableDocuments {
  readonly table: AnyTable
  readonly held: (document: Document) => Held<Record<string, unknown>>
  readonly read: (where: Where) => Operation<Document | null>
  /** The followed document stands in the first one. */
  readonly follow: (where: Where, field: string, parent: AnyTable) => Operation<Document | undefined>
  /** The other table's documents, one or none, stand in the first one. */
  readonly readWith: (where: Where, other: TableDocuments, field: string, rest: Where) => Operation<Document | undefined>
  /** The stage that looks for the document whose field holds the key of the one at hand. */
  readonly lookup: (field: string, rest: Where) => Document
  readonly list: (where: Where, options: ListOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly listEach: (name: string, values: ReadonlyArray<string>, options: EachOptions<any>) => Operation<ReadonlyArray<Document>>
  readonly take: (where: Where) => Operation<Document | null>
  readonly removeAll: (where: Where) => Step
  readonly remove: (key: unknown, expected: number | undefined) => Step
  readonly check: (key: unknown, expected: number) => Step
  /** Keeps everybody else from writing the row until the transaction is over. */
  readonly hold: (key: unknown) => Operation<void>
  readonly write: (write: Extract<Write, { readonly row: unknown }>) => Step
  readonly insertAll: (documents: ReadonlyArray<Stored>) => Step
  readonly sweep: (now: Date, limit: number) => Operation<number>
  /** Whether other tables hold keys of this one. */
  readonly hasDependants: boolean
}

export const make = (tables: ReadonlyArray<AnyTable>, table: AnyTable, db: Db): TableDocuments => {
  const all = fields(table)
  const kept = [...all, ...searchedFields(table)]
  const byName = new Map(kept.map((field) => [field.name, field]))
  const documents = db.collection<Stored>(table.name)
  const cascade = removal(db, tables, table)
  const key = byName.get(table.key)!
  const uniques = new Set(indexes(table).flatMap((index) => (index.unique && index.fields.length === 1 ? index.fields : [])))

  /** A kind of question is judged once: this is what every request waits for. */
  const fit = new Set<string>()
  const demand = (verb: string, where: Where, judge: (fields: ReadonlyArray<string>) => void) => {
    const names = fieldsOf(table, where)
    const kind = `${verb} ${names.join()}`
    if (fit.has(kind)) return
    judge(names)
    fit.add(kind)
  }
  const demandRow = (where: Where) => demand("one", where, (names) => demandOne(table, names))

  const field = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw fault(table, `has no field ${name}`)
    return found
  }
  const sortedBy = (order: string) => (order === table.key || uniques.has(order) ? [field(order)] : [field(order), key])
  const filter = (where: Where): Filter<Stored> => {
    const filter: Record<string, unknown> = {}
    for (const name in where) filter[field(name).path] = { $eq: field(name).encode(where[name]) }
    return filter
  }
  const byKey = (id: unknown, revision?: number): Filter<Stored> => {
    const _id = { $eq: key.encode(id) as Key }
    return revision === undefined ? { _id } : { _id, [revisionPath]: { $eq: revision } }
  }
  const documentOf = (given: Where, revision: number): Stored => {
    const document: Record<string, unknown> = {}
    const row = kept.length === all.length ? given : { ...given, ...searchedOf(table, given) }
    for (const { name, path, encode } of kept) document[path] = encode(row[name])
    return { ...document, _id: document["_id"] as Key, [revisionPath]: revision }
  }

  const conflict = () => new Conflict({ table: table.name })
  /** Writes, and says in the words of the port what was in the way. */
  const written = async <A>(operation: Promise<A>, onKey: (error: unknown) => unknown): Promise<A> => {
    try {
      return await operation
    } catch (error) {
      const path = duplicatePath(error)
      if (path === undefined) throw error
      throw path === "_id" ? onKey(error) : new Taken({ table: table.name, field: path })
    }
  }
  const keyTaken = () => new Taken({ table: table.name, field: table.key })
  const one = (run: Operation<void>): Step => ({ isOne: true, run })
  const met = async (count: Promise<number>) => {
    if ((await count) === 0) throw conflict()
  }

  const insert = (row: Stored): Step => ({
    isOne: true,
    inserts: { into: self, documents: [row] },
    run: async (limits) => void (await written(documents.insertOne(row, limits), keyTaken)),
  })
  /** As a bare command, since the driver's own way for several keeps to itself which index was in the way. */
  const insertAll = (rows: ReadonlyArray<Stored>): Step => ({
    isOne: false,
    inserts: { into: self, documents: rows },
    run: async ({ maxTimeMS, ...session }) => {
      const sent = async () => {
        const { writeErrors = [] } = await db.command({ insert: table.name, documents: rows, maxTimeMS }, session)
        if (writeErrors.length > 0) throw new MongoServerError(writeErrors[0])
      }
      await written(sent(), keyTaken)
    },
  })
  const insertAbsent = (document: Stored) => one(async (limits) => void (await written(documents.insertOne(document, limits), conflict)))
  const update = (document: Stored, expected: number) => {
    const held = byKey(document._id, expected)
    const matched = async (limits: Limits) => (await documents.replaceOne(held, document, limits)).matchedCount
    return one((limits) => met(written(matched(limits), keyTaken)))
  }
  /** The server adds to the revision it finds, since nobody here has read it. */
  const put = (document: Stored) => {
    const start = revision()
    const next = { [revisionPath]: { $add: [{ $ifNull: [`$${revisionPath}`, start] }, 1] } }
    const replacement = [{ $replaceWith: { $mergeObjects: [{ $literal: document }, next] } }]
    const upsert = (limits: Limits) =>
      written(
        documents.updateOne({ _id: { $eq: document._id } }, replacement, { ...limits, upsert: true }),
        (cause) => new KeyRace({ cause }),
      )
    return one(async (limits) => {
      await upsert(limits).catch((error) => {
        if (!(error instanceof KeyRace) || limits.session !== undefined) throw error
        return upsert(limits)
      })
    })
  }

  const self: TableDocuments = {
    table,
    hasDependants: dependants(tables, table).length > 0,
    held: reader(all),
    read: (where) => {
      demandRow(where)
      const given = filter(where)
      return (limits) => documents.findOne(given, limits)
    },
    follow: (where, name, parent) => {
      demandRow(where)
      const lookup = { from: parent.name, localField: field(name).path, foreignField: "_id", as: followedPath }
      const pipeline = [{ $match: filter(where) }, { $limit: 1 }, { $lookup: lookup }, { $unwind: `$${followedPath}` }]
      return async (limits) => (await documents.aggregate(pipeline, limits).toArray())[0]
    },
    readWith: (where, other, name, rest) => {
      demandRow(where)
      const pipeline = [{ $match: filter(where) }, { $limit: 1 }, other.lookup(name, rest)]
      return async (limits) => (await documents.aggregate(pipeline, limits).toArray())[0]
    },
    lookup: (name, rest) => {
      demandRow({ ...rest, [name]: "" })
      const pipeline = [{ $match: filter(rest) }]
      return { $lookup: { from: table.name, localField: "_id", foreignField: field(name).path, pipeline, as: followedPath } }
    },
    list: (where, { limit, order = table.key, descending = false, after, prefix }) => {
      const begun = prefix === undefined ? [] : [beginning(prefixRange(table, prefix), field(prefix.field))]
      demand(`by ${order} ${prefix?.field}`, where, () => demandOrder(table, listedBy(table, where, prefix), order))
      const most = limitOf(table, { limit })
      const sorted = sortedBy(order)
      const conditions = [filter(where), ...begun, ...(after === undefined ? [] : [page(sorted, descending, after)])]
      const sort = direction(sorted, descending)
      if (most === 0) return async () => []
      return (limits) => documents.find({ $and: conditions }, { ...limits, sort, limit: most, batchSize: most }).toArray()
    },
    listEach: (name, values, { where = {}, ...options }) => {
      // A list alone is read no further than its end; several are cut only after all of them are read.
      if (values.length === 1) return self.list({ ...where, [name]: values[0] }, options)
      const { limit, order = table.key, descending = false, after } = options
      demand(`by ${order}`, { ...where, [name]: "" }, (names) => demandOrder(table, names, order))
      const most = limitOf(table, { limit })
      const sorted = sortedBy(order)
      const { path, encode } = field(name)
      const listed = { [path]: { $in: values.map(encode) } }
      const conditions = [listed, filter(where), ...(after === undefined ? [] : [page(sorted, descending, after)])]
      const place = { $sum: 1, window: { documents: ["unbounded", "current"] } }
      const window = { partitionBy: `$${path}`, sortBy: direction(sorted, descending), output: { [placePath]: place } }
      const first = [{ $match: { [placePath]: { $lte: most } } }, { $sort: { [placePath]: 1 } }]
      const pipeline = [{ $match: { $and: conditions } }, { $setWindowFields: window }, ...first]
      const batchSize = most * values.length + 1
      return (limits) => documents.aggregate(pipeline, { ...limits, batchSize }).toArray()
    },
    take: (where) => {
      demandRow(where)
      const given = filter(where)
      return async (limits) => {
        const document = await documents.findOneAndDelete(given, limits)
        if (document !== null) await cascade([document._id], limits)
        return document
      }
    },
    removeAll: (where) => {
      demand("all", where, (names) => demandIndex(table, names))
      const given = filter(where)
      return { isOne: false, run: async (limits) => void (await removeMatching(db, tables, table, given, limits)) }
    },
    remove: (id, expected) => {
      const held = byKey(id, expected)
      return {
        isOne: !self.hasDependants,
        run: async (limits) => {
          const { deletedCount } = await documents.deleteOne(held, limits)
          if (deletedCount > 0) return cascade([key.encode(id)], limits)
          if (expected !== undefined) throw conflict()
        },
      }
    },
    check: (id, expected) => {
      const held = byKey(id, expected)
      // Without a write, two transactions could each rely on a row that the other one changes.
      const matched = async (limits: Limits) => (await documents.updateOne(held, { $inc: { [checksPath]: 1 } }, limits)).matchedCount
      return one((limits) => met(matched(limits)))
    },
    hold: (id) => {
      const held = byKey(id)
      return async (limits) => void (await documents.updateOne(held, { $inc: { [checksPath]: 1 } }, limits))
    },
    write: (write) => {
      if (typeof write.row !== "object") throw fault(table, "a row is missing")
      if (write._tag === "insert") return insert(documentOf(write.row, revision()))
      if (write.expected === undefined) return put(documentOf(write.row, 0))
      if (write.expected === "absent") return insertAbsent(documentOf(write.row, revision()))
      return update(documentOf(write.row, write.expected + 1), write.expected)
    },
    insertAll,
    sweep: (now, limit) => {
      const expires = field(table.expires!).path
      const due = { [expires]: { $lte: now } }
      return async (limits) => {
        const found = await documents
          .find(due, { ...limits, sort: { [expires]: 1 }, limit, batchSize: limit, projection: { _id: 1 } })
          .toArray()
        if (found.length === 0) return 0
        return removeMatching(db, tables, table, { ...due, _id: { $in: found.map(({ _id }) => _id) } }, limits)
      }
    },
  }
  return self
}

const reader =
  (all: ReadonlyArray<Field>): TableDocuments["held"] =>
  (document) => {
    const row: Record<string, unknown> = {}
    for (const { name, path, decode } of all) row[name] = decode(document[path])
    return { row, revision: Number(document[revisionPath]) }
  }

/** Rows after this one: by the first path, and by the second one where the first is the same. */
const page = ([first, second]: ReadonlyArray<Field>, descending: boolean, after: Where): Filter<Stored> => {
  if (first === undefined) return {}
  const beyond = descending ? "$lt" : "$gt"
  const value = first.encode(after[first.name])
  if (second === undefined) return { [first.path]: { [beyond]: value } }
  const equal = { [first.path]: { $eq: value }, [second.path]: { [beyond]: second.encode(after[second.name]) } }
  return { $or: [{ [first.path]: { [beyond]: value } }, equal] }
}

const beginning = (range: ReturnType<typeof prefixRange>, { path, encode }: Field): Filter<Stored> => {
  const [from, to] = range.map(encode)
  return { [path]: to === undefined ? { $gte: from } : { $gte: from, $lt: to } }
}

const direction = (sorted: ReadonlyArray<Field>, descending: boolean): Record<string, 1 | -1> =>
  Object.fromEntries(sorted.map(({ path }) => [path, descending ? -1 : 1]))

/** Removes what references rows of these keys, and so on down. */
const removal = (db: Db, tables: ReadonlyArray<AnyTable>, table: AnyTable) => async (keys: ReadonlyArray<unknown>, limits: Limits) => {
  for (const child of dependants(tables, table)) {
    const path = child.field === child.table.key ? "_id" : child.field
    await removeMatching(db, tables, child.table, { [path]: { $in: [...keys] } }, limits)
  }
}

const removeMatching = async (
  db: Db,
  tables: ReadonlyArray<AnyTable>,
  table: AnyTable,
  filter: Filter<Stored>,
  limits: Limits,
): Promise<number> => {
  const documents: Collection<Stored> = db.collection(table.name)
  if (dependants(tables, table).length === 0) return (await documents.deleteMany(filter, limits)).deletedCount
  const found = await documents.find(filter, { ...limits, projection: { _id: 1 } }).toArray()
  const keys = found.map(({ _id }) => _id)
  if (keys.length === 0) return 0
  const { deletedCount } = await documents.deleteMany({ _id: { $in: keys } }, limits)
  await removal(db, tables, table)(keys, limits)
  return deletedCount
}

/**
 * Where the revisions of a new row begin. Out of 2⁵² places, so that a row which is removed and
 * added anew does not come to a number that somebody still holds, and with room to grow.
 */
const revision = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high % 2 ** 20) * 2 ** 32 + low
}
