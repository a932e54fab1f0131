import { type Db, MongoServerError } from "mongodb"
import { Conflict, Taken } from "../../domain/ports/store.ts"
import { fault } from "../../domain/storage/query-checks.ts"
import type { Limits } from "./database.ts"
import { duplicatePath, KeyRace } from "./faults.ts"
import { checksPath, revisionPath } from "./fields.ts"
import type { Operation, Step, TableDocuments } from "./table-documents.ts"
import type { Stored, TableRows, Where } from "./table-rows.ts"

type Writes = Pick<TableDocuments, "check" | "lock" | "write">

/** The operations that add, replace, check or lock one row. */
export const writes = (rows: TableRows, db: Db): Writes => {
  const { table, documents, byKey, encodeRow } = rows
  const insert = makeInsert(rows, db)
  const put = makePut(rows)
  const { conflict, keyTaken, withPortErrors } = errorsOf(rows)
  const conflictUnlessMatched = async (count: Promise<number>) => {
    if ((await count) === 0) throw conflict()
  }
  const insertAbsent = (document: Stored) =>
    singleOperation(async (limits) => void (await withPortErrors(documents.insertOne(document, limits), conflict)))
  const update = (document: Stored, expected: number, before: Where | undefined) => {
    // A replacement that changes the shard key has to be found by the old one.
    const rowFilter = byKey(document._id, expected, before)
    // A later version can have written further fields, which a replacement would remove.
    const matched = async (limits: Limits) => (await documents.updateOne(rowFilter, { $set: document }, limits)).matchedCount
    return singleOperation((limits) => conflictUnlessMatched(withPortErrors(matched(limits), keyTaken)))
  }
  const countCheck = (id: unknown, expected?: number, before?: Where) => {
    const rowFilter = byKey(id, expected, before)
    return async (limits: Limits) => (await documents.updateOne(rowFilter, { $inc: { [checksPath]: 1 } }, limits)).matchedCount
  }

  return {
    // Without a write, two transactions could each check a row that the other one changes, and both would succeed.
    check: (id, expected, before) => {
      const matched = countCheck(id, expected, before)
      return singleOperation((limits) => conflictUnlessMatched(matched(limits)))
    },
    lock: (id, before) => {
      const matched = countCheck(id, undefined, before)
      return async (limits) => void (await matched(limits))
    },
    write: (write) => {
      if (typeof write.row !== "object") throw fault(table, "a row is missing")
      if (write._tag === "insert") return insert([encodeRow(write.row, firstRevision())])
      if (write.expected === undefined) return put(encodeRow(write.row, 0), write.row)
      if (write.expected === "absent") return insertAbsent(encodeRow(write.row, firstRevision()))
      return update(encodeRow(write.row, write.expected + 1), write.expected, write.before)
    },
  }
}

const singleOperation = (run: Operation<void>): Step => ({ isSingleOperation: true, run })

/** Inserts of one table. Several are sent as a plain command: the driver's `insertMany` does not report which index was violated. */
const makeInsert = (rows: TableRows, db: Db) => {
  const { table, documents } = rows
  const { keyTaken, withPortErrors } = errorsOf(rows)
  const insertMany = async (added: ReadonlyArray<Stored>, { maxTimeMS, ...session }: Limits) => {
    const { writeErrors = [] } = await db.command({ insert: table.name, documents: added, maxTimeMS }, session)
    if (writeErrors.length > 0) throw new MongoServerError(writeErrors[0])
  }
  const insert = (added: ReadonlyArray<Stored>): Step => {
    const [only, ...others] = added
    const run = (limits: Limits): Promise<unknown> => (others.length === 0 ? documents.insertOne(only!, limits) : insertMany(added, limits))
    return {
      isSingleOperation: others.length === 0,
      inserts: { documents: added, combine: insert },
      run: async (limits) => void (await withPortErrors(run(limits), keyTaken)),
    }
  }
  return insert
}

/** The server increments the revision, since the row was not read. */
const makePut = (rows: TableRows) => {
  const { withPortErrors } = errorsOf(rows)
  return (document: Stored, row: Where): Step => {
    // An upsert has to contain the shard key.
    const rowFilter = rows.byKey(row[rows.table.key], undefined, row)
    const next = { [revisionPath]: { $add: [{ $ifNull: [`$${revisionPath}`, firstRevision()] }, 1] } }
    const replacement = [{ $replaceWith: { $mergeObjects: ["$$ROOT", { $literal: document }, next] } }]
    const upsert = (limits: Limits) =>
      withPortErrors(rows.documents.updateOne(rowFilter, replacement, { ...limits, upsert: true }), (cause) => new KeyRace({ cause }))
    return singleOperation(async (limits) => {
      await upsert(limits).catch((error) => {
        if (!(error instanceof KeyRace) || limits.session !== undefined) throw error
        return upsert(limits)
      })
    })
  }
}

const errorsOf = ({ table }: TableRows) => ({
  conflict: () => new Conflict({ table: table.name }),
  keyTaken: () => new Taken({ table: table.name, field: table.key }),
  /** Runs the write and maps its error to `Taken` or `Conflict`. */
  withPortErrors: async <A>(operation: Promise<A>, onKey: (error: unknown) => unknown): Promise<A> => {
    try {
      return await operation
    } catch (error) {
      const path = duplicatePath(error)
      if (path === undefined) throw error
      throw path === "_id" ? onKey(error) : new Taken({ table: table.name, field: path })
    }
  },
})

/**
 * The first revision of a new row. It is random, so that a row which is removed and added again does not get a revision that a concurrent
 * caller has read. It is below 2⁵², so that it can be incremented.
 */
const firstRevision = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high % 2 ** 20) * 2 ** 32 + low
}
