import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Option, Stream } from "effect"
import { afterAll } from "vitest"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import type { Destination, Listener, Request } from "../../../adapters/import/import-users.ts"
import { importUsers } from "../../../adapters/import/import-users.ts"
import { findingsOf } from "../../../adapters/import/report.ts"
import { exported } from "../../../application/import/export.ts"
import { ImportRecords, ImportRuns, tables } from "../../../application/import/tables.ts"
import { undo } from "../../../application/import/undo.ts"
import { AdminMetadatas } from "../../../application/modules/admin/users.ts"
import { TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import { Usernames } from "../../../application/modules/username/index.ts"
import * as Module from "../../../application/service/module.ts"
import { HashFormats } from "../../../domain/ports/hash-formats.ts"
import { insert, put, Store } from "../../../domain/ports/store.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { storedUser } from "../../stored-user.ts"
import { browser, endpoints, password, rows, world } from "../../world.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-import-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

const storage = Module.define({ name: "import", settings: Module.NoSettings, parts: () => ({ tables }) }).build({})
/** The hashes of the world's hasher. */
const formats = Layer.succeed(
  HashFormats,
  HashFormats.of({ formatOf: (hash) => (hash.startsWith("hash$") ? Option.some("bcrypt") : Option.none()) }),
)
const place = () => Layer.mergeAll(world([...modules, storage]), formats, commandPolicies(modules))

const all = new Set(["username", "phone", "two_factor", "admin", "passkey", "siwe", "social"])
const destination: Destination = { modules: all, socialProviders: ["idp_one"], imported: {}, attributes: [] }

const fileOf = (records: ReadonlyArray<unknown>) => {
  const path = join(folder, `users-${count++}.json`)
  writeFileSync(path, records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n"))
  return path
}

const run = Effect.fnUntraced(function* run(path: string, request: Partial<Request> = {}, interrupt?: number) {
  const findings: Array<string> = []
  let begun = ""
  let batches = 0
  const listener: Listener = {
    begun: (id) =>
      Effect.sync(() => {
        begun = id
      }),
    outcomes: (outcomes) => {
      batches += 1
      for (const { line, status, field, code, other_line } of outcomes.flatMap(findingsOf))
        findings.push([line, status, field, code, ...(other_line === undefined ? [] : [other_line])].join(" "))
      return batches === interrupt ? Effect.die("killed") : Effect.void
    },
    progress: () => {},
  }
  const none = Option.none()
  const work = importUsers(
    { path, from: none, providers: {}, dry: false, force: false, resume: none, refused: none, ...request },
    destination,
    listener,
  )
  const exit = yield* Effect.exit(work)
  if (exit._tag === "Failure" && !String(Cause.squash(exit.cause)).includes("killed")) return yield* Effect.failCause(exit.cause)
  return { findings, begun, summary: exit._tag === "Success" ? exit.value : undefined }
})

const user = (id: string, email: string | undefined, more: object = {}) => ({
  user_id: id,
  identities: [],
  email,
  email_verified: true,
  ...more,
})
const bcrypt = (value: string) => ({ custom_password_hash: { algorithm: "bcrypt", hash: { value } } })

describe("import users", () => {
  const records = [
    user("1", " Ada@Example.COM", {
      ...bcrypt(`hash$${password}`),
      identities: [
        { provider: "google", user_id: "42" },
        { provider: "x", user_id: "1" },
      ],
    }),
    user("2", "ada@example.com"),
    user("3", "no address"),
    user("4", undefined, { phone_number: "+1 555 0100", phone_verified: true }),
    user("5", "bob@example.com", { ...bcrypt("$md5$x"), username: "bob", blocked: true, email_verified: false, nickname: "b" }),
    user("6", "carl@example.com", { username: "BOB", identities: [{ provider: "google", user_id: "42" }] }),
    user("1", "dan@example.com"),
    "no JSON",
    user("9", "eve@example.com", { phone_number: "+15550101", name: "x".repeat(300) }),
  ]
  const expected = [
    "1 created identities unknown_provider",
    "2 refused email duplicate_email 1",
    "3 refused email invalid_email",
    "5 created password password_not_readable",
    "6 created identities identity_taken 1",
    "6 created username username_taken 5",
    "7 refused id duplicate_id 1",
    "8 refused  invalid_record",
    "9 created phone unverified_phone",
    "9 created name invalid_name",
  ]
  const providers = { google: "idp_one" }

  it.effect("stores what can be stored and reports the rest; a dry run has the same report", () =>
    Effect.gen(function* () {
      const path = fileOf(records)
      const dry = yield* run(path, { providers, dry: true })
      assert.sameMembers(dry.findings, expected)
      assert.lengthOf(yield* rows(Users), 0)
      assert.lengthOf(yield* rows(ImportRuns), 0)

      const { findings, summary } = yield* run(path, { providers })
      assert.deepStrictEqual(findings, dry.findings)
      assert.deepStrictEqual(summary?.totals, dry.summary?.totals)
      assert.deepStrictEqual(summary?.totals, {
        read: 9,
        created: 5,
        added: 0,
        already_there: 0,
        refused: 4,
        passwords: { kept: { bcrypt: 1 }, reset: { bcrypt: 1 } },
        factors: { carried: 0, dropped: 0 },
        identities: { carried: 2, dropped: 2 },
        ignored: { nickname: 1 },
      })
      assert.deepStrictEqual(
        readFileSync(summary?.refused_file ?? "", "utf8")
          .trim()
          .split("\n"),
        [JSON.stringify(records[1]), JSON.stringify(records[2]), JSON.stringify(records[6]), "no JSON"],
      )

      yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password })
      const users = yield* rows(Users)
      assert.sameMembers(
        users.map(({ email, email_verified }) => `${email} ${email_verified}`),
        ["ada@example.com true", "+15550100@phone.service false", "bob@example.com false", "carl@example.com true", "eve@example.com true"],
      )
      assert.deepStrictEqual(
        (yield* rows(AdminMetadatas)).map(({ banned }) => banned),
        [true],
      )
      assert.deepStrictEqual(
        (yield* rows(Usernames)).map(({ username }) => username),
        ["bob"],
      )

      const again = yield* run(path, { providers, refused: Option.some(`${path}.again`) })
      assert.deepInclude(again.summary?.totals, { created: 0, already_there: 6, refused: 3 })
    }).pipe(Effect.provide(place())),
  )

  it.effect("text that no database can store does not stop a run", () =>
    Effect.gen(function* () {
      const nul = "a\u0000b\ud800"
      const record = user("1", "ada@example.com", { ...bcrypt(`hash$${nul}`), name: nul, username: nul, [nul]: 1 })
      const { summary } = yield* run(fileOf([record, user(nul, "bob@example.com"), user("3", `${nul}@example.com`)]))
      assert.deepInclude(summary?.totals, { created: 1, refused: 2, ignored: { "a?b?": 1 } })
      const algorithm = user("4", "carl@example.com", { custom_password_hash: { algorithm: "my secret", hash: { value: "x" } } })
      assert.deepStrictEqual((yield* run(fileOf([algorithm]))).summary?.totals.passwords.reset, { unknown: 1 })
    }).pipe(Effect.provide(place())),
  )

  it.effect("refuses the address of a user of the service, and links nothing to them", () =>
    Effect.gen(function* () {
      yield* browser().body(endpoints.signUpEmail, { email: "ada@example.com", password })
      const { findings } = yield* run(fileOf([user("1", "ada@example.com", { identities: [{ provider: "idp_one", user_id: "42" }] })]))
      assert.deepStrictEqual(findings, ["1 refused email email_taken"])
      assert.lengthOf(yield* rows(Accounts), 1)
    }).pipe(Effect.provide(place())),
  )

  it.effect("adds the hashes of another file to the users of the first", () =>
    Effect.gen(function* () {
      yield* run(fileOf([user("auth0|1", "ada@example.com")]))
      const hash = { _id: { $oid: "1" }, passwordHash: `hash$${password}` }
      const path = fileOf([hash, { ...hash, _id: { $oid: "2" } }, hash])
      const { findings, summary, begun } = yield* run(path)
      assert.deepStrictEqual(findings, ["2 refused id unknown_user", "3 already_there password password_exists"])
      assert.deepInclude(summary?.totals, { added: 1, already_there: 1, refused: 1 })
      assert.deepStrictEqual(yield* undo(begun), { removed: 0, reverted: 1, kept: 0 })
      assert.strictEqual(yield* browser().code(endpoints.signInEmail, { email: "ada@example.com", password }), "invalid_credentials")
      yield* run(path, { refused: Option.some(`${path}.second`) })
      yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password })
    }).pipe(Effect.provide(place())),
  )
})

