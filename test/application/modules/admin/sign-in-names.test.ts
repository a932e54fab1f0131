import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { Consents } from "../../../../application/modules/idp/authorization/consent-table.ts"
import { Usernames } from "../../../../application/modules/username/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Accounts, MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, endpoints as core, emails, password, rows, signedUp as signedUpTo, times, withVerified } from "../../../world.ts"

const [root, second, email] = ["root@example.com", "second@example.com", "ada@example.com"]
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root, second], roles: {} }))
const modules = [...everything.filter(({ name }) => name !== "admin"), built]
const auth = AuthOf.make(modules)
const { adminSetRole, adminUsersSetEmail, adminUsersShow } = built.endpoints
const endpointOf = (name: string): AnyEndpoint => auth.endpoints[name]!
const [adminUsersConsents, adminUsersRevokeConsent] = [endpointOf("adminUsersConsents"), endpointOf("adminUsersRevokeConsent")]
const [adminUsersSetPhone, adminUsersSetUsername] = [endpointOf("adminUsersSetPhone"), endpointOf("adminUsersSetUsername")]
const rule = rulesOf(modules)

const signedUp = (address: string) => signedUpTo(address, auth)
const both = Effect.gen(function* () {
  const owner = yield* signedUp(root)
  const ada = yield* signedUp(email)
  return { owner, ada, user_id: ada.user.id }
})
const manager = Effect.fnUntraced(function* (owner: ReturnType<typeof browser>) {
  const their = yield* signedUp("manager@example.com")
  yield* owner.body(adminSetRole, { user_id: their.user.id, role: "user_manager" })
  return their
})

describe("POST /admin/users/set-email", () => {
  rule("changes the address, tells both addresses, and ends the links that were mailed", function* () {
    const { owner, user_id } = yield* both
    yield* withVerified(user_id)
    yield* browser(auth).body(core.requestPasswordReset, { email })
    const before = (yield* emails).length
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const shown = yield* owner.body(adminUsersSetEmail, { user_id, email: "Lovelace@example.com", expected_version: version })
    assert.deepInclude(shown.user, { email: "lovelace@example.com", email_verified: false })
    const told = (yield* emails).slice(before).map(({ to }) => to)
    assert.sameMembers(told, [email, "lovelace@example.com"])
    assert.deepStrictEqual(yield* rows(MailedTokens), [])
    yield* browser(auth).body(core.signInEmail, { email: "lovelace@example.com", password })
    assert.strictEqual(
      yield* owner.code(adminUsersSetEmail, { user_id, email: "x@example.com", expected_version: version }),
      "version_mismatch",
    )
  })

  rule("can vouch for the new address, and keeps the present one as it is", function* () {
    const { owner, user_id } = yield* both
    const vouched = yield* owner.body(adminUsersSetEmail, { user_id, email: "lovelace@example.com", email_verified: true })
    assert.isTrue(vouched.user.email_verified)
    const same = yield* owner.body(adminUsersSetEmail, { user_id, email: "lovelace@example.com" })
    assert.isTrue(same.user.email_verified)
  })

  rule("refuses an address of another user, of an administrator, and an unknown user", function* () {
    const { owner, user_id } = yield* both
    assert.strictEqual(yield* owner.code(adminUsersSetEmail, { user_id, email: root }), "email_taken")
    assert.strictEqual(yield* owner.code(adminUsersSetEmail, { user_id: "unknown", email: "new@example.com" }), "user_not_found")
    const their = yield* manager(owner)
    // An address of `admin_emails` gives rights that the manager lacks.
    for (const email_verified of [true, false])
      assert.strictEqual(yield* their.code(adminUsersSetEmail, { user_id, email: second, email_verified }), "forbidden")
    assert.strictEqual(yield* their.code(adminUsersSetEmail, { user_id: owner.user.id, email: "mine@example.com" }), "forbidden")
  })

  rule("gives one address to one of ten users", function* () {
    const { owner } = yield* both
    const ids = yield* Effect.forEach(times(10, String), (index) => Effect.map(signedUp(`u${index}@example.com`), ({ user }) => user.id))
    const outcomes = yield* atOnce(ids.map((user_id) => owner.body(adminUsersSetEmail, { user_id, email: "one@example.com" })))
    assert.deepStrictEqual(outcomes, { ok: 1, email_taken: 9 })
    assert.lengthOf(
      (yield* rows(Users)).filter((user) => user.email === "one@example.com"),
      1,
    )
  })
})

describe("what a user signs in with, by administrators", () => {
  rule("a username is set, replaced and removed", function* () {
    const { owner, user_id } = yield* both
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    yield* owner.body(adminUsersSetUsername, { user_id, username: "Ada" })
    assert.notStrictEqual((yield* owner.body(adminUsersShow, { user_id })).version, version)
    assert.strictEqual(yield* owner.code(adminUsersSetUsername, { user_id: owner.user.id, username: "ADA" }), "username_taken")
    assert.strictEqual(yield* owner.code(adminUsersSetUsername, { user_id, username: "a b" }), "invalid_username")
    yield* owner.body(adminUsersSetUsername, { user_id, username: null })
    assert.deepStrictEqual(yield* rows(Usernames), [])
  })

  rule("a phone number is linked, replaces the former one, and is told by mail", function* () {
    const { owner, user_id } = yield* both
    for (const phone of ["+442079460018", "+442079460019"]) yield* owner.body(adminUsersSetPhone, { user_id, phone })
    const linked = (yield* rows(Accounts)).filter((account) => account.provider_id === "phone")
    assert.deepStrictEqual(
      linked.map(({ account_id }) => account_id),
      ["+442079460019"],
    )
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email, email],
    )
    assert.strictEqual(yield* owner.code(adminUsersSetPhone, { user_id: owner.user.id, phone: "+442079460019" }), "phone_taken")
    assert.strictEqual(yield* owner.code(adminUsersSetPhone, { user_id, phone: "none" }), "invalid_request")
  })

  rule("consents are listed and revoked", function* () {
    const { owner, ada, user_id } = yield* both
    const { created_at: now } = ada.user
    const row = { id: "consent", user_id, client_id: "gone", scope: "openid email", granted_at: now, created_at: now }
    yield* (yield* Store).commit([insert(Consents, row)])
    const { grants } = yield* owner.body(adminUsersConsents, { user_id })
    assert.lengthOf(grants, 1)
    assert.deepInclude(grants[0], { scopes: ["openid", "email"] })
    yield* owner.body(adminUsersRevokeConsent, { user_id, client_id: "gone" })
    yield* owner.body(adminUsersRevokeConsent, { user_id, client_id: "gone" })
    assert.deepStrictEqual((yield* owner.body(adminUsersConsents, { user_id })).grants, [])
    assert.strictEqual(yield* owner.code(adminUsersConsents, { user_id: "unknown" }), "user_not_found")
  })
})
