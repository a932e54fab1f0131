import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  onWire,
  password,
  rows,
  signedUp as signedUpTo,
  times,
} from "../../../world.ts"

const root = "root@example.com"
const worldOf = (settings: object) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, ...settings }))
  const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
  return { built, modules, auth: AuthOf.make(modules) }
}
const { built, modules, auth } = worldOf({ suspension: true })
const off = worldOf({})
const rule = rulesOf(modules)
const { adminBanUser, adminRolesAssign, adminUnbanUser, adminUsersResume, adminUsersShow, adminUsersSuspend } = built.endpoints
const { signInEmail } = endpoints

const email = "ada@example.com"
const reason = "many complaints"
const both = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUpTo(root, auth), yield* signedUpTo(email, auth)]
  return { owner, ada, user_id: ada.user.id }
})
/** The answer to a sign-in. */
const signIn = (service = auth) =>
  Effect.match(browser(service).call(signInEmail, { email, password }), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })
const typesOf = (id: string) =>
  Effect.map(rows(Records), (all) =>
    all.flatMap(({ type, subject_id }) => (subject_id === id && /^user\.[a-z]+ed$/.test(type) ? [type] : [])).toSorted(),
  )

describe("POST /admin/users/suspend", () => {
  rule("ends the sessions, refuses sign-ins and tells the user, without the reason", function* () {
    const { owner, ada, user_id } = yield* both
    const shown = yield* owner.body(adminUsersSuspend, { user_id, reason })
    assert.deepStrictEqual((yield* onWire(adminUsersSuspend, shown)).ban, { kind: "suspension", reason, expires_at: null })
    assert.isTrue(shown.user.banned)
    assert.isFalse(yield* isSignedIn(ada))
    assert.deepInclude(yield* Effect.flip(browser(auth).call(signInEmail, { email, password })), {
      _tag: "suspended",
      status: 403,
      session: "clear",
    })
    const [sent, ...others] = yield* emails
    assert.deepStrictEqual([sent?.to, others.length], [email, 0])
    assert.notInclude(JSON.stringify(sent), reason)
    assert.include(yield* typesOf(user_id), "user.suspended")
    const withoutNotes = (yield* rows(Records)).map(({ note: _, ...record }) => record)
    assert.notInclude(JSON.stringify(withoutNotes), reason)
  })

  rule("ends at its time", function* () {
    const { owner, user_id } = yield* both
    for (const until of ["1970-01-01T00:00:00Z", "2071-01-01T00:00:00Z", "never"])
      assert.strictEqual(yield* owner.code(adminUsersSuspend, { user_id, reason, until }), "invalid_request", until)
    yield* owner.body(adminUsersSuspend, { user_id, reason, until: "1970-01-01T00:01:00Z" })
    yield* TestClock.adjust("59999 millis")
    assert.strictEqual(yield* signIn(), "suspended")
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* signIn(), "ok")
  })

  rule("keeps of the reason one line, without characters that reorder text", function* () {
    const { owner, user_id } = yield* both
    const shown = yield* owner.body(adminUsersSuspend, { user_id, reason: " sent\r\n\u0007spam\u202e \u2066to\u200b all\u2028of us " })
    assert.strictEqual(shown.ban?.reason, "sent spam to all of us")
    for (const empty of ["", " \n", "\u202e\u0000", "x".repeat(501), 7, undefined])
      assert.strictEqual(yield* owner.code(adminUsersSuspend, { user_id, reason: empty }), "invalid_request")
  })

  rule("changes only the version that the caller has seen, once", function* () {
    const { owner, user_id } = yield* both
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const suspend = () => owner.call(adminUsersSuspend, { user_id, reason, expected_version: version })
    assert.deepStrictEqual(yield* atOnce(times(10, suspend)), { ok: 1, version_mismatch: 9 })
    assert.lengthOf(yield* emails, 1)
    const next = (yield* owner.body(adminUsersShow, { user_id })).version
    assert.strictEqual(yield* owner.code(adminUsersResume, { user_id, expected_version: version }), "version_mismatch")
    yield* owner.body(adminUsersResume, { user_id, expected_version: next })
  })

  rule("concerns neither oneself nor the last administrator, nor a user who is banned", function* () {
    const { owner, user_id } = yield* both
    assert.strictEqual(yield* owner.code(adminUsersSuspend, { user_id: owner.user.id, reason }), "invalid_request")
    yield* owner.body(adminBanUser, { user_id, expires_in: 60 })
    for (const endpoint of [adminUsersSuspend, adminUsersResume] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* owner.code(endpoint, { user_id, reason }), "invalid_request")
    assert.strictEqual(yield* signIn(), "banned")
    yield* TestClock.adjust("60 seconds")
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    assert.strictEqual(yield* owner.code(adminRolesAssign, { user_id, role: "support" }), "invalid_request")
    assert.strictEqual(yield* owner.code(adminUsersSuspend, { user_id: "unknown", reason }), "user_not_found")
  })

  rule("during a sign-in refuses its session", function* () {
    const { owner, user_id } = yield* both
    const tally = yield* atOnce([
      owner.call(adminUsersSuspend, { user_id, reason }),
      ...times(10, () => browser(auth).call(signInEmail, { email, password })),
    ])
    assert.isAtLeast((tally["suspended"] ?? 0) + (tally["ok"] ?? 0), 11)
    assert.lengthOf((yield* owner.body(built.endpoints.adminUsersSessions, { user_id })).sessions, 0)
  })
})

describe("POST /admin/users/resume", () => {
  rule("lets the user sign in again, and succeeds for a user who is not suspended", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    const shown = yield* owner.body(adminUsersResume, { user_id })
    assert.deepStrictEqual([shown.ban, shown.user.banned], [null, false])
    assert.deepStrictEqual(yield* owner.body(adminUsersResume, { user_id }), shown)
    assert.strictEqual(yield* signIn(), "ok")
    assert.includeMembers(yield* typesOf(user_id), ["user.suspended", "user.resumed"])
    assert.notInclude(yield* typesOf(user_id), "user.unbanned")
    assert.strictEqual(yield* owner.code(adminUsersResume, { user_id: "unknown" }), "user_not_found")
  })

  rule("is what the end of a ban does as well, and a ban replaces a suspension", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    yield* owner.body(adminUnbanUser, { user_id })
    assert.strictEqual(yield* signIn(), "ok")
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    yield* owner.body(adminBanUser, { user_id })
    assert.strictEqual(yield* signIn(), "banned")
  })
})

describe("without the setting", () => {
  rule("a suspended user is called banned, no user can be suspended, and a suspension can be ended", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    assert.strictEqual(yield* signIn(off.auth), "banned")
    const same = browser(off.auth, owner.jar)
    assert.strictEqual(yield* same.code(off.built.endpoints.adminUsersSuspend, { user_id, reason }), "invalid_request")
    yield* same.body(off.built.endpoints.adminUsersResume, { user_id })
    assert.strictEqual(yield* signIn(off.auth), "ok")
  })
})