describe("a run", () => {
  const records = Array.from({ length: 1200 }, (_, index) => user(String(index), index % 400 === 7 ? "x" : `u${index}@example.com`))

  it.effect("continues where it was killed, without duplicates and with the same totals", () =>
    Effect.gen(function* () {
      const path = fileOf(records)
      const killed = yield* run(path, {}, 2)
      assert.isUndefined(killed.summary)
      assert.strictEqual((yield* rows(ImportRuns))[0]?.position, 1000)
      const { summary, findings } = yield* run(path, { resume: Option.some(killed.begun) })
      assert.deepInclude(summary?.totals, { read: 1200, created: 1197, refused: 3 })
      assert.deepStrictEqual(findings, [])
      assert.deepStrictEqual(
        killed.findings,
        [8, 408, 808].map((line) => `${line} refused email invalid_email`),
      )
      assert.lengthOf(
        readFileSync(summary?.refused_file ?? "", "utf8")
          .trim()
          .split("\n"),
        3,
      )

      const other = yield* Effect.flip(run(fileOf(records.slice(1)), { resume: Option.some(killed.begun) }))
      assert.deepInclude(other, { _tag: "RunRefused", reason: "another_file" })
      const unknown = yield* Effect.flip(run(path, { resume: Option.some("unknown") }))
      assert.deepInclude(unknown, { _tag: "RunRefused", reason: "unknown" })
    }).pipe(Effect.provide(place())),
  )

  it.effect("is undone, except for users who have used their account", () =>
    Effect.gen(function* () {
      const path = fileOf([user("1", "ada@example.com", bcrypt(`hash$${password}`)), user("2", "bob@example.com", { username: "bob" })])
      const { begun } = yield* run(path)
      yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password })
      assert.deepStrictEqual(yield* undo(begun), { removed: 1, reverted: 0, kept: 1 })
      assert.deepStrictEqual(
        (yield* rows(Users)).map(({ email }) => email),
        ["ada@example.com"],
      )
      assert.lengthOf(yield* rows(Usernames), 0)
      assert.lengthOf(yield* rows(ImportRecords), 1)
      const resumed = yield* Effect.flip(run(path, { resume: Option.some(begun) }))
      assert.deepInclude(resumed, { _tag: "RunRefused", reason: "undone" })
      const { summary } = yield* run(path)
      assert.deepInclude(summary?.totals, { created: 1, already_there: 1 })
    }).pipe(Effect.provide(place())),
  )
})

