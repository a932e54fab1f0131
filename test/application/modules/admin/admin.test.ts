import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { counted } from "../../../round-trips.ts"
import { storedUser } from "../../../stored-user.ts"
import type { WorldServices } from "../../../world.ts"
import {
  atOnce,
  browser as browserOf,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  onWire,
  password,
  rows,
  signedUp as signedUpTo,
  times,
  world,
} from "../../../world.ts"

const root = "root@example.com"
const email = "ada@example.com"

/** The service with administrators as configured. */
const configured = (settings: unknown) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
  const modules = [...core, built]
  return { modules, auth: AuthOf.make(modules), endpoints: built.endpoints }
}
const service = configured({ admin_emails: [" Root@Example.com "] })
const { adminSetRole, adminBanUser, adminUnbanUser, adminListUsers, adminCreateUser, adminRemoveUser, adminRevokeUserSessions } =
  service.endpoints
const { getSession, signInEmail, requestPasswordReset, updateUser } = endpoints

const browser = () => browserOf(service.auth)
const signedUp = (address: string) => signedUpTo(address, service.auth)
const signedIn = Effect.fnUntraced(function* (address: string) {
  const their = browser()
  yield* their.body(signInEmail, { email: address, password })
  return their
})

const rule = (
  name: string,
  shown: () => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>,
  settings: Record<string, unknown> = {},
) => it.effect(name, () => Effect.gen(shown).pipe(Effect.provide(world(service.modules, settings))))

/** The root user, an administrator, and Ada, a user. */
const both = Effect.gen(function* () {
  return { root: yield* signedUp(root), ada: yield* signedUp(email) }
})

const listed = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, address: string) {
  const { users } = yield* their.body(adminListUsers, { search: address })
  return users.find((user) => user.email === address)
})

/** Every endpoint, with valid input about this user. */
const all = (user_id: string) =>
  [
    [adminSetRole, { user_id, role: "admin" }],
    [adminBanUser, { user_id }],
    [adminUnbanUser, { user_id }],
    [adminListUsers, {}],
    [adminCreateUser, { email: "new@example.com", password }],
    [adminRemoveUser, { user_id }],
    [adminRevokeUserSessions, { user_id }],
  ] as ReadonlyArray<readonly [typeof adminUnbanUser, unknown]>

