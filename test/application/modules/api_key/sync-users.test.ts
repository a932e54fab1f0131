import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createClient } from "../../../../client/index.ts"
import { nodeHandler, sallyport } from "../../../../index.ts"
import { configured, cookieOf } from "../../../adapters/assembly/configured.ts"
import { freePort } from "../../../free-port.ts"

// The example examples/sync-users.ts, as a program that has only a key.

const port = await freePort()
const url = `http://localhost:${port}`
const root = "root@example.com"
const auth = sallyport({
  ...configured().configuration,
  public_url: url,
  trusted_proxies: ["127.0.0.0/8", "::1/128"],
  rate_limit: { client_requests: { limit: 15, window: 1 } },
  modules: { admin: { admin_emails: [root], exports: true }, api_key: {} },
})
const handler = nodeHandler(auth)
let refused = 0
const server = createServer((request, response) => {
  response.on("finish", () => {
    if (response.statusCode === 429) refused += 1
  })
  return handler(request, response)
})
const folder = mkdtempSync(join(tmpdir(), "sallyport-sync-"))
const file = join(folder, "users.jsonl")
const client = createClient({ baseUrl: url })
let key = ""
let asRoot: object = {}

beforeAll(async () => {
  await once(server.listen(port), "listening")
  const { response } = await client.signUp.email({ email: root, password: "correct horse battery staple" })
  asRoot = { headers: { cookie: cookieOf(response?.headers ?? new Headers()) } }
  const permissions = ["users:create", "users:suspend", "users:export"] as const
  const account = await client.admin.serviceAccounts.create({ name: "Sync", permissions }, asRoot)
  const made = await client.admin.apiKeys.create(
    { service_account_id: account.data?.service_account.id ?? "", name: "x", permissions },
    asRoot,
  )
  key = made.data?.key ?? ""
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await auth.close()
  rmSync(folder, { recursive: true })
})

const people = (left: ReadonlyArray<number>) =>
  Array.from({ length: 20 }, (_, at) => JSON.stringify({ email: `user${at}@example.com`, name: `User ${at}`, left: left.includes(at) }))

const printed = async (...args: ReadonlyArray<string>) => {
  const env = { ...process.env, SALLYPORT_URL: url, SALLYPORT_KEY: key }
  const program = join(import.meta.dirname, "../../../../examples/sync-users.ts")
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
  return stdout
}

const synced = async (lines: ReadonlyArray<string>) => {
  writeFileSync(file, lines.join("\n"))
  return JSON.parse(await printed(file))
}

it("creates missing users and bans those that left, changes nothing in a second run, and waits when its budget is used up", async () => {
  expect(await synced(people([]))).toEqual({ created: 20, banned: 0, unchanged: 0 })
  expect(await synced(people([3, 4]))).toEqual({ created: 0, banned: 2, unchanged: 18 })
  expect(await synced(people([3, 4]))).toEqual({ created: 0, banned: 0, unchanged: 20 })
  expect(refused).toBeGreaterThan(0)
  const { data } = await client.admin.users.list({ banned: true }, asRoot)
  expect(data?.users.map(({ email }) => email).toSorted()).toEqual(["user3@example.com", "user4@example.com"])
})

it("exports a user", async () => {
  const link = (await printed("--export", "user0@example.com")).trim()
  const body = await (await fetch(link)).json()
  expect(body).toMatchObject({ tables: { user: [{ email: "user0@example.com", name: "User 0" }] }, next_part: null })
  expect((await fetch(link)).status).toBe(400)
})
