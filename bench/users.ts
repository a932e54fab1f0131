// Fills a database with users (default: 100,000) and reads the second and the thousandth page of GET /admin/users/list, in turn. Prints
// how much longer the thousandth takes, for each order: npx node bench/users.ts [users]. BENCH_STORE as in README.md.

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

const median = (values: ReadonlyArray<number>) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

const read = async (input: Input, cursor: string | null) => {
  const begun = performance.now()
  const { data, error } = await call.adminUsersList({ headers, input: { ...input, limit, ...(cursor === null ? {} : { cursor }) } })
  if (data === null) throw new Error(error?.code)
  return { next: data.next_cursor, millis: performance.now() - begun }
}

/** The cursor of the page with this number. */
const cursorOf = async (input: Input, page: number) => {
  let cursor: string | null = null
  for (let at = 1; at < page; at++) cursor = (await read(input, cursor)).next
  return cursor
}

try {
  for (const input of [{ order: "newest" }, { order: "oldest" }, { order: "email" }, { email_prefix: "person" }] as const) {
    const [near, cursor] = [await cursorOf(input, 2), await cursorOf(input, far)]
    const [first, last]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      first.push((await read(input, near)).millis)
      last.push((await read(input, cursor)).millis)
    }
    const each = (values: ReadonlyArray<number>) => `${median(values).toFixed(2)} ms`
    const ratio = (median(last) / median(first)).toFixed(2)
    console.log(`${JSON.stringify(input)}: page 2 ${each(first)}, page ${far} ${each(last)}, ratio ${ratio}`)
  }
} finally {
  await close()
  await databases.stop()
}