describe("administrators", () => {
  rule("other callers are refused before their input is validated", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    for (const [endpoint, input] of all(bob.user.id)) {
      for (const given of [input, {}, null, { user_id: 7, limit: "x" }]) {
        assert.strictEqual(yield* browser().code(endpoint, given), "unauthorized", endpoint.path)
        assert.strictEqual(yield* ada.code(endpoint, given), "forbidden", endpoint.path)
      }
    }
    assert.lengthOf(yield* rows(Users), 2)
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
    assert.isTrue(yield* isSignedIn(bob))
  })

  rule("by address, whatever its case in the configuration", function* () {
    const { root } = yield* both
    assert.lengthOf((yield* root.body(adminListUsers)).users, 2)
  })

  rule("by role, from the next request on", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "admin" })
    yield* ada.body(adminListUsers)
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "user" })
    assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
  })

  it.effect("by id", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp(email)
      const bob = yield* signedUp("bob@example.com")
      const { auth, endpoints } = configured({ admin_user_ids: [ada.user.id] })
      const through = (their: typeof ada) => {
        const again = browserOf(auth)
        again.jar.credential = their.jar.credential
        return again
      }
      yield* through(ada).body(endpoints.adminListUsers)
      assert.strictEqual(yield* through(bob).code(endpoints.adminListUsers), "forbidden")
    }).pipe(Effect.provide(world(service.modules))),
  )

  const [local, reachable] = ["http://localhost:3000", "https://id.example.com"]
  for (const [require_verified_email, require_email_verification, public_url, isEnough] of [
    [undefined, false, local, true],
    [undefined, false, reachable, false],
    [undefined, true, local, false],
    [undefined, true, reachable, false],
    [true, false, local, false],
    [false, true, local, true],
    [false, false, reachable, true],
  ] as const) {
    it.effect(`an unverified address: ${require_verified_email} under ${require_email_verification} at ${public_url}`, () =>
      Effect.gen(function* () {
        const admin_emails = [root]
        const { auth, endpoints } = configured(
          require_verified_email === undefined ? { admin_emails } : { admin_emails, require_verified_email },
        )
        const their = yield* signedUpTo(root, auth)
        const asked = their.call(endpoints.adminListUsers)
        assert.deepStrictEqual(yield* atOnce([asked]), isEnough ? { ok: 1 } : { forbidden: 1 })
        const { commit, read } = yield* Store
        const held = Option.getOrThrow(yield* read(Users, { email: root }))
        yield* commit([{ _tag: "put", table: Users, row: { ...held.row, email_verified: true } }])
        assert.deepStrictEqual(yield* atOnce([asked]), { ok: 1 })
      }).pipe(Effect.provide(world(service.modules, { public_url, email_password: { enabled: true, require_email_verification } }))),
    )
  }

  const { changeEmail, verifyEmail } = endpoints

  rule(
    "an attacker who signs up with an address of admin_emails gets no rights",
    function* () {
      const attacker = yield* signedUp(root)
      for (const [endpoint, input] of all(attacker.user.id)) assert.strictEqual(yield* attacker.code(endpoint, input), "forbidden")
    },
    { public_url: "https://id.example.com" },
  )

  rule("a user who changes to an address of admin_emails has to confirm it by mail first", function* () {
    const ada = yield* signedUp(email)
    assert.deepStrictEqual(yield* ada.body(changeEmail, { new_email: " Root@example.com" }), { status: "verification_sent" })
    assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
    const { user } = yield* ada.body(getSession)
    assert.deepStrictEqual([user?.email, user?.email_verified], [email, false])
    const [message, ...more] = yield* emails
    assert.deepStrictEqual([message?.to, more], [root, []])

    const token = yield* mailedToken
    assert.strictEqual(yield* browser().code(verifyEmail, { token }), "invalid_token", "a careless click of the address' owner")
    assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
    yield* ada.body(verifyEmail, { token })
    yield* ada.body(adminListUsers)
  })

  rule(
    "a verification link followed by the owner of the address does not make the attacker who registered it an administrator",
    function* () {
      const attacker = yield* signedUp(root)
      yield* browser().body(endpoints.sendVerificationEmail, { email: root })
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      assert.strictEqual(yield* attacker.code(adminListUsers), "unauthorized")
      assert.strictEqual(yield* browser().code(endpoints.signInEmail, { email: root, password }), "invalid_credentials")
    },
  )

  rule("of many concurrent changes to an address of admin_emails at most one succeeds", function* () {
    const ada = yield* signedUp(email)
    const tally = yield* atOnce(times(10, () => ada.call(changeEmail, { new_email: root })))
    assert.deepStrictEqual(tally, { ok: 10 })
    assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
    assert.deepStrictEqual(
      (yield* rows(Users)).map((user) => user.email),
      [email],
    )
  })

  rule("a change to another address takes effect at once", function* () {
    const ada = yield* signedUp(email)
    const body = yield* ada.body(changeEmail, { new_email: "other@example.com" })
    assert.strictEqual("user" in body && body.user.email, "other@example.com")
  })

  it("settings with malformed addresses are refused", () => {
    for (const settings of [{ admin_emails: ["root"] }, { admin_emails: "root@example.com" }, { admin_user_ids: [7] }])
      assert.throws(() => Schema.decodeUnknownSync(admin.settings)(settings))
    assert.deepStrictEqual(Schema.decodeUnknownSync(admin.settings)({}), { admin_emails: [], admin_user_ids: [] })
  })

  rule("get user_not_found for unknown and malformed ids", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminRemoveUser, { user_id: ada.user.id })
    for (const [endpoint, input] of all(ada.user.id).filter(([{ path }]) => !/list|create/.test(path))) {
      for (const user_id of [ada.user.id, "", "unknown", "a\0b", "\ud800", email])
        assert.strictEqual(yield* root.code(endpoint, { ...(input as object), user_id }), "user_not_found", `${endpoint.path} ${user_id}`)
      for (const user_id of [undefined, null, 7, {}, ["a"]])
        assert.strictEqual(yield* root.code(endpoint, { ...(input as object), user_id }), "invalid_request", endpoint.path)
    }
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
  })
})

