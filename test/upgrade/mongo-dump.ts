import { readFileSync, writeFileSync } from "node:fs"
import { BSON, MongoClient } from "mongodb"

// All documents and indexes of a database as text: node test/upgrade/mongo-dump.ts URL FILE

interface Collection {
  readonly name: string
  readonly documents: ReadonlyArray<object>
  readonly indexes: ReadonlyArray<{ readonly key: Record<string, 1>; readonly name: string; readonly v?: number }>
}

const dump = async (url: string): Promise<ReadonlyArray<Collection>> => {
  await using client = new MongoClient(url)
  const collections = await client.db().collections()
  const dumped = collections.map(async (collection) => ({
    name: collection.collectionName,
    documents: await collection.find().sort({ _id: 1 }).toArray(),
    indexes: (await collection.listIndexes().toArray()).filter(({ name }) => name !== "_id_"),
  }))
  return (await Promise.all(dumped)).toSorted((one, other) => (one.name < other.name ? -1 : 1)) as ReadonlyArray<Collection>
}

/** Puts a dump into an empty database. */
export const restore = async (url: string, file: string): Promise<void> => {
  await using client = new MongoClient(url)
  const collections: ReadonlyArray<Collection> = BSON.EJSON.parse(readFileSync(file, "utf8"))
  for (const { name, documents, indexes } of collections) {
    const collection = await client.db().createCollection(name)
    if (indexes.length > 0) await collection.createIndexes(indexes.map(({ v: _, ...index }) => index))
    if (documents.length > 0) await collection.insertMany([...documents])
  }
}

const [url, file] = process.argv.slice(2)
if (import.meta.main && url !== undefined && file !== undefined)
  writeFileSync(file, `${BSON.EJSON.stringify(await dump(url), undefined, 1, { relaxed: false })}\n`)
