import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { MongoClient } from "mongodb"
import { Client } from "pg"
import { databasePath } from "../adapters/postgres/embedded.ts"
import { startReplicaSet } from "../test/mongo-server.ts"
import { startPostgres } from "../test/postgres-server.ts"
import type { StoreKind } from "./options.ts"
import { codeHashOf, seedStatements } from "./seed.ts"
import { putCodes as putMongoCodes, seed as seedMongo } from "./seed-mongo.ts"

/** A database of the benchmark's own. */
export interface Database {
  /** The setting `store` of the service. */
  readonly settings: { readonly kind: StoreKind; readonly url?: string; readonly directory?: string }
  /** Adds the users of these numbers (`to` excluded) with accounts and sessions. No server may use an embedded database meanwhile. */
  readonly seed: (from: number, to: number) => Promise<void>
  /** Makes a code valid for each of these addresses; undefined if only the server can write to the database. */
  readonly putCodes?: (emails: ReadonlyArray<string>) => Promise<void>
}

export interface Databases {
  readonly create: (name: string) => Promise<Database>
  /** Removes the databases, and ends the database server if it was started for them. */
  readonly stop: () => Promise<void>
}

const withClient = async <A>(connectionString: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const tomorrow = "now() + interval '1 day'"
const putCodes = (url: string) => (emails: ReadonlyArray<string>) =>
  withClient(url, async (client) => {
    await client.query(
      `INSERT INTO email_code (recipient, hash, attempts, expires_at)
       SELECT recipient, hash, 0, ${tomorrow} FROM unnest($1::text[], $2::text[]) AS code (recipient, hash)
       ON CONFLICT (recipient) DO UPDATE SET hash = excluded.hash, attempts = 0, expires_at = ${tomorrow}`,
      [emails, emails.map(codeHashOf)],
    )
  })

/** A variable of the environment, which the started servers do not get: it would replace the URL in their configuration. */
const taken = (name: string): string | undefined => {
  const value = process.env[name]
  delete process.env[name]
  return value
}

const postgres = async (): Promise<Databases> => {
  const given = taken("DATABASE_URL")
  const server = given === undefined ? await startPostgres({ fsync: "on", full_page_writes: "on" }) : { url: given, stop: () => {} }
  const names: Array<string> = []
  return {
    create: async (name) => {
      const own = `sallyport_bench_${process.pid}_${name}`
      await withClient(server.url, (client) => client.query(`CREATE DATABASE "${own}"`))
      names.push(own)
      const url = new URL(server.url)
      url.pathname = own
      return {
        settings: { kind: "postgres", url: url.href },
        seed: (from, to) =>
          withClient(url.href, async (client) => {
            for (const statement of await seedStatements(from, to)) await client.query(statement)
          }),
        putCodes: putCodes(url.href),
      }
    },
    stop: async () => {
      if (given !== undefined)
        for (const name of names) await withClient(given, (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`))
      server.stop()
    },
  }
}

const mongo = async (): Promise<Databases> => {
  const given = taken("MONGODB_URL")
  const server = given === undefined ? await startReplicaSet() : { url: given, stop: async () => {} }
  const urls: Array<string> = []
  return {
    create: async (name) => {
      const url = new URL(server.url)
      url.pathname = `sallyport_bench_${process.pid}_${name}`
      urls.push(url.href)
      return {
        settings: { kind: "mongo", url: url.href },
        seed: (from, to) => seedMongo(url.href, from, to),
        putCodes: (emails) => putMongoCodes(url.href, emails),
      }
    },
    stop: async () => {
      for (const url of given === undefined ? [] : urls) {
        await using client = new MongoClient(url)
        await client.db().dropDatabase()
      }
      await server.stop()
    },
  }
}

const embedded = async (): Promise<Databases> => {
  const folder = mkdtempSync("/tmp/sallyport-bench-embedded-")
  return {
    create: async (name) => {
      const directory = join(folder, name)
      return {
        settings: { kind: "embedded", directory },
        seed: async (from, to) => {
          const database = await PGlite.create(databasePath(directory))
          for (const statement of await seedStatements(from, to)) await database.exec(statement)
          await database.close()
        },
      }
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const kinds: Readonly<Record<StoreKind, () => Promise<Databases>>> = { postgres, mongo, embedded }

/** Starts the database server, unless `DATABASE_URL` or `MONGODB_URL` names one. */
export const startDatabases = (kind: StoreKind): Promise<Databases> => kinds[kind]()