describe("set-role", () => {
  rule("returns the role, and the list shows it", function* () {
    const { root, ada } = yield* both
    const { id } = ada.user
    assert.deepStrictEqual(yield* root.call(adminSetRole, { user_id: id, role: "admin" }), { body: { success: true }, session: "keep" })
    assert.strictEqual((yield* listed(root, email))?.role, "admin")
    yield* TestClock.adjust("1 minute")
    yield* root.body(adminSetRole, { user_id: id, role: "user" })
    const [metadata] = yield* rows(AdminMetadatas)
    const updated_at = DateTime.makeUnsafe(60_000)
    assert.deepStrictEqual(metadata, {
      user_id: id,
      role: "user",
      banned: false,
      ban_kind: null,
      ban_reason: null,
      ban_expires: null,
      updated_at,
    })
  })

  rule("accepts any text, which the list shows; only admin gives rights", function* () {
    const { root, ada } = yield* both
    const user_id = ada.user.id
    for (const role of ["editor", "Admin", "ADMIN", " admin", "admin ", "owner", "管理者", "x".repeat(64)]) {
      yield* root.body(adminSetRole, { user_id, role: "admin" })
      yield* ada.body(adminListUsers)
      yield* root.body(adminSetRole, { user_id, role })
      assert.strictEqual((yield* listed(root, email))?.role, role)
      assert.strictEqual(yield* ada.code(adminListUsers), "forbidden", role)
    }
  })

  rule("refuses a role that is no text, is empty, or is longer than 64 characters", function* () {
    const { root, ada } = yield* both
    for (const role of [undefined, null, "", "x".repeat(65), "a\0b", 1, ["admin"], true])
      assert.strictEqual(yield* root.code(adminSetRole, { user_id: ada.user.id, role }), "invalid_request", String(role))
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
  })

  rule("keeps a ban", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id, reason: "spam" })
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "admin" })
    const [metadata] = yield* rows(AdminMetadatas)
    assert.deepInclude(metadata, { role: "admin", banned: true, ban_kind: null, ban_reason: "spam" })
  })

  rule("administrators cannot take their own role away, but may set it again", function* () {
    const { root } = yield* both
    const user_id = root.user.id
    for (const role of ["user", "editor"]) assert.strictEqual(yield* root.code(adminSetRole, { user_id, role }), "invalid_request")
    yield* root.body(adminSetRole, { user_id, role: "admin" })
  })
})

