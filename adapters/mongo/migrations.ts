import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { type Db, type Document, MongoServerError, ReadConcern } from "mongodb"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { type AnyTable, type ColumnKind, indexes } from "../../domain/ports/table.ts"
import { refusalOf, schemaVersion } from "../../domain/storage/schema-version.ts"
import { DatabaseRefused } from "../database-refused.ts"
import type { Change as PlannedChange } from "../kinds/store.ts"
import { Database } from "./database.ts"
import { duplicatePath, isRefused, isUnavailable } from "./faults.ts"
import { derivedFields, fields, revisionPath } from "./fields.ts"
import { missingRights } from "./rights.ts"

/** An index in the form that the driver expects. */
interface Index {
  readonly name: string
  readonly key: Readonly<Record<string, 1>>
  readonly unique?: true
  readonly partialFilterExpression?: Document
}

interface Change extends PlannedChange {
  readonly collection: string
  /** The index that it creates. */
  readonly index?: Index
  /** The name of the index that it drops, after others were created in its place. */
  readonly drops?: string
  /** Whether the database accepts more afterwards. Later code may have had a reason not to. */
  readonly isRelaxing?: boolean
}

/** The changes that the database needs, without making them. */
export const plan = (tables: ReadonlyArray<AnyTable>) =>
  withConnection(async (db): Promise<ReadonlyArray<PlannedChange>> => {
    const lacking = await missingRights(db, [...tables.map(({ name }) => name), versions])
    return lacking.length > 0 ? lacking : await changesOf(db, tables)
  })

/** The number of documents of each collection. */
export const counts = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((db) => Promise.all(tables.map(async ({ name }) => [name, await db.collection(name).countDocuments()] as const)))

/** Collections that Sallyport created and that no module declares any more, since the module is off or removed. */
export const unused = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection(async (db) => {
    const declared = new Set(tables.map(({ name }) => name))
    const others = (await db.listCollections({}, { nameOnly: true }).toArray()).filter(({ name }) => !declared.has(name))
    const ours = await Promise.all(others.map(({ name }) => db.collection(name).findOne({ [revisionPath]: { $type: "number" } })))
    return others.flatMap(({ name }, index) => (ours[index] === null ? [] : [name])).toSorted()
  })

/**
 * Creates what is missing and returns the commands. The server builds indexes beside reads and writes, and only once: other instances that
 * start at the same time wait for it. An index that is replaced is dropped when the new one is there.
 */
export const migrate = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection(async (db) => {
    const lacking = DatabaseRefused.among(await missingRights(db, [...tables.map(({ name }) => name), versions]))
    if (lacking !== undefined) throw lacking
    const changes = await changesOf(db, tables)
    const refused = DatabaseRefused.among(changes)
    if (refused !== undefined) throw refused
    for (const table of tables) await apply(db, changes, table)
    if (changes.some(({ collection }) => collection === versions)) await noteVersion(db)
    return changes.map(({ statement }) => statement)
  })

/** The collection whose one document has the schema version of the code that migrated the database last. */
const versions = "sallyport_schema"

interface Version {
  readonly _id: "schema"
  readonly version: number
  readonly oldest: number
}

/** Not in a snapshot, which fails while another instance creates the collection. */
const versionOf = async (db: Db): Promise<Pick<Version, "version" | "oldest">> =>
  (await db.collection<Version>(versions).findOne({ _id: "schema" }, { readConcern: new ReadConcern("local") })) ?? {
    version: 0,
    oldest: 0,
  }

/** Two instances may insert the document at once: the first has done it for both. */
const noteVersion = (db: Db) =>
  db
    .collection<Version>(versions)
    .updateOne({ _id: "schema" }, { $set: schemaVersion }, { upsert: true })
    .catch((error) => {
      if (!(error instanceof MongoServerError) || error.code !== 11000) throw error
    })

const versionChange: Change = {
  collection: versions,
  statement: `db.getCollection("${versions}").updateOne({_id: "schema"}, {$set: ${JSON.stringify(schemaVersion)}}, {upsert: true})`,
}

