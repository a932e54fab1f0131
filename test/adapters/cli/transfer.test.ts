import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { afterAll } from "vitest"
import { listIds, listRuns, runImport } from "../../../adapters/cli/transfer.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import type { ImportRun } from "../../../application/import/tables.ts"
import { additionKey, ImportRecords, ImportRuns, tables, userKey } from "../../../application/import/tables.ts"
import { none } from "../../../application/import/totals.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Module from "../../../application/service/module.ts"
import { HashFormats } from "../../../domain/ports/hash-formats.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { rows, signedUp, times, world } from "../../world.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-transfer-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const storage = Module.define({ name: "import", settings: Module.NoSettings, parts: () => ({ tables }) }).build({})
const formats = Layer.succeed(HashFormats, HashFormats.of({ formatOf: () => Option.none() }))
const place = () => Layer.merge(world([...modules, storage]), formats)

const printed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const console = { ...globalThis.console, log: (line: string) => void lines.push(line), error: () => {} }
    return Effect.map(Effect.provideService(effect, Console.Console, console), () => lines.join("\n").split("\n"))
  })

const runOf = Effect.fnUntraced(function* (index: number) {
  const now = yield* DateTime.now
  const run: ImportRun = {
    ...{ id: `run-${String(index).padStart(4, "0")}`, source: "auth0", fingerprint: "f", position: 0, refused_bytes: 0 },
    ...{ totals: none, created_at: now, updated_at: now, finished_at: null, undone_at: null },
  }
  return run
})

describe("import runs", () => {
  it.effect("prints the newest runs, the newest first", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* printed(listRuns), ["No run."])
      const runs = yield* Effect.forEach(times(1001, Number), runOf)
      yield* (yield* Store).commit(runs.map((run) => insert(ImportRuns, run)))
      const lines = yield* printed(listRuns)
      assert.lengthOf(lines, 1000)
      assert.strictEqual(lines[0], "run-1000  auth0  unfinished  0 created, 0 refused")
      assert.match(lines.at(-1) ?? "", /^run-0001 /)
    }).pipe(Effect.provide(place())),
  )
})

describe("import ids", () => {
  it.effect("prints the ids of the source as CSV, for records that created a user", () =>
    Effect.gen(function* () {
      const { user } = yield* signedUp("ada@example.com")
      const now = yield* DateTime.now
      const record = { run_id: "run", user_id: user.id, line: 1, rows: [], created_at: now }
      const ids = ["a:b", 'with ",', "user:", ""]
      const writes = ids.map((id) => insert(ImportRecords, { ...record, key: userKey("auth0", id), kind: "user" }))
      const addition = insert(ImportRecords, { ...record, key: additionKey("auth0", "a", "run", 7), kind: "addition" })
      yield* (yield* Store).commit([...writes, addition])
      const lines = yield* printed(listIds("run"))
      assert.strictEqual(lines[0], "source_id,user_id")
      assert.sameMembers(
        lines.slice(1),
        ["a:b", '"with "","', "user:", ""].map((id) => `${id},${user.id}`),
      )
    }).pipe(Effect.provide(place())),
  )
})

describe("import users", () => {
  it.effect("links the accounts of the configured providers", () =>
    Effect.gen(function* () {
      const provider = {
        preset: "idp_one",
        client_id: "ours",
        client_secret: "a secret of ours",
        redirect_uri: "http://localhost:3000/api/auth/oauth/callback",
        authorize_url: "https://idp.example/authorize",
        token_url: "https://idp.example/token",
        userinfo_url: "https://idp.example/userinfo",
      }
      const raw = { secret: "x".repeat(32), modules: { social: { providers: [provider] } } }
      const path = join(folder, "users.json")
      const identities = ["idp_one", "idp_two"].map((name) => ({ provider: name, user_id: "42" }))
      writeFileSync(path, JSON.stringify({ user_id: "1", email: "ada@example.com", email_verified: true, identities }))
      const none = Option.none()
      const request = { path, from: none, providers: {}, dry: false, force: false, resume: none, refused: none }
      const lines = yield* printed(runImport(request, false, yield* configurationOf(raw, optional)))
      assert.include(lines.join("\n"), "unknown_provider")
      assert.deepStrictEqual(
        (yield* rows(Accounts)).map(({ provider_id, account_id }) => [provider_id, account_id]),
        [["idp_one", "42"]],
      )
    }).pipe(Effect.provide(place())),
  )
})