describe("bans", () => {
  rule("end all of the user's sessions, and no other user's", function* () {
    const { root, ada } = yield* both
    const elsewhere = yield* signedIn(email)
    const given = { user_id: ada.user.id, reason: "spam", expires_in: 60 }
    assert.deepStrictEqual(yield* root.call(adminBanUser, given), { body: { success: true }, session: "keep" })
    for (const their of [ada, elsewhere]) {
      assert.deepStrictEqual(yield* their.body(getSession), { session: null, user: null })
      assert.strictEqual(yield* their.code(updateUser, { name: "Ada" }), "unauthorized")
    }
    assert.isTrue(yield* isSignedIn(root))
    const [metadata] = yield* rows(AdminMetadatas)
    const [ban_expires, updated_at] = [DateTime.makeUnsafe(60_000), DateTime.makeUnsafe(0)]
    assert.deepStrictEqual(metadata, {
      user_id: ada.user.id,
      role: "user",
      banned: true,
      ban_kind: null,
      ban_reason: "spam",
      ban_expires,
      updated_at,
    })
  })

  rule("refuse the right password with `banned`, which clears the cookie, and a wrong one as before", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id })
    const refusal = yield* Effect.flip(browser().call(signInEmail, { email, password }))
    assert.deepInclude(refusal, { _tag: "banned", status: 403, session: "clear" })
    assert.match(refusal.message, /account is banned/)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password: "a wrong one" }), "invalid_credentials")
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("end at the millisecond of their end, not before", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id, expires_in: 300 })
    for (const step of [0, 299_000, 999]) {
      yield* TestClock.adjust(step)
      assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "banned")
      assert.isTrue((yield* listed(root, email))?.banned)
    }
    yield* TestClock.adjust(1)
    assert.isFalse((yield* listed(root, email))?.banned)
    assert.isTrue(yield* isSignedIn(yield* signedIn(email)))
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("without an end are permanent", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id })
    yield* TestClock.adjust("10000 days")
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "banned")
  })

  rule("are replaced by a later one with its reason and end", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id, reason: "spam", expires_in: 60 })
    yield* root.body(adminBanUser, { user_id: ada.user.id })
    const [metadata] = yield* rows(AdminMetadatas)
    assert.deepInclude(metadata, { banned: true, ban_reason: null, ban_expires: null })
  })

  rule("end when an administrator lifts them; lifting a missing ban succeeds", function* () {
    const { root, ada } = yield* both
    const user_id = ada.user.id
    assert.deepStrictEqual(yield* root.body(adminUnbanUser, { user_id }), { success: true })
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
    yield* root.body(adminBanUser, { user_id, reason: "spam", expires_in: 60 })
    assert.deepStrictEqual(yield* root.body(adminUnbanUser, { user_id }), { success: true })
    const [metadata] = yield* rows(AdminMetadatas)
    assert.deepInclude(metadata, { banned: false, ban_kind: null, ban_reason: null, ban_expires: null })
    yield* signedIn(email)
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("accept a reason that is text and an end in whole seconds", function* () {
    const { root, ada } = yield* both
    const wrong = [
      ...[0, -1, 1.5, "60", null, Number.NaN, Number.POSITIVE_INFINITY, 3_155_760_001].map((expires_in) => ({ expires_in })),
      ...[null, 7, [], "a\0", "\ud800"].map((reason) => ({ reason })),
    ]
    for (const part of wrong)
      assert.strictEqual(yield* root.code(adminBanUser, { user_id: ada.user.id, ...part }), "invalid_request", JSON.stringify(part))
    assert.isTrue(yield* isSignedIn(ada))
    for (const expires_in of [1, 3_155_760_000]) yield* root.body(adminBanUser, { user_id: ada.user.id, expires_in })
  })

  rule("administrators cannot ban themselves", function* () {
    const { root } = yield* both
    assert.strictEqual(yield* root.code(adminBanUser, { user_id: root.user.id }), "invalid_request")
    assert.isTrue(yield* isSignedIn(root))
  })

  rule("apply to administrators, whose role is kept", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "admin" })
    yield* ada.body(adminBanUser, { user_id: root.user.id })
    assert.strictEqual(yield* root.code(adminListUsers), "unauthorized")
    assert.strictEqual(yield* browser().code(signInEmail, { email: root.user.email, password }), "banned")
    yield* ada.body(adminUnbanUser, { user_id: root.user.id })
    yield* (yield* signedIn(root.user.email)).body(adminListUsers)
  })

  rule("are removed with the user: a new user of the address is not banned", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminBanUser, { user_id: ada.user.id })
    yield* root.body(adminRemoveUser, { user_id: ada.user.id })
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
    assert.isTrue(yield* isSignedIn(yield* signedUp(email)))
  })

  rule("win over concurrent sign-ins", function* () {
    const { root, ada } = yield* both
    const { ping } = yield* Store
    const browsers = times(20, () => browser())
    const late = (index: number) => Effect.forEach(times(index / 2, String), () => ping, { discard: true })
    const signIns = browsers.map((their, index) => Effect.andThen(late(index), their.call(signInEmail, { email, password })))
    const tally = yield* atOnce([...signIns.slice(0, 10), root.call(adminBanUser, { user_id: ada.user.id }), ...signIns.slice(10)])
    assert.strictEqual((tally["ok"] ?? 0) + (tally["banned"] ?? 0), 21, JSON.stringify(tally))
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "banned")
    assert.lengthOf(yield* Effect.filter([ada, ...browsers], isSignedIn), 0)
    assert.deepStrictEqual(
      (yield* rows(Sessions)).map(({ user_id }) => user_id),
      [root.user.id],
    )
  })

  rule("concurrent changes of bans and roles are all kept", function* () {
    const { root, ada } = yield* both
    const user_id = ada.user.id
    const tally = yield* atOnce([
      ...times(10, (index) => root.call(adminBanUser, { user_id, reason: `reason ${index}` })),
      ...times(10, () => root.call(adminSetRole, { user_id, role: "admin" })),
    ])
    assert.deepStrictEqual(tally, { ok: 20 })
    const metadata = yield* rows(AdminMetadatas)
    assert.lengthOf(metadata, 1)
    assert.deepInclude(metadata[0], { role: "admin", banned: true })
    assert.match(metadata[0]?.ban_reason ?? "", /^reason \d$/)
  })
})

