// The processor time of verifying an API key and of a permission check, and how long a job bans users: node bench/administration.ts [users].
// BENCH_STORE as in README.md.

import { performance } from "node:perf_hooks"
import { sallyport } from "../index.ts"
import { startDatabases } from "./databases.ts"
import type { StoreKind } from "./options.ts"

const count = Number(process.argv[2] ?? 10_000)
const rounds = 3000

const databases = await startDatabases((process.env["BENCH_STORE"] ?? "postgres") as StoreKind)
const database = await databases.create("administration")
const auth = sallyport({
  secret: "a secret for the benchmark only, 32+ bytes",
  store: database.settings as { readonly kind: "postgres"; readonly url: string },
  mail: { kind: "none" },
  rate_limit: { enabled: false },
  log: { level: "error" },
  modules: { admin: { roles: {}, jobs: true, suspension: true }, api_key: { per_minute: 1_000_000 } },
})
const { call } = auth
const actor = "benchmark"
const done = <A>({ data, error }: { readonly data: A | null; readonly error: { readonly code: string } | null }): A => {
  if (data === null) throw new Error(error?.code)
  return data
}

const keyWith = async (permission: "api_keys:verify" | "users:read") => {
  const given = { name: permission, permissions: [permission] }
  const { service_account } = done(await call.adminServiceAccountsCreate({ input: given, actor }))
  return done(await call.adminApiKeysCreate({ input: { ...given, service_account_id: service_account.id }, actor })).key
}

/** The processor time of one call, in microseconds. */
const measured = async (work: () => Promise<unknown>) => {
  for (let round = 0; round < rounds / 3; round++) await work()
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / rounds
}

try {
  const [verifier, key] = [await keyWith("api_keys:verify"), await keyWith("users:read")]
  const headers = { "x-api-key": verifier }
  const me = async (sent: string) => done(await call.adminMe({ headers: { "x-api-key": sent } }))
  console.log(
    `verify, with the key of its caller: ${(await measured(async () => done(await call.apiKeyVerify({ headers, input: { key } })))).toFixed(0)} µs`,
  )
  console.log(`GET /admin/me with a key: ${(await measured(() => me(key))).toFixed(0)} µs`)

  await database.seed(0, count)
  const begun = performance.now()
  const { job } = done(
    await call.adminJobsCreate({ input: { operation: "ban", filter: { email_prefix: "person" }, input: { reason: "benchmark" } }, actor }),
  )
  const ended = new Set(["succeeded", "failed", "cancelled"])
  for (;;) {
    const { job: now } = done(await call.adminJobsShow({ input: { job_id: job.id }, actor }))
    if (ended.has(now.state)) {
      console.log(`${count} users, ${now.state}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
} finally {
  await auth.close()
  await databases.stop()
}