export const withConnection = <A>(use: (db: Db) => Promise<A>): Effect.Effect<A, DatabaseRefused | StoreUnavailable, Database> =>
  Effect.gen(function* () {
    const db = yield* (yield* Database).connect
    return yield* Effect.tryPromise({ try: () => use(db), catch: (error) => error })
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => {
      if (error instanceof DatabaseRefused || error instanceof StoreUnavailable) return Effect.fail(error)
      const isFinal = isRefused(error)
      return isFinal || isUnavailable(error) ? Effect.fail(new StoreUnavailable({ cause: error, isFinal })) : Effect.die(error)
    }),
  )

/** Fails if a collection of an application has the name of a table, or if the schema is one that this code must not use. */
const changesOf = async (db: Db, tables: ReadonlyArray<AnyTable>): Promise<ReadonlyArray<Change>> => {
  const version = await versionOf(db)
  const refusal = refusalOf(version)
  if (refusal !== undefined) throw DatabaseRefused.because(refusal)
  const changes = await tableChanges(db, tables)
  // Later code has made the schema: only what this code misses is added.
  if (version.version > schemaVersion.version)
    return changes.filter(({ refusal, isRelaxing = false }) => refusal === undefined && !isRelaxing)
  return version.version === schemaVersion.version ? changes : [...changes, versionChange]
}

const tableChanges = async (db: Db, tables: ReadonlyArray<AnyTable>): Promise<ReadonlyArray<Change>> => {
  const collections = await db.listCollections().toArray()
  const existing = new Map(collections.map((collection) => [collection.name, collection]))
  const foreign = (
    await Promise.all(tables.map(async ({ name }) => (existing.has(name) && !(await isOurs(db, name)) ? [name] : [])))
  ).flat()
  if (foreign.length > 0) throw DatabaseRefused.because(occupied(db, foreign))
  const changes = tables.map(async (table) => {
    const collection = existing.get(table.name)
    if (collection === undefined) return [created(table), ...declaredIndexes(table).map((index) => createdIndex(table, index))]
    if ("options" in collection && collection.options?.collation !== undefined) return [collated(table)]
    return indexChanges(table, await db.collection(table.name).listIndexes().toArray())
  })
  return (await Promise.all(changes)).flat()
}

/**
 * Whether a collection is empty or contains our documents. Looks at one document: an application has all of its own or none. Not in a
 * snapshot, which fails while another instance creates the collections.
 */
const isOurs = async (db: Db, name: string) => {
  const options = { projection: { [revisionPath]: 1 }, readConcern: new ReadConcern("local") }
  const document = await db.collection(name).findOne({}, options)
  return document === null || document[revisionPath] !== undefined
}

/** Indexes in a collection of an application, such as its own `user`, would damage the application. */
const occupied = ({ databaseName }: Db, names: ReadonlyArray<string>) => {
  const list = names.map((name) => JSON.stringify(name)).join(", ")
  const [collections, exist, are] = names.length === 1 ? ["Collection", "exists", "is"] : ["Collections", "exist", "are"]
  return `${collections} ${list} ${exist} in database ${JSON.stringify(databaseName)} and ${are} not Sallyport's; name another database in store.url`
}

/** Creates all indexes of a collection in one command, which also creates the collection; then drops those that they replace. */
const apply = async (db: Db, changes: ReadonlyArray<Change>, { name }: AnyTable): Promise<void> => {
  const mine = changes.filter(({ collection }) => collection === name)
  const due = mine.flatMap(({ index }) => (index === undefined ? [] : [index]))
  if (due.length === 0 && mine.some(({ index, drops }) => index === undefined && drops === undefined))
    await db.createCollection(name).catch(unlessThere)
  if (due.length > 0)
    await db
      .collection(name)
      .createIndexes([...due])
      .catch(unlessUnique(mine))
  for (const { drops } of mine) if (drops !== undefined) await db.collection(name).dropIndex(drops).catch(unlessGone)
}

/** Another instance dropped it. */
const unlessGone = (error: unknown) => {
  if (!(error instanceof MongoServerError) || error.codeName !== "IndexNotFound") throw error
}

const unlessThere = (error: unknown) => {
  if (!(error instanceof MongoServerError) || error.codeName !== "NamespaceExists") throw error
}

/** Existing documents may violate a new unique index. */
const unlessUnique = (changes: ReadonlyArray<Change>) => (error: unknown) => {
  const path = duplicatePath(error)
  const change = changes.find(({ index }) => index?.unique === true && Object.keys(index.key)[0] === path)
  if (change === undefined) throw error
  const reason = `Documents of ${change.collection} have equal values in a field that must be unique`
  throw DatabaseRefused.because(reason, change.statement)
}

