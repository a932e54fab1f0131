import { startPgBouncer } from "./pgbouncer.ts"
import { setup as startDatabase } from "./postgres-setup.ts"

/** PostgreSQL behind a PgBouncer that all files of a run share. Its URL is in POOLER_URL. */
export const setup = async () => {
  const stopDatabase = await startDatabase()
  const pooler = await startPgBouncer(process.env["DATABASE_URL"] ?? "")
  process.env["POOLER_URL"] = pooler.url
  return async () => {
    await pooler.stop()
    await stopDatabase()
  }
}
