import { randomUUID } from "node:crypto"
import { MongoClient } from "mongodb"
import { startReplicaSet } from "./mongo-server.ts"

/** One server for all files of a run. On an existing server, the databases of the tests are dropped at the end. */
export const setup = async () => {
  const run = randomUUID().slice(0, 8)
  process.env["SALLYPORT_TEST_RUN"] = run
  const given = process.env["MONGODB_URL"]
  if (given !== undefined) return () => dropAll(given, `test_${run}_`)
  // No test kills this server, so no write has to wait for the journal.
  const { url, stop } = await startReplicaSet(1, "rs0", { writeConcernMajorityJournalDefault: false })
  process.env["MONGODB_URL"] = url
  return stop
}

const dropAll = async (url: string, prefix: string): Promise<void> => {
  await using client = new MongoClient(url)
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true })
  for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase()
}
