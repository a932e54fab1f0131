import type { Collection, Db, Filter } from "mongodb"
import { Conflict, dependants } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandIndex } from "../../domain/storage/query-checks.ts"
import type { Limits } from "./database.ts"
import type { TableDocuments } from "./table-documents.ts"
import type { Stored, TableRows } from "./table-rows.ts"

type Removals = Pick<TableDocuments, "take" | "removeAll" | "remove" | "detach" | "removeEach" | "sweep" | "hasDependants">

/** The operations that remove rows together with the rows that reference them. */
export const removals = (rows: TableRows, tables: ReadonlyArray<AnyTable>, db: Db): Removals => {
  const { table, documents, key, field, filter, byKey, demand, demandOneRow } = rows
  const { removeMatching, removeDependants } = cascades(tables, db)
  const hasDependants = dependants(tables, table).length > 0

  return {
    hasDependants,
    take: (where) => {
      demandOneRow(where)
      const rowFilter = filter(where)
      return async (limits) => {
        const document = await documents.findOneAndDelete(rowFilter, limits)
        if (document !== null) await removeDependants(table, [document._id], limits)
        return document
      }
    },
    removeAll: (where) => {
      demand("all", where, (names) => demandIndex(table, names))
      const rowFilter = filter(where)
      return { isSingleOperation: false, run: async (limits) => void (await removeMatching(table, rowFilter, limits)) }
    },
    remove: (id, expected, before) => {
      const rowFilter = byKey(id, expected, before)
      return {
        isSingleOperation: !hasDependants,
        run: async (limits) => {
          const { deletedCount } = await documents.deleteOne(rowFilter, limits)
          if (deletedCount > 0) return removeDependants(table, [key.encode(id)], limits)
          if (expected !== undefined) throw new Conflict({ table: table.name })
        },
      }
    },
    detach: (id, expected, before) => {
      const rowFilter = byKey(id, expected, before)
      return {
        isSingleOperation: true,
        run: async (limits) => {
          const { deletedCount } = await documents.deleteOne(rowFilter, limits)
          if (deletedCount === 0) throw new Conflict({ table: table.name })
        },
      }
    },
    removeEach: (keys) => {
      const rowFilter = { _id: { $in: keys.map(key.encode) } } as Filter<Stored>
      return { isSingleOperation: !hasDependants, run: async (limits) => void (await removeMatching(table, rowFilter, limits)) }
    },
    sweep: (now, limit) => {
      const expires = field(table.expires!).path
      const due = { [expires]: { $lte: now } }
      return async (limits) => {
        const matching = await documents
          .find(due, { ...limits, sort: { [expires]: 1 }, limit, batchSize: limit, projection: { _id: 1 } })
          .toArray()
        if (matching.length === 0) return 0
        return removeMatching(table, { ...due, _id: { $in: matching.map(({ _id }) => _id) } }, limits)
      }
    },
  }
}

/** Removes rows with the rows that reference them, recursively. */
const cascades = (tables: ReadonlyArray<AnyTable>, db: Db) => {
  const removeMatching = async (table: AnyTable, filter: Filter<Stored>, limits: Limits): Promise<number> => {
    const documents: Collection<Stored> = db.collection(table.name)
    if (dependants(tables, table).length === 0) return (await documents.deleteMany(filter, limits)).deletedCount
    const matching = await documents.find(filter, { ...limits, projection: { _id: 1 } }).toArray()
    const keys = matching.map(({ _id }) => _id)
    if (keys.length === 0) return 0
    const { deletedCount } = await documents.deleteMany({ _id: { $in: keys } }, limits)
    await removeDependants(table, keys, limits)
    return deletedCount
  }
  const removeDependants = async (table: AnyTable, keys: ReadonlyArray<unknown>, limits: Limits) => {
    for (const child of dependants(tables, table)) {
      const path = child.field === child.table.key ? "_id" : child.field
      await removeMatching(child.table, { [path]: { $in: [...keys] } }, limits)
    }
  }
  return { removeMatching, removeDependants }
}
