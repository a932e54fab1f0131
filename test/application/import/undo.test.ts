import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { ImportRecords } from "../../../application/import/tables.ts"
import { undo } from "../../../application/import/undo.ts"
import { AdminMetadatas } from "../../../application/modules/admin/users.ts"
import { Passkeys } from "../../../application/modules/passkey/table.ts"
import { TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import { Usernames } from "../../../application/modules/username/index.ts"
import * as Module from "../../../application/service/module.ts"
import { SoleOwner } from "../../../domain/errors.ts"
import { Members, Organizations } from "../../../domain/organizations/tables.ts"
import { insert, remove, Store, update } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { rulesOf } from "../../rule.ts"
import { browser, endpoints, linked, password, rows, times } from "../../world.ts"
import { addition, enabled, identity, imported, passkey, user } from "./records.ts"

/** A table of another module that references users by their accounts. */
const AccountNotes = Table.make("account_note", Schema.Struct({ id: Schema.String, account_id: Schema.String }), {
  key: "id",
  references: { account_id: Accounts },
})
/** What happened to a user, without being a state of the account. */
const Visits = Table.make("visit", Schema.Struct({ id: Schema.String, user_id: Schema.String }), {
  key: "id",
  references: { user_id: Users },
  isLog: true,
})
const notes = Module.define({ name: "notes", settings: Module.NoSettings, parts: () => ({ tables: [AccountNotes, Visits] }) }).build({})
const all = [...enabled, notes]
const undone = (run: string, modules = all) => Effect.provide(undo(run), commandPolicies(modules))

const hashed = (hash = `hash$${password}`) => ({ password: { hash, format: "test" } })
const app = { totp: { secret: new Uint8Array(20), backup_codes: ["app:1", "app:2"] } }
const ada = user("a", "ada@example.com", {
  ...hashed(),
  ...app,
  identities: [identity("1")],
  username: "ada",
  passkeys: [passkey("key")],
  ban: { reason: null, expires: null },
})

const rule = rulesOf(all)

const changed = Effect.fnUntraced(function* <T extends Table.AnyTable>(table: T, changes: Partial<Table.Row<T>>) {
  const store = yield* Store
  const [row] = yield* rows(table)
  const held = Option.getOrThrow(yield* store.read(table, { [table.key]: row![table.key] } as Table.Where<T>))
  yield* store.commit([update(table, held, changes)])
})

/** Adds a row that belongs to the only user. */
const added = Effect.fnUntraced(function* (of: (user_id: string, account_id: string) => Parameters<typeof insert>) {
  const [[user], [account]] = [yield* rows(Users), yield* rows(Accounts)]
  yield* (yield* Store).commit([insert(...of(user!.id, account!.id))])
})

const signedInAndOut = Effect.gen(function* () {
  const their = browser()
  yield* their.body(endpoints.signInEmail, { email: "ada@example.com", password })
  yield* their.body(endpoints.signOut)
})

describe("import undo", () => {
  rule("removes users who have not used their account, with all rows of theirs", function* () {
    const users = times(30, (index) => user(String(index), `u${index}@example.com`))
    const { id } = yield* imported([[ada, ...users]])
    assert.deepStrictEqual(yield* undone(id), { removed: 31, reverted: 0, kept: 0 })
    for (const table of [Users, Accounts, Passkeys, TwoFactors, Usernames, AdminMetadatas, ImportRecords])
      assert.lengthOf(yield* rows(table), 0)
  })

  rule("takes back the additions to a user before it removes the user", function* () {
    const users = times(60, (index) => user(String(index), `u${index}@example.com`))
    const additions = users.flatMap(({ source_id }) => [
      addition(source_id, hashed()),
      addition(source_id, { identities: [identity(source_id)] }),
      addition(source_id, app),
    ])
    const { id } = yield* imported([users, additions])
    assert.deepStrictEqual(yield* undone(id), { removed: 60, reverted: 180, kept: 0 })
    assert.lengthOf(yield* rows(ImportRecords), 0)
  })

  rule("keeps users to whom another run added until that run is undone", function* () {
    const { id: first } = yield* imported([[user("a", "ada@example.com")]])
    const { id: second } = yield* imported([[addition("a", { ...app, ...hashed() })]])
    assert.deepStrictEqual(yield* undone(first), { removed: 0, reverted: 0, kept: 1 })
    assert.deepStrictEqual(yield* undone(second), { removed: 0, reverted: 1, kept: 0 })
    assert.lengthOf([...(yield* rows(Accounts)), ...(yield* rows(TwoFactors))], 0)
    assert.deepStrictEqual(yield* undone(first), { removed: 1, reverted: 0, kept: 0 })
  })

  rule("commits the writes of modules with a second factor that it takes back", function* () {
    const told: Array<string> = []
    const telling = Module.define({
      name: "telling",
      settings: Module.NoSettings,
      parts: () => ({
        secondFactorRemoved: ({ email }) =>
          Effect.sync(() => {
            told.push(email)
            return []
          }),
      }),
    }).build({})
    yield* imported([[user("a", "ada@example.com")]])
    const password = yield* imported([[addition("a", hashed())]])
    const factor = yield* imported([[addition("a", app)]])
    assert.strictEqual((yield* undone(password.id, [...all, telling])).reverted, 1)
    assert.deepStrictEqual(told, [])
    assert.strictEqual((yield* undone(factor.id, [...all, telling])).reverted, 1)
    assert.deepStrictEqual(told, ["ada@example.com"])
    assert.deepStrictEqual(yield* rows(TwoFactors), [])
  })

  rule("keeps the additions to a user who has used the account", function* () {
    yield* imported([[user("a", "ada@example.com")]])
    const { id } = yield* imported([[addition("a", hashed())]])
    yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password })
    assert.deepStrictEqual(yield* undone(id), { removed: 0, reverted: 0, kept: 1 })
    yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password })
  })

  rule("removes a user who signed in, signed out and changed nothing", function* () {
    const { id } = yield* imported([[user("a", "ada@example.com", hashed())]])
    yield* signedInAndOut
    assert.deepStrictEqual(yield* undone(id), { removed: 1, reverted: 0, kept: 0 })
  })

  rule("removes a user who has only rows of a log, with the rows", function* () {
    const { id } = yield* imported([[user("a", "ada@example.com", hashed())]])
    yield* added((user_id) => [Visits, { id: "visit", user_id }])
    assert.deepStrictEqual(yield* undone(id), { removed: 1, reverted: 0, kept: 0 })
    assert.deepStrictEqual(yield* rows(Visits), [])
  })

  rule("keeps a user whose hash a sign-in has replaced", function* () {
    const { id } = yield* imported([[user("a", "ada@example.com", hashed(`old$${password}`))]])
    yield* signedInAndOut
    assert.deepStrictEqual(yield* undone(id), { removed: 0, reverted: 0, kept: 1 })
  })

  rule("keeps users of a module that is off now", function* () {
    const { id } = yield* imported([[ada]])
    const others = all.filter(({ name }) => name !== "two_factor")
    assert.deepStrictEqual(yield* undone(id, others), { removed: 0, reverted: 0, kept: 1 })
  })

  rule("follows the rules of modules for the removal of users", function* () {
    const { id } = yield* imported([[ada, user("b", "bob@example.com")]])
    const keeping = Module.define({
      name: "keeping",
      settings: Module.NoSettings,
      parts: () => ({
        beforeUserRemoval: [({ email }) => (email === "ada@example.com" ? Effect.fail(new SoleOwner()) : Effect.succeed([]))],
        removalErrors: [SoleOwner],
      }),
    }).build({})
    assert.deepStrictEqual(yield* undone(id, [...all, keeping]), { removed: 1, reverted: 0, kept: 1 })
  })

  rule("takes no account of secrets that were sealed again", function* () {
    const { id } = yield* imported([[ada]])
    yield* changed(TwoFactors, { secret: "sealed by a newer secret" })
    assert.deepStrictEqual(yield* undone(id), { removed: 1, reverted: 0, kept: 0 })
  })
})

