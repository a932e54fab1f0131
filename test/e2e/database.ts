import { randomUUID } from "node:crypto"
import { MongoClient } from "mongodb"
import { Client } from "pg"
import { startPgBouncer } from "../pgbouncer.ts"
import { startPostgres } from "../postgres-server.ts"
import { atEnd } from "./endings.ts"

/** Runs one statement and returns its rows. */
export const sql = async (url: string, statement: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Reads all rows of a table, in `schema` on PostgreSQL. */
export const rowsOf =
  ({ kind, url, schema = "public" }: { readonly kind: string; readonly url: string; readonly schema?: string }) =>
  async (table: string): Promise<ReadonlyArray<Readonly<Record<string, any>>>> => {
    if (kind !== "mongo") return await sql(url, `SELECT * FROM "${schema}"."${table}"`)
    await using client = new MongoClient(url)
    return (await client.db().collection(table).find().toArray()).map(({ _id, ...row }) => ({ id: _id, ...row }))
  }

/** An empty store that several processes can share, of the kind that `STORE` names: PostgreSQL by default. */
export const freshStore = async () => {
  const kind = process.env["STORE"]
  if (kind === "mongo") return { kind, url: await freshMongo() }
  const url = await freshDatabase()
  if (kind !== "pgbouncer") return { kind: "postgres", url }
  const pooler = await startPgBouncer(url)
  atEnd(pooler.stop)
  return { kind: "postgres", url: pooler.url, prepare: false, schema: "auth" }
}

const freshMongo = async (): Promise<string> => {
  const url = (process.env["MONGODB_URL"] ?? "").replace(
    /^(\w+(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/,
    `$1/sallyport_e2e_${randomUUID().replaceAll("-", "")}`,
  )
  atEnd(async () => {
    await using client = new MongoClient(url)
    await client.db().dropDatabase()
  })
  return url
}

let own: Promise<string> | undefined

const startOwn = async () => {
  const server = await startPostgres()
  atEnd(server.stop)
  return server.url
}

const server = async () => {
  const given = process.env.DATABASE_URL
  if (given !== undefined) return given
  own ??= startOwn()
  return own
}

/** An empty database on the server of DATABASE_URL, or on a server that this starts. It is dropped at the end of the test file. */
export const freshDatabase = async (): Promise<string> => {
  const at = await server()
  const name = `sallyport_e2e_${randomUUID().replaceAll("-", "")}`
  await sql(at, `CREATE DATABASE ${name}`)
  atEnd(() => sql(at, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  const url = new URL(at)
  url.pathname = name
  return url.href
}