describe("create-user", () => {
  rule("adds a user who can sign in, and starts no session", function* () {
    const { root } = yield* both
    const reply = yield* root.call(adminCreateUser, { email: " New@Example.com ", password, name: "New" })
    assert.strictEqual(reply.session, "keep")
    const { id } = reply.body.user
    assert.deepStrictEqual(yield* onWire(adminCreateUser, reply.body), {
      user: {
        id,
        email: "new@example.com",
        email_verified: false,
        name: "New",
        image: null,
        created_at: "1970-01-01T00:00:00.000Z",
        updated_at: "1970-01-01T00:00:00.000Z",
        role: "user",
        banned: false,
      },
    })
    assert.lengthOf(
      (yield* rows(Sessions)).filter(({ user_id }) => user_id === id),
      0,
    )
    const { user } = yield* (yield* signedIn("new@example.com")).body(getSession)
    assert.strictEqual(user?.id, id)
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
    assert.lengthOf(yield* emails, 0)
  })

  rule("sets any role; values other than texts count as omitted", function* () {
    const { root } = yield* both
    const { user } = yield* root.body(adminCreateUser, { email: "new@example.com", password, role: "admin" })
    assert.strictEqual(user.role, "admin")
    yield* (yield* signedIn("new@example.com")).body(adminListUsers)
    for (const [index, role] of [7, null, ["admin"], { admin: true }, true].entries()) {
      const { user } = yield* root.body(adminCreateUser, { email: `${index}@example.com`, password, role })
      assert.strictEqual(user.role, "user")
    }
    const created = yield* root.body(adminCreateUser, { email: "editor@example.com", password, role: "editor" })
    assert.strictEqual(created.user.role, "editor")
    assert.strictEqual((yield* listed(root, "editor@example.com"))?.role, "editor")
    assert.strictEqual(yield* (yield* signedIn("editor@example.com")).code(adminListUsers), "forbidden")
    for (const role of ["", "x".repeat(65)])
      assert.strictEqual(yield* root.code(adminCreateUser, { email: "x@example.com", password, role }), "invalid_request")
    assert.isUndefined(yield* listed(root, "x@example.com"))
  })

  rule("refuses what sign-up refuses", function* () {
    const { root } = yield* both
    const code = (input: object) => root.code(adminCreateUser, { email: "new@example.com", password, ...input })
    assert.strictEqual(yield* code({ password: "1234567" }), "password_too_short")
    assert.strictEqual(yield* code({ password: "x".repeat(129) }), "password_too_long")
    for (const taken of [email, "ADA@example.com"]) assert.strictEqual(yield* code({ email: taken }), "user_already_exists")
    for (const address of ["", "new", "+4915112345678@phone.service", "0xabc@siwe.local", "idp_one:7", null, 7])
      assert.strictEqual(yield* code({ email: address }), "invalid_request", String(address))
    for (const input of [{ password: undefined }, { password: 12345678 }, { name: 7 }, { name: "\0" }])
      assert.strictEqual(yield* code(input), "invalid_request")
    assert.lengthOf(yield* rows(Users), 2)
    for (const length of [8, 128]) yield* root.body(adminCreateUser, { email: `${length}@example.com`, password: "x".repeat(length) })
  })

  rule("of ten concurrent calls for one address one succeeds", function* () {
    const { root } = yield* both
    const tally = yield* atOnce(times(10, () => root.call(adminCreateUser, { email: "new@example.com", password, role: "admin" })))
    assert.deepStrictEqual(tally, { ok: 1, user_already_exists: 9 })
    assert.lengthOf(yield* rows(Users), 3)
    assert.lengthOf(yield* rows(AdminMetadatas), 1)
  })

  rule(
    "mails a link where addresses must be verified",
    function* () {
      const rootBrowser = yield* signedUp(root)
      const { commit, read } = yield* Store
      const held = Option.getOrThrow(yield* read(Users, { email: root }))
      yield* commit([{ _tag: "put", table: Users, row: { ...held.row, email_verified: true } }])
      yield* rootBrowser.body(adminCreateUser, { email: "new@example.com", password })
      assert.include(
        (yield* emails).map(({ to }) => to),
        "new@example.com",
      )
      assert.strictEqual(yield* browser().code(signInEmail, { email: "new@example.com", password }), "email_not_verified")
    },
    { email_password: { enabled: true, require_email_verification: true } },
  )
})

