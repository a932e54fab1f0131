// The processor time in which Sallyport and better-auth verify API keys in their process: npx node bench/api-keys.ts [verifications]. Both
// count a budget and use PostgreSQL; the processor time of the database is not counted. 32 verifications run at a time, of 256 keys: the reads
// of one key in one turn of the event loop would be joined. The turns of both sides alternate.

import { execFileSync } from "node:child_process"
import { loadavg } from "node:os"
import { sallyport } from "../index.ts"
import { startDatabases } from "./databases.ts"
import { install, package_ } from "./peers/better-auth.ts"

const verifications = Number(process.argv[2] ?? 10_000)
/** The limit of a service account is 20 keys. */
const [accounts, keysOfEach] = [16, 16] as const
const turns = 5
const secret = "a secret for the benchmark only, 32+ bytes"

install()
const databases = await startDatabases("postgres")
const [own, other] = [await databases.create("own_keys"), await databases.create("other_keys")]
const auth = sallyport({
  secret,
  store: own.settings as { readonly kind: "postgres"; readonly url: string },
  mail: { kind: "none" },
  rate_limit: { enabled: false },
  log: { level: "error" },
  modules: { admin: {}, api_key: { per_minute: 1_000_000 } },
})
const { call } = auth
const actor = "benchmark"
const done = <A>({ data, error }: { readonly data: A | null; readonly error: { readonly code: string } | null }): A => {
  if (data === null) throw new Error(error?.code)
  return data
}

const makeKeys = async () => {
  const keys: Array<string> = []
  for (let account = 0; account < accounts; account++) {
    const given = { name: `benchmark ${account}`, permissions: ["users:read" as const] }
    const { service_account } = done(await call.adminServiceAccountsCreate({ input: given, actor }))
    const input = { ...given, service_account_id: service_account.id }
    for (let count = 0; count < keysOfEach; count++) keys.push(done(await call.adminApiKeysCreate({ input, actor })).key)
  }
  return keys
}

/** The processor time of a verification, in microseconds. */
const ours = async (keys: ReadonlyArray<string>): Promise<number> => {
  const before = process.cpuUsage()
  let begun = 0
  const lane = async () => {
    while (begun < verifications) {
      const key = keys[begun++ % keys.length] ?? ""
      const { valid } = done(await call.apiKeyVerify({ input: { key }, actor }))
      if (!valid) throw new Error("the key is not valid")
    }
  }
  await Promise.all(Array.from({ length: 32 }, lane))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / verifications
}

const environment = { BETTER_AUTH_SECRET: secret, BETTER_AUTH_URL: "http://localhost:3000", NODE_ENV: "production" }
const theirs = (): number => {
  const env = { ...process.env, ...environment, DATABASE_URL: other.settings.url }
  return Number(
    execFileSync(process.execPath, [`${package_}/api-keys.js`, String(verifications), String(accounts * keysOfEach)], {
      env,
      encoding: "utf8",
    }),
  )
}

const median = (values: ReadonlyArray<number>) => values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)] ?? Number.NaN

try {
  const keys = await makeKeys()
  await ours(keys)
  const results: Array<readonly [number, number]> = []
  for (let turn = 0; turn < turns; turn++) {
    const result = [await ours(keys), theirs()] as const
    results.push(result)
    console.log(`${result.map((micros) => `${micros.toFixed(0)} µs`).join(", better-auth ")}; load ${loadavg()[0]?.toFixed(1)}`)
  }
  const ratios = results.map(([first, second]) => second / first)
  const lowest = Math.min(...ratios).toFixed(1)
  console.log(`keys per second of processor time, beside better-auth: ${median(ratios).toFixed(1)} times as many (lowest ${lowest})`)
} finally {
  await auth.close()
  await databases.stop()
}
