import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { provider_id as passkeyProvider } from "../../../../application/modules/passkey/table.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { enrolled, built as factors } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  linked,
  password,
  rows,
  signedUp as signedUpTo,
  times,
} from "../../../world.ts"
import { built as passkeys } from "../passkey/passkeys.ts"

const root = "root@example.com"
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {} }))
const modules = [...core, built, factors, passkeys]
const auth = AuthOf.make(modules)
const { adminUsersCredentials, adminUsersRemoveCredential, adminUsersResetFactors, adminUsersShow } = built.endpoints
const { signInEmail } = endpoints

const email = "ada@example.com"
const reason = "lost the telephone"
const rule = (name: string, shown: Parameters<ReturnType<typeof rulesOf>>[1]) =>
  rulesOf(modules)(name, function* () {
    yield* TestClock.setTime(1_700_000_010_000)
    yield* Effect.gen(shown)
  })
const both = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUpTo(root, auth), yield* signedUpTo(email, auth)]
  return { owner, ada, user_id: ada.user.id }
})
const idsOf = Effect.fnUntraced(function* (user_id: string) {
  const all = (yield* rows(Accounts)).filter((account) => account.user_id === user_id)
  return new Map(all.map(({ provider_id, id }) => [provider_id, id]))
})

describe("POST /admin/users/remove-credential", () => {
  rule("removes one credential and tells the user; the last one only by force", function* () {
    const { owner, user_id } = yield* both
    yield* linked(user_id, "github")
    const { accounts } = yield* owner.body(adminUsersCredentials, { user_id })
    const idOf = (provider: string) => accounts.find(({ provider_id }) => provider_id === provider)?.id
    yield* owner.body(adminUsersRemoveCredential, { user_id, credential_id: idOf("credential") })
    assert.strictEqual(yield* browser(auth).code(signInEmail, { email, password }), "invalid_credentials")
    const last = { user_id, credential_id: idOf("github") }
    assert.strictEqual(yield* owner.code(adminUsersRemoveCredential, last), "last_account")
    assert.strictEqual(yield* owner.code(adminUsersRemoveCredential, { ...last, force: false }), "last_account")
    yield* owner.body(adminUsersRemoveCredential, { ...last, force: true })
    assert.strictEqual((yield* idsOf(user_id)).size, 0)
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email, email],
    )
  })

  rule("removes none of another user, of oneself, or with another version", function* () {
    const { owner, ada, user_id } = yield* both
    yield* linked(user_id, "github")
    const foreign = (yield* idsOf(owner.user.id)).get("credential")
    for (const force of [true, false]) {
      const call = owner.code(adminUsersRemoveCredential, { user_id, credential_id: foreign, force })
      assert.strictEqual(yield* call, "account_not_found")
      assert.strictEqual(yield* owner.code(adminUsersRemoveCredential, { user_id, credential_id: "unknown", force }), "account_not_found")
    }
    assert.strictEqual(
      yield* owner.code(adminUsersRemoveCredential, { user_id: owner.user.id, credential_id: foreign, force: true }),
      "invalid_request",
    )
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const removals = [...(yield* idsOf(user_id)).values()].map((credential_id) =>
      owner.call(adminUsersRemoveCredential, { user_id, credential_id, expected_version: version, force: true }),
    )
    assert.deepStrictEqual(yield* atOnce(removals), { ok: 1, version_mismatch: 1 })
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("of two that are removed at once, one stays", function* () {
    const { owner, user_id } = yield* both
    yield* linked(user_id, "github")
    const removals = [...(yield* idsOf(user_id)).values()].map((credential_id) =>
      owner.call(adminUsersRemoveCredential, { user_id, credential_id }),
    )
    assert.deepStrictEqual(yield* atOnce(removals), { ok: 1, last_account: 1 })
  })
})

describe("POST /admin/users/reset-factors", () => {
  rule("removes app and passkeys, ends the sessions, and tells the user without the reason", function* () {
    const { owner, ada, user_id } = yield* both
    yield* enrolled(ada)
    yield* linked(user_id, passkeyProvider)
    const sent = (yield* emails).length
    yield* owner.body(adminUsersResetFactors, { user_id, reason })
    assert.isEmpty(yield* rows(TwoFactors))
    assert.deepStrictEqual([...(yield* idsOf(user_id)).keys()], ["credential"])
    assert.isFalse(yield* isSignedIn(ada))
    yield* browser(auth).body(signInEmail, { email, password })
    const [mail, ...others] = (yield* emails).slice(sent)
    assert.deepStrictEqual([mail?.to, others.length], [email, 0])
    assert.notInclude(JSON.stringify(mail), reason)
    yield* owner.body(adminUsersResetFactors, { user_id, reason })
    assert.lengthOf(yield* emails, sent + 1)
  })

  rule("removes the factors of one kind, and leaves the others", function* () {
    const { owner, ada, user_id } = yield* both
    yield* enrolled(ada)
    yield* linked(user_id, passkeyProvider)
    const { authenticators } = yield* owner.body(adminUsersCredentials, { user_id })
    const kind = authenticators[0]?.kind
    for (const wrong of ["unknown", "", "credential"])
      assert.strictEqual(yield* owner.code(adminUsersResetFactors, { user_id, reason, kind: wrong }), "invalid_request")
    const sent = (yield* emails).length
    yield* owner.body(adminUsersResetFactors, { user_id, reason, kind })
    assert.isEmpty(yield* rows(TwoFactors))
    assert.sameMembers([...(yield* idsOf(user_id)).keys()], ["credential", passkeyProvider])
    assert.isFalse(yield* isSignedIn(ada))
    assert.lengthOf(yield* emails, sent + 1)
    yield* owner.body(adminUsersResetFactors, { user_id, reason, kind })
    assert.lengthOf(yield* emails, sent + 1)
    yield* owner.body(adminUsersResetFactors, { user_id, reason, kind: passkeyProvider })
    assert.deepStrictEqual([...(yield* idsOf(user_id)).keys()], ["credential"])
  })

  rule("refuses to remove the only way to sign in, unless forced", function* () {
    const { owner, user_id } = yield* both
    yield* linked(user_id, passkeyProvider)
    yield* owner.body(adminUsersRemoveCredential, { user_id, credential_id: (yield* idsOf(user_id)).get("credential") })
    assert.strictEqual(yield* owner.code(adminUsersResetFactors, { user_id, reason }), "last_account")
    yield* owner.body(adminUsersResetFactors, { user_id, reason, force: true })
    assert.strictEqual((yield* idsOf(user_id)).size, 0)
  })

  rule("needs a reason, another user, and the version", function* () {
    const { owner, user_id } = yield* both
    for (const wrong of [{}, { reason: "" }, { reason: "\u202e" }, { reason, user_id: owner.user.id }])
      assert.strictEqual(yield* owner.code(adminUsersResetFactors, { user_id, ...wrong }), "invalid_request")
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const reset = () => owner.call(adminUsersResetFactors, { user_id, reason, expected_version: version })
    assert.deepStrictEqual(yield* atOnce(times(10, reset)), { ok: 1, version_mismatch: 9 })
  })
})
