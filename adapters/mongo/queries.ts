import type { Document, Filter } from "mongodb"
import { demandOrder, indexFieldsOf, limitOf, prefixRange, selectsOne } from "../../domain/storage/query-checks.ts"
import { type Field, joinedPath } from "./fields.ts"
import type { Operation, TableDocuments } from "./table-documents.ts"
import type { Stored, TableRows, Where } from "./table-rows.ts"

export const read =
  ({ documents, filter, demandOneRow }: TableRows): TableDocuments["read"] =>
  (where) => {
    demandOneRow(where)
    const rowFilter = filter(where)
    return (limits) => documents.findOne(rowFilter, limits)
  }

export const readWithReferenced =
  (rows: TableRows): TableDocuments["readWithReferenced"] =>
  (where, name, parent) => {
    rows.demandOneRow(where)
    const lookup = { from: parent.name, localField: rows.field(name).path, foreignField: "_id", as: joinedPath }
    return first(rows, where, [{ $lookup: lookup }, { $unwind: `$${joinedPath}` }])
  }

export const readWithReferencing =
  (rows: TableRows): TableDocuments["readWithReferencing"] =>
  (where, other, name, rest) => {
    rows.demandOneRow(where)
    other.demandOneRow({ ...rest, [name]: "" })
    const pipeline = [{ $match: other.filter(rest) }]
    const lookup = { from: other.table.name, localField: "_id", foreignField: other.field(name).path, pipeline, as: joinedPath }
    return first(rows, where, [{ $lookup: lookup }])
  }

/** The first matching document, after these stages. */
const first = ({ documents, filter }: TableRows, where: Where, stages: ReadonlyArray<Document>): Operation<Document | undefined> => {
  const pipeline = [{ $match: filter(where) }, { $limit: 1 }, ...stages]
  return async (limits) => (await documents.aggregate(pipeline, limits).toArray())[0]
}

export const list =
  ({ table, documents, field, filter, sortedBy, demand }: TableRows): TableDocuments["list"] =>
  (where, { limit, order = table.key, descending = false, after, prefix }) => {
    const prefixConditions = prefix === undefined ? [] : [prefixFilter(prefixRange(table, prefix), field(prefix.field))]
    demand(`by ${order} ${prefix?.field}`, where, () => demandOrder(table, indexFieldsOf(table, where, prefix), order))
    const rowLimit = limitOf(table, { limit })
    const sorted = sortedBy(order)
    const conditions = [filter(where), ...prefixConditions, ...(after === undefined ? [] : [cursorFilter(sorted, descending, after)])]
    const sort = sortBy(sorted, descending)
    if (rowLimit === 0) return async () => []
    return (limits) => documents.find({ $and: conditions }, { ...limits, sort, limit: rowLimit, batchSize: rowLimit }).toArray()
  }

/** One read by index for each value: a value with many rows costs no more than its part of the result. */
export const listForEach =
  (rows: TableRows): TableDocuments["listForEach"] =>
  (name, values, { where = {}, ...options }) => {
    if (values.length === 1) return list(rows)({ ...where, [name]: values[0] }, options)
    const { table, documents, field, filter, sortedBy, demand } = rows
    const { limit, order = table.key, descending = false, after } = options
    demand(`by ${order}`, { ...where, [name]: "" }, (names) => demandOrder(table, names, order))
    const rowLimit = limitOf(table, { limit })
    if (rowLimit === 0 || values.length === 0) return async () => []
    const sorted = sortedBy(order)
    const conditions = [filter(where), ...(after === undefined ? [] : [cursorFilter(sorted, descending, after)])]
    const { path, encode } = field(name)
    const distinct = [...new Set(values)].map(encode)
    const known = Object.keys(where).filter((each) => where[each] !== null)
    if (selectsOne(table, [name, ...known])) {
      const found = { $and: [{ [path]: { $in: distinct } }, ...conditions] }
      return (limits) => documents.find(found, { ...limits, batchSize: distinct.length + 1 }).toArray()
    }
    const rowsOfValue = [{ $match: { $and: conditions } }, { $sort: sortBy(sorted, descending) }, { $limit: rowLimit }]
    const pipeline = [
      ...documentPerValue(distinct),
      { $lookup: { from: table.name, localField: valuePath, foreignField: path, pipeline: rowsOfValue, as: joinedPath } },
      { $unwind: `$${joinedPath}` },
      { $replaceRoot: { newRoot: `$${joinedPath}` } },
    ]
    const batchSize = rowLimit * distinct.length + 1
    return (limits) => documents.aggregate(pipeline, { ...limits, batchSize }).toArray()
  }

const valuePath = "value"

/**
 * Stages that make one document for each value, out of any document of the collection: an empty collection has no rows to find. The stage
 * `$documents` needs MongoDB 5.1.
 */
const documentPerValue = (values: ReadonlyArray<unknown>): ReadonlyArray<Document> => [
  { $limit: 1 },
  { $project: { _id: 0, [valuePath]: { $literal: values } } },
  { $unwind: `$${valuePath}` },
]

/** Matches rows after this one, compared by the first path and, where that is equal, by the second one. */
const cursorFilter = ([first, second]: ReadonlyArray<Field>, descending: boolean, after: Where): Filter<Stored> => {
  if (first === undefined) return {}
  const beyond = descending ? "$lt" : "$gt"
  const value = first.encode(after[first.name])
  if (second === undefined) return { [first.path]: { [beyond]: value } }
  const equal = { [first.path]: { $eq: value }, [second.path]: { [beyond]: second.encode(after[second.name]) } }
  return { $or: [{ [first.path]: { [beyond]: value } }, equal] }
}

const prefixFilter = (range: ReturnType<typeof prefixRange>, { path, encode }: Field): Filter<Stored> => {
  const [from, to] = range.map(encode)
  return { [path]: to === undefined ? { $gte: from } : { $gte: from, $lt: to } }
}

const sortBy = (sorted: ReadonlyArray<Field>, descending: boolean): Record<string, 1 | -1> =>
  Object.fromEntries(sorted.map(({ path }) => [path, descending ? -1 : 1]))
