import { readFileSync } from "node:fs"
import { BSON, MongoClient } from "mongodb"

interface Collection {
  readonly name: string
  readonly documents: ReadonlyArray<object>
  readonly indexes: ReadonlyArray<{ readonly key: Record<string, 1>; readonly name: string; readonly v?: number }>
}

/** All documents and indexes of a database as text. */
export const dump = async (url: string): Promise<string> => {
  await using client = new MongoClient(url)
  const collections = await client.db().collections()
  const dumped = collections.map(async (collection) => ({
    name: collection.collectionName,
    documents: await collection.find().sort({ _id: 1 }).toArray(),
    indexes: (await collection.listIndexes().toArray()).filter(({ name }) => name !== "_id_"),
  }))
  const all = (await Promise.all(dumped)).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return `${BSON.EJSON.stringify(all, undefined, 1, { relaxed: false })}\n`
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