describe("import undo keeps a user with", () => {
  const uses: Readonly<Record<string, Effect.Effect<unknown, any, any>>> = {
    "another name": changed(Users, { name: "Ada" }),
    "a passkey that was used": changed(Passkeys, { counter: 1 }),
    "an app that was used": changed(TwoFactors, { used_steps: [1] }),
    "a backup code that was used": changed(TwoFactors, { backup_codes: ["app:2"] }),
    "another username": changed(Usernames, { username: "lovelace" }),
    "another role": changed(AdminMetadatas, { role: "admin" }),
    "another linked account": Effect.flatMap(rows(Users), ([user]) => linked(user!.id, "idp_two")),
    "an account that was unlinked": Effect.gen(function* () {
      const account = (yield* rows(Accounts)).find(({ provider_id }) => provider_id === "idp_one")
      yield* (yield* Store).commit([remove(Accounts, account!.id)])
    }),
    "a link to reset the password": browser().body(endpoints.requestPasswordReset, { email: "ada@example.com" }),
    "a membership": Effect.gen(function* () {
      const { created_at } = (yield* rows(Users))[0]!
      yield* (yield* Store).commit([insert(Organizations, { id: "o", name: "O", slug: "o", created_at })])
      yield* added((user_id) => [Members, { id: "m", organization_id: "o", user_id, role: "member", created_at }])
    }),
    "a row of another module": added((_, account_id) => [AccountNotes, { id: "note", account_id }]),
  }
  for (const [name, use] of Object.entries(uses))
    rule(name, function* () {
      const { id } = yield* imported([[ada]])
      yield* use
      assert.deepStrictEqual(yield* undone(id), { removed: 0, reverted: 0, kept: 1 })
      assert.lengthOf(yield* rows(Users), 1)
    })
})