describe("export users", () => {
  const exportAll = (secrets: boolean) => Effect.map(Stream.runCollect(exported({ modules: all, secrets })), (lines) => [...lines])

  it.effect("writes what import users reads: both services have the same users", () =>
    Effect.gen(function* () {
      const keycloak = {
        id: "6e5d4c3b-0000-4000-8000-000000000001",
        username: "Ada_1",
        email: "ada@example.com",
        emailVerified: true,
        enabled: false,
        createdTimestamp: 1700000000000,
        federatedIdentities: [{ identityProvider: "idp_one", userId: "42" }],
        credentials: [
          {
            type: "otp",
            secretData: JSON.stringify({ value: "12345678901234567890" }),
            credentialData: JSON.stringify({ subType: "totp" }),
          },
        ],
      }
      const others = [
        user("2", undefined, { phone_number: "+15550100", phone_verified: true }),
        user("3", "bob@example.com", bcrypt("hash$x")),
      ]
      yield* run(fileOf([keycloak]))
      yield* run(fileOf(others))
      const { commit } = yield* Store
      const [tester] = yield* rows(Users)
      yield* commit([
        put(Users, { ...tester!, is_test: true }),
        insert(Users, storedUser({ id: "a guest", email: "guest:1", is_guest: true })),
      ])
      const first = yield* exportAll(true)
      assert.lengthOf(first, 3)
      const publicLines = (yield* exportAll(false)).join("\n")
      assert.notMatch(publicLines, /hash\$x|GEZDGNBV|password_hash|totp/)

      const path = fileOf(first)
      const again = yield* run(path)
      assert.deepInclude(again.summary?.totals, { created: 0, already_there: 3 })

      yield* Effect.gen(function* () {
        const { summary, findings } = yield* run(path)
        assert.deepStrictEqual(findings, [])
        assert.deepInclude(summary?.totals, { created: 3, refused: 0, factors: { carried: 1, dropped: 0 } })
        assert.lengthOf(yield* rows(TwoFactors), 1)
        const second = yield* exportAll(true)
        assert.deepStrictEqual(second, first)
        assert.lengthOf(
          (yield* rows(Users)).filter(({ is_test }) => is_test),
          1,
        )
      }).pipe(Effect.provide(place(), { local: true }))
    }).pipe(Effect.provide(place())),
  )
})

it.effect("two runs at once make each user once", () =>
  Effect.gen(function* () {
    const records = Array.from({ length: 40 }, (_, index) => user(String(index), `u${index}@example.com`))
    const runs = yield* Effect.all([run(fileOf(records)), run(fileOf(records))], { concurrency: "unbounded" })
    const created = runs.map(({ summary }) => summary?.totals.created ?? 0)
    assert.strictEqual(created[0]! + created[1]!, 40)
    assert.lengthOf(yield* (yield* Store).list(Users, {}, { limit: 100 }), 40)
  }).pipe(Effect.provide(place())),
)