describe("remove-user", () => {
  rule("removes the user and all of their data, and no other user", function* () {
    const { root, ada } = yield* both
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "admin" })
    yield* browser().body(requestPasswordReset, { email })
    assert.deepStrictEqual(yield* root.call(adminRemoveUser, { user_id: ada.user.id }), { body: { success: true }, session: "keep" })
    assert.isFalse(yield* isSignedIn(ada))
    for (const table of [Users, Accounts, Sessions]) assert.lengthOf(yield* rows(table), 1, table.name)
    for (const table of [AdminMetadatas, MailedTokens]) assert.lengthOf(yield* rows(table), 0, table.name)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
  })

  rule("administrators cannot remove themselves", function* () {
    const { root } = yield* both
    assert.strictEqual(yield* root.code(adminRemoveUser, { user_id: root.user.id }), "invalid_request")
    assert.lengthOf(yield* rows(Users), 2)
  })

  rule("leaves no row that a concurrent operation writes", function* () {
    const { root, ada } = yield* both
    const user_id = ada.user.id
    const tally = yield* atOnce([
      ...times(5, () => root.call(adminBanUser, { user_id })),
      root.call(adminRemoveUser, { user_id }),
      ...times(5, () => root.call(adminSetRole, { user_id, role: "admin" })),
      ...times(5, () => browser().call(signInEmail, { email, password })),
    ])
    assert.isAtLeast(tally["ok"] ?? 0, 1)
    assert.includeMembers(["ok", "user_not_found", "invalid_credentials", "banned"], Object.keys(tally))
    assert.lengthOf(yield* rows(AdminMetadatas), 0)
    for (const table of [Users, Accounts, Sessions]) assert.lengthOf(yield* rows(table), 1, table.name)
  })
})

describe("revoke-user-sessions", () => {
  rule("ends the valid sessions and counts them", function* () {
    const { root, ada } = yield* both
    const user_id = ada.user.id
    yield* signedIn(email)
    yield* TestClock.adjust("6 days")
    const young = [yield* signedIn(email), yield* signedIn(email)]
    yield* TestClock.adjust("1 day")
    const again = yield* signedIn(root.user.email)
    assert.deepStrictEqual(yield* again.call(adminRevokeUserSessions, { user_id }), { body: { revoked: 2 }, session: "keep" })
    assert.lengthOf(yield* Effect.filter([ada, ...young], isSignedIn), 0)
    assert.deepStrictEqual(yield* again.body(adminRevokeUserSessions, { user_id }), { revoked: 0 })
    yield* signedIn(email)
  })

  rule("ends the caller's own sessions", function* () {
    const { root } = yield* both
    const reply = yield* root.call(adminRevokeUserSessions, { user_id: root.user.id })
    assert.deepStrictEqual(reply, { body: { revoked: 1 }, session: "clear" })
    assert.strictEqual(yield* root.code(adminListUsers), "unauthorized")
  })
})

