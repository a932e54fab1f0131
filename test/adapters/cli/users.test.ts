import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { banUser, createUser, demandStore, makeAdmin } from "../../../adapters/cli/users.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../application/modules/admin/users.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { browser, core, endpoints, isSignedIn, password, rows, signedUp, world } from "../../world.ts"
import { printed, refused } from "./printed.ts"

const modules = [...core, admin.build({ admin_emails: [], admin_user_ids: [] })]
const email = "ada@example.com"
const newUser = { email, name: Option.none<string>(), admin: false, force: false }
const commands = Layer.merge(world(modules), commandPolicies(modules))
const readPassword = Effect.succeed(password)
const noPrompt = Effect.die("the command prompted for a password")
const permanently = { reason: Option.none<string>(), seconds: Option.none<number>() }

describe("user", () => {
  it.effect("create adds a user who can sign in, and prints their id", () =>
    Effect.gen(function* () {
      const lines = yield* printed(createUser({ ...newUser, email: " Ada@Example.com", name: Option.some("Ada") }, readPassword))
      const [user] = yield* rows(Users)
      assert.deepInclude(user, { email, name: "Ada", email_verified: false })
      assert.deepStrictEqual(lines, [`${email} is user ${user?.id}.`])
      assert.lengthOf(yield* rows(AdminMetadatas), 0)
      yield* browser().body(endpoints.signInEmail, { email, password })
      assert.deepStrictEqual(yield* refused(createUser(newUser, noPrompt)), [1, "A user with this email address exists."])
    }).pipe(Effect.provide(commands)),
  )

  it.effect("create --admin and make-admin give the role, by address and by id", () =>
    Effect.gen(function* () {
      assert.match((yield* printed(createUser({ ...newUser, admin: true }, readPassword)))[0] ?? "", /, an administrator\.$/)
      const bob = yield* signedUp("bob@example.com")
      const carl = yield* signedUp("carl@example.com")
      assert.deepStrictEqual(yield* printed(makeAdmin({ user: " BOB@example.com" })), ["bob@example.com is an administrator."])
      yield* printed(makeAdmin({ user: carl.user.id }))
      const roles = (yield* rows(AdminMetadatas)).map(({ user_id, role }) => [user_id, role])
      assert.lengthOf(roles, 3)
      assert.includeDeepMembers(roles, [
        [bob.user.id, "admin"],
        [carl.user.id, "admin"],
      ])
    }).pipe(Effect.provide(commands)),
  )

  it.effect("ban ends the user's sessions and keeps them out", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp(email)
      const bob = yield* signedUp("bob@example.com")
      yield* printed(banUser({ user: email, reason: Option.some("spam"), seconds: Option.some(60) }))
      assert.isFalse(yield* isSignedIn(ada))
      assert.isTrue(yield* isSignedIn(bob))
      assert.strictEqual(yield* browser().code(endpoints.signInEmail, { email, password }), "banned")
      assert.lengthOf(yield* rows(Sessions), 1)
      assert.deepInclude((yield* rows(AdminMetadatas))[0], { banned: true, ban_reason: "spam" })
    }).pipe(Effect.provide(commands)),
  )

  it.effect("prints the messages of refusals", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refused(createUser({ ...newUser, email: "ada" }, noPrompt)), [1, "email: Expected an email address"])
      assert.deepStrictEqual(yield* refused(createUser(newUser, Effect.succeed("1234567"))), [
        1,
        "The password must have at least 8 characters.",
      ])
      assert.deepStrictEqual(yield* refused(createUser(newUser, Effect.succeed("x".repeat(129)))), [
        1,
        "The password may have at most 128 characters.",
      ])
      for (const user of ["", "unknown", email, "a\0"]) {
        assert.deepStrictEqual(yield* refused(makeAdmin({ user })), [1, "This user does not exist."])
        assert.deepStrictEqual(yield* refused(banUser({ ...permanently, user })), [1, "This user does not exist."])
      }
      const [code, line] = yield* refused(banUser({ ...permanently, user: email, seconds: Option.some(0) }))
      assert.strictEqual(code, 1)
      assert.match(String(line), /^expires_in: /)
    }).pipe(Effect.provide(commands)),
  )
})

describe("an embedded database that does not exist", () => {
  const directory = mkdtempSync(join(tmpdir(), "sallyport-users-"))
  afterAll(() => rmSync(directory, { recursive: true }))

  it.effect("is a fault of commands other than those that create users, and is not created", () =>
    Effect.gen(function* () {
      const secret = "a secret for these tests only, 32+ bytes"
      const configuration = yield* Effect.orDie(configurationOf({ secret, store: { kind: "embedded", directory } }, []))
      assert.deepStrictEqual(yield* refused(demandStore(configuration)), [1, `There is no database in ${directory}.`])
      assert.deepStrictEqual(readdirSync(directory), [])
      yield* demandStore(configuration, { createsDatabase: true })
      mkdirSync(join(directory, "pg"))
      yield* demandStore(configuration)
    }),
  )
})
