// better-auth verifies API keys in its process, 32 at a time. Arguments: how many, which it does twice since the first time compiles, and the
// number of keys. Writes the microseconds of processor time of each verification. Requires DATABASE_URL, BETTER_AUTH_SECRET, BETTER_AUTH_URL
// and NODE_ENV=production.
import { apiKey } from "@better-auth/api-key"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import pg from "pg"

const [verifications, count] = process.argv.slice(2).map(Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const options = {
  database: pool,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  advanced: { database: { joins: true } },
  // A budget that is never used up, as on the other side. By default, a key has 10 verifications a day.
  plugins: [apiKey({ rateLimit: { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000 } })],
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const { api } = betterAuth(options)
const email = `${process.pid}@example.com`
const { user } = await api.signUpEmail({ body: { email, password: "a password of the benchmark", name: "Ada" } })
const keys = []
while (keys.length < count) keys.push((await api.createApiKey({ body: { userId: user.id } })).key)

const microsOfEach = async () => {
  const before = process.cpuUsage()
  let begun = 0
  const lane = async () => {
    while (begun < verifications) {
      const { valid, error } = await api.verifyApiKey({ body: { key: keys[begun++ % count] } })
      if (!valid) throw new Error(JSON.stringify(error))
    }
  }
  await Promise.all(Array.from({ length: 32 }, lane))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / verifications
}

await microsOfEach()
console.log(await microsOfEach())
await pool.end()