describe("list-users", () => {
  /** Users with names, one per second, some with the same name. */
  const crowd = Effect.fnUntraced(function* (count: number) {
    const { commit } = yield* Store
    const people = times(count, (index) => {
      const created_at = DateTime.makeUnsafe(1_000_000 + Math.floor(index / 3) * 1000)
      const id = `user-${String((index * 7) % count).padStart(3, "0")}`
      const name = index % 2 === 0 ? null : `Person ${index}`
      return storedUser({ id, email: `person${index}@example.com`, name, created_at })
    })
    yield* commit(people.map((user) => insert(Users, user)))
    return people
  })

  /** All pages, each with this limit. */
  const paged = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, input: object) {
    let pages: ReadonlyArray<ReadonlyArray<string>> = []
    let next: string | null = null
    do {
      const page: { users: ReadonlyArray<{ id: string }>; next_cursor?: string | null } = yield* their.body(adminListUsers, {
        ...input,
        ...(next === null ? {} : { cursor: next }),
      })
      pages = [...pages, page.users.map(({ id }) => id)]
      next = page.next_cursor ?? null
    } while (next !== null)
    return pages
  })

  rule("shows users with role and ban, the newest first", function* () {
    const { root, ada } = yield* both
    yield* TestClock.adjust("1 second")
    const bob = yield* signedUp("bob@example.com")
    yield* root.body(adminSetRole, { user_id: ada.user.id, role: "admin" })
    yield* root.body(adminBanUser, { user_id: bob.user.id })
    const answer = yield* root.body(adminListUsers)
    assert.deepStrictEqual(answer, {
      users: [
        { ...bob.user, role: "user", banned: true },
        { ...ada.user, role: "admin", banned: false },
        { ...root.user, role: "user", banned: false },
      ],
    })
    assert.isString((yield* onWire(adminListUsers, answer)).users[0].created_at)
  })

  rule("pages through 25 users by tens, without a gap or a repetition", function* () {
    const rootBrowser = yield* signedUp(root)
    const people = yield* crowd(24)
    const order = (one: (typeof people)[number], other: (typeof people)[number]) =>
      DateTime.toEpochMillis(other.created_at) - DateTime.toEpochMillis(one.created_at) || (one.id < other.id ? 1 : -1)
    const ids = [...people.toSorted(order).map(({ id }) => id), rootBrowser.user.id]
    const pages = yield* paged(rootBrowser, { limit: 10 })
    assert.deepStrictEqual(
      pages.map(({ length }) => length),
      [10, 10, 5],
    )
    assert.deepStrictEqual(pages.flat(), ids)
    assert.deepStrictEqual(
      yield* paged(rootBrowser, { limit: "5" }),
      times(5, (page) => ids.slice(page * 5, page * 5 + 5)),
    )
    assert.deepStrictEqual(yield* paged(rootBrowser, {}), [ids])
    assert.deepStrictEqual(yield* paged(rootBrowser, { limit: 10, search: "PERSON" }), [
      ids.slice(0, 10),
      ids.slice(10, 20),
      ids.slice(20, 24),
    ])
  })

  rule("continues after a page even if its last user was removed", function* () {
    const rootBrowser = yield* signedUp(root)
    yield* crowd(9)
    const whole = (yield* paged(rootBrowser, {})).flat()
    const first = yield* rootBrowser.body(adminListUsers, { limit: 3 })
    yield* rootBrowser.body(adminRemoveUser, { user_id: whole[2] })
    const rest = yield* rootBrowser.body(adminListUsers, { limit: 100, cursor: first.next_cursor })
    assert.deepStrictEqual(
      rest.users.map(({ id }) => id),
      whole.slice(3),
    )
  })

  rule("finds each user once by the beginning of the address or the name, in any case", function* () {
    const rootBrowser = yield* signedUp(root)
    const made: ReadonlyArray<readonly [string, string | null]> = [
      ["ada@example.com", "Ada Lovelace"],
      ["bob@example.com", "adam"],
      ["carl@example.com", "Ëlodie"],
      ["dora_x@example.com", "  ADELE"],
      ["eve%@example.com", null],
      ["fred@ada.example", "Fred"],
    ]
    for (const [email, name] of made) yield* rootBrowser.body(adminCreateUser, { email, password, ...(name === null ? {} : { name }) })
    const found = (search: string) =>
      Effect.map(rootBrowser.body(adminListUsers, { search }), ({ users }) => users.map(({ email }) => email.split("@")[0]).toSorted())
    assert.deepStrictEqual(yield* found("ada"), ["ada", "bob"])
    assert.deepStrictEqual(yield* found(" ADA"), ["ada", "bob"])
    assert.deepStrictEqual(yield* found("ad"), ["ada", "bob", "dora_x"])
    assert.deepStrictEqual(yield* found("ada "), ["ada"])
    assert.deepStrictEqual(yield* found("e\u0308LO"), ["carl"])
    assert.deepStrictEqual(yield* found("lovelace"), [])
    assert.deepStrictEqual(yield* found("dora_"), ["dora_x"])
    assert.deepStrictEqual(yield* found("dora%"), [])
    assert.deepStrictEqual(yield* found("eve%"), ["eve%"])
    assert.deepStrictEqual(yield* found("e.e"), [])
    for (const text of ["\0", "a\0", "\ud800", "zzz"]) assert.deepStrictEqual(yield* found(text), [], JSON.stringify(text))
    for (const text of ["", "  "]) assert.lengthOf(yield* found(text), 7)
  })

  rule("lists the newest match first, whether the address or the name matches", function* () {
    const rootBrowser = yield* signedUp(root)
    const add = (email: string, name: string) => rootBrowser.body(adminCreateUser, { email, password, name })
    const ids: Array<string> = []
    for (const [email, name] of [
      ["ada@example.com", "Countess"],
      ["one@example.com", "Ada"],
      ["ada.too@example.com", "Countess"],
      ["two@example.com", "Ada"],
    ] as const) {
      ids.unshift((yield* add(email, name)).user.id)
      yield* TestClock.adjust("1 second")
    }
    const together: Array<string> = []
    for (const [email, name] of times(
      3,
      (index) =>
        [
          [`three${index}@example.com`, "Ada"],
          [`ada${index}@example.com`, "Countess"],
        ] as const,
    ).flat())
      together.push((yield* add(email, name)).user.id)
    const { users } = yield* rootBrowser.body(adminListUsers, { search: "ada" })
    assert.deepStrictEqual(
      users.map(({ id }) => id),
      [...together.toSorted().reverse(), ...ids],
    )
  })

  rule("finds a user by their new name and not by the old one, however long", function* () {
    const { root, ada } = yield* both
    const name = `Augusta ${"Ada ".repeat(62)}`
    yield* ada.body(updateUser, { name })
    assert.strictEqual((yield* ada.body(getSession)).user?.name, name)
    for (const search of ["augusta", name]) assert.lengthOf((yield* root.body(adminListUsers, { search })).users, 1)
    yield* ada.body(updateUser, { name: "Countess" })
    assert.lengthOf((yield* root.body(adminListUsers, { search: "augusta" })).users, 0)
    assert.lengthOf((yield* root.body(adminListUsers, { search: "countess" })).users, 1)
  })

  rule("accepts a limit from 1 to 1000 as digits or as a number, and only its own cursors", function* () {
    const { root } = yield* both
    for (const limit of [1, "1", 1000, "1000", "0007"]) yield* root.body(adminListUsers, { limit })
    for (const limit of [0, "0", 1001, "1001", -1, "-1", 1.5, "1.5", "", " 1", "1e2", "0x10", "ten", null, [], ["1", "2"], true])
      assert.strictEqual(yield* root.code(adminListUsers, { limit }), "invalid_request", JSON.stringify(limit))
    const forged = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url")
    for (const cursor of [
      "",
      "x",
      "%%%",
      7,
      null,
      ["x"],
      forged({}),
      forged([1, "a"]),
      forged({ at: "1", id: "a" }),
      forged({ at: 1, id: 7 }),
      forged({ at: 1, id: "\0" }),
      forged({ at: 8.64e15, id: "a" }),
      forged({ at: 1.5, id: "a" }),
    ])
      assert.strictEqual(yield* root.code(adminListUsers, { cursor }), "invalid_request", JSON.stringify(cursor))
    assert.lengthOf((yield* root.body(adminListUsers, { cursor: forged({ at: -1, id: "a" }) })).users, 0)
    for (const search of [7, null, ["a", "b"]]) assert.strictEqual(yield* root.code(adminListUsers, { search }), "invalid_request")
  })

  rule("calls the store as often for many users as for few", function* () {
    const rootBrowser = yield* signedUp(root)
    const trips = (input: object) => Effect.map(counted(rootBrowser.body(adminListUsers, input)), ([, operations]) => operations)
    const few = [yield* trips({}), yield* trips({ search: "person" })]
    yield* crowd(300)
    assert.deepStrictEqual([yield* trips({}), yield* trips({ search: "person" })], few)
  })
})
