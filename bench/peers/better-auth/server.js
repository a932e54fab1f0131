// better-auth with email addresses and passwords on PostgreSQL, with its defaults for production. Requires DATABASE_URL, BETTER_AUTH_SECRET,
// BETTER_AUTH_URL, PORT and NODE_ENV=production.
import { createServer } from "node:http"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { toNodeHandler } from "better-auth/node"
import pg from "pg"

const options = {
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  // All requests come from one address.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // One join instead of two queries: off by default, but faster.
  advanced: { database: { joins: true } },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
createServer(toNodeHandler(betterAuth(options))).listen(Number(process.env.PORT), "127.0.0.1")
