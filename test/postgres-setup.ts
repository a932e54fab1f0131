import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { startPostgres } from "./postgres-server.ts"

/** One database for all files of a run, dropped at the end: on the server of DATABASE_URL, or on a new one. */
export const setup = async () => {
  const given = process.env["DATABASE_URL"]
  if (given === undefined) {
    const { url, stop } = await startPostgres()
    process.env["DATABASE_URL"] = url
    return stop
  }
  const name = `sallyport_test_${randomUUID().replaceAll("-", "")}`
  await sql(given, `CREATE DATABASE ${name}`)
  const url = new URL(given)
  url.pathname = name
  process.env["DATABASE_URL"] = url.href
  return async () => {
    process.env["DATABASE_URL"] = given
    await sql(given, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

const sql = async (connectionString: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
