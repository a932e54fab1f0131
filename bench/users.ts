// Fills a database with users (default: 100,000) and reads GET /admin/users/list: the first and the thousandth page in turn, for each order,
// and searches for changing values. Prints p50 and p99, and how much longer the thousandth page takes: npx node bench/users.ts [users].
// BENCH_STORE as in README.md.

import { loadavg } from "node:os"
import { performance } from "node:perf_hooks"
import { sallyport } from "../index.ts"
import { startDatabases } from "./databases.ts"
import type { StoreKind } from "./options.ts"

const count = Number(process.argv[2] ?? 100_000)
const limit = 50
const far = Math.min(1000, Math.floor(count / limit))
const rounds = 300
const root = { email: "root@example.com", password: "a password of the benchmark" }

const databases = await startDatabases((process.env["BENCH_STORE"] ?? "postgres") as StoreKind)
const database = await databases.create("users")
const configuration = {
  secret: "a secret for the benchmark only, 32+ bytes",
  store: database.settings as { readonly kind: "postgres"; readonly url: string },
  mail: { kind: "none" },
  email_password: { enabled: true },
  rate_limit: { enabled: false },
  log: { level: "error" },
  modules: { admin: { admin_emails: [root.email], require_verified_email: false } },
} as const

/** Creates the tables, before they are filled. */
const empty = sallyport(configuration)
await empty.call.getSession({})
await empty.close()
await database.seed(0, count)

const { call, close } = sallyport(configuration)
const signedUp = await call.signUpEmail({ input: root })
const headers = { cookie: signedUp.headers.getSetCookie()[0]?.split(";")[0] ?? "" }

type Input = NonNullable<Parameters<typeof call.adminUsersList>[0]>["input"]

const quantile = (values: ReadonlyArray<number>, part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN
const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)
const shown = (values: ReadonlyArray<number>) => `p50 ${median(values).toFixed(2)} ms, p99 ${quantile(values, 0.99).toFixed(2)} ms`
const print = (text: string) => console.log(`${text} (load ${loadavg()[0]?.toFixed(1)})`)

const read = async (input: Input, cursor: string | null = null) => {
  const begun = performance.now()
  const { data, error } = await call.adminUsersList({ headers, input: { ...input, limit, ...(cursor === null ? {} : { cursor }) } })
  if (data === null) throw new Error(error?.code)
  return { found: data.users.length, next: data.next_cursor, millis: performance.now() - begun }
}

/** The cursor of the page with this number. */
const cursorOf = async (input: Input, page: number) => {
  let cursor: string | null = null
  for (let at = 1; at < page; at++) cursor = (await read(input, cursor)).next
  return cursor
}

/** Searches that find users, for a number below the number of users. */
const searches: Readonly<Record<string, (index: number) => Input>> = {
  address: (index) => ({ email: `person${index}@example.com` }),
  "address prefix": (index) => ({ email_prefix: `person${index}` }),
  "name prefix": (index) => ({ name_prefix: `Person ${index}` }),
  "address prefix and time": (index) => ({ email_prefix: `person${index}`, created_before: "2100-01-01T00:00:00Z" }),
  "address prefix, counted": (index) => ({ email_prefix: `person${index % 100}`, total: true }),
}

try {
  for (const input of [{ order: "newest" }, { order: "oldest" }, { order: "email" }, { email_prefix: "person" }] as const) {
    const cursor = await cursorOf(input, far)
    const [first, last]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      first.push((await read(input)).millis)
      last.push((await read(input, cursor)).millis)
    }
    const ratio = (median(last) / median(first)).toFixed(2)
    print(`${JSON.stringify(input)}: page 1 ${shown(first)}; page ${far} ${shown(last)}; ratio ${ratio}`)
  }
  for (const [name, inputOf] of Object.entries(searches)) {
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      const { found, millis } = await read(inputOf((round * 7919) % count))
      if (found === 0) throw new Error(`a search by ${name} finds no user`)
      times.push(millis)
    }
    print(`${name}: ${shown(times)}`)
  }
} finally {
  await close()
  await databases.stop()
}