/**
 * The indexes of a table. A non-unique index ends with the key, since lists are sorted by the key last. A unique index does not
 * contain documents with null in one of its fields; queries for null then need a second index.
 */
const declaredIndexes = (table: AnyTable): ReadonlyArray<Index> => {
  const all = new Map([...fields(table), ...derivedFields(table)].map((field) => [field.name, field]))
  return indexes(table).flatMap((index) => {
    const columns = index.fields.map((name) => all.get(name)!)
    const key: Record<string, 1> = Object.fromEntries(columns.map(({ path }) => [path, 1]))
    const plain: Index = { name: [...index.fields, "idx"].join("__"), key: { ...key, _id: 1 } }
    if (!index.unique) return [plain]
    const unique: Index = { name: [...index.fields, "key"].join("__"), key, unique: true }
    const nullable = columns.filter(({ nullable }) => nullable)
    if (nullable.length === 0) return [unique]
    const present = Object.fromEntries(nullable.map(({ path, kind }) => [path, { $gte: smallest[kind] }]))
    return [{ ...unique, partialFilterExpression: present }, plain]
  })
}

/** The smallest value of each kind of column. `$gte` with this value matches every value except null. */
const smallest: Readonly<Record<ColumnKind, unknown>> = {
  text: "",
  integer: Number.NEGATIVE_INFINITY,
  number: Number.NEGATIVE_INFINITY,
  boolean: false,
  timestamp: new Date(-8.64e15),
  json: {},
}

const shell = ({ name }: AnyTable) => `db.getCollection(${JSON.stringify(name)})`

const created = (table: AnyTable): Change => ({
  collection: table.name,
  newTable: table.name,
  statement: `db.createCollection(${JSON.stringify(table.name)})`,
})

const createdIndex = (table: AnyTable, index: Index): Change => {
  const { key, ...options } = index
  return { collection: table.name, index, statement: `${shell(table)}.createIndex(${inShell(key)}, ${inShell(options)})` }
}

const inShell = (value: unknown): string => {
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (typeof value !== "object" || value === null) return typeof value === "number" ? String(value) : JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${inShell(member)}`)
    .join(", ")}}`
}

const dropped = (table: AnyTable, name: string): Change => ({
  collection: table.name,
  statement: `${shell(table)}.dropIndex(${JSON.stringify(name)})`,
  drops: name,
  isRelaxing: true,
})

const collated = (table: AnyTable): Change => ({
  collection: table.name,
  statement: `${shell(table)}.renameCollection(${JSON.stringify(`${table.name}_before`)})`,
  refusal: `Collection ${table.name} has a collation, but text has to be compared byte by byte`,
})

/**
 * An index is recognised by what it does, so that one with other options can be built beside it, under a name of its own, before the old one
 * is dropped: a collection is never without it.
 */
const indexChanges = (table: AnyTable, existing: ReadonlyArray<Document>): ReadonlyArray<Change> => {
  const all = declaredIndexes(table)
  const missing = all.filter((index) => !existing.some(isSame(index)))
  const taken = new Set(existing.map(({ name }) => String(name)))
  const replaced = new Set(missing.map(({ name }) => name))
  // A unique index refuses documents. Other undeclared ones do no harm, and may be the operator's.
  const isStale = ({ name, unique }: Document) => (unique === true && /__key(__\d+)?$/.test(name)) || replaced.has(name)
  const stale = existing.filter((index) => isStale(index) && !all.some((declared) => isSame(declared)(index)))
  return [
    ...missing.map((index) => createdIndex(table, { ...index, name: freeName(index.name, taken) })),
    ...stale.map(({ name }) => dropped(table, String(name))),
  ]
}

const isSame =
  (index: Index) =>
  (existing: Document): boolean =>
    isDeepStrictEqual(Object.entries(existing["key"]), Object.entries(index.key)) &&
    (existing["unique"] ?? false) === (index.unique ?? false) &&
    isDeepStrictEqual(existing["partialFilterExpression"], index.partialFilterExpression) &&
    existing["sparse"] === undefined &&
    existing["expireAfterSeconds"] === undefined

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const names = [name, ...Array.from({ length: taken.size }, (_, count) => `${name}__${count + 2}`)]
  return names.find((each) => !taken.has(each)) ?? name
}
