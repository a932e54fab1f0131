import { randomUUID } from "node:crypto"
import { beforeAll, expect, it } from "vitest"
import type { Server } from "../postgres-server.ts"
import { startPostgres } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

let server: Server
let program: Program

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

beforeAll(async () => {
  server = await startPostgres({ log_statement: "all" })
  atEnd(server.stop)
  program = await start({ store: { kind: "postgres", url: server.url } })
})

/** Writes a unique line to the server's log, to find this position later. */
const mark = async () => {
  const name = randomUUID()
  await sql(server.url, `SELECT '${name}'`)
  return name
}

/** The statements that the program sends to PostgreSQL during `work`, except the outbox's poll every few seconds. */
const statementsOf = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const begin = await mark()
  await work()
  const end = await mark()
  const [, between = ""] = server.log().split(begin)
  return between
    .slice(0, between.indexOf(end))
    .split("\n")
    .filter((line) => /LOG: {2}(statement|execute .*?):/.test(line))
    .slice(0, -1)
    .filter((line) => !/SELECT .* FROM "outbox"/.test(line))
}

it("GET /get-session with a valid cookie is one statement", async () => {
  const { cookie } = await program.call("/sign-up/email", credentials)
  for (let round = 0; round < 10; round++) {
    const statements = await statementsOf(async () => {
      const { status, body } = await program.call("/get-session", undefined, { cookie })
      expect([status, body.user?.email]).toEqual([200, credentials.email])
    })
    expect(statements).toHaveLength(1)
  }
})

it("POST /sign-in/email is two statements with the right password, and one without", async () => {
  await program.call("/sign-up/email", { ...credentials, email: "joan@example.com" })
  for (const [input, status, count] of [
    [{ email: "joan@example.com" }, 200, 2],
    [{ email: "joan@example.com", password: "another fine password" }, 401, 1],
    [{ email: "unknown@example.com" }, 401, 1],
  ] as const) {
    const statements = await statementsOf(async () => {
      expect((await program.call("/sign-in/email", { ...credentials, ...input })).status).toBe(status)
    })
    expect(statements).toHaveLength(count)
  }
})

it("counts those of signing up", async () => {
  const statements = await statementsOf(() => program.call("/sign-up/email", { ...credentials, email: "grace@example.com" }))
  console.log([`${statements.length} statements`, ...statements.map((line) => line.slice(line.indexOf("LOG:"), 160))].join("\n  "))
  expect(statements.length).toBeGreaterThan(0)
})
