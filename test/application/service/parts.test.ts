import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import * as Module from "../../../application/service/module.ts"
import type { AuthError } from "../../../domain/errors.ts"
import type { ProvedSignIn } from "../../../domain/policies.ts"
import { insert, removeAll, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { rotate } from "../../../domain/secrets/sealing.ts"
import * as Keys from "../../../domain/tokens/keys.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { User } from "../../../domain/users/user.ts"
import { rulesOf } from "../../rule.ts"
import { enrolled, built as twoFactor } from "../../two-factor.ts"
import { browser, core, emails, endpoints, mailedToken, password, rows, signedUp, type WorldServices, withVerified } from "../../world.ts"

const Device = Schema.Struct({ user_id: Schema.String, trusted_at: Schema.DateTimeUtc })
const Devices = Table.make("device", Device, { key: "user_id", references: { user_id: Users } })

/** The sign-ins by password. */
const afterPassword = ["/sign-in/email", "/sign-in/username"]

/** The calls of the rule: each new password, with the user's address. */
let asked: Array<string> = []
const refused = "The password names a colour."

const trust = Module.define({
  name: "trust",
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Devices],
    challengeWaivers: [
      {
        of: "two_factor",
        waives: Effect.fnUntraced(function* isTrusted({ id }: User, challenge: object, { proof, began }: ProvedSignIn) {
          assert.deepStrictEqual(Object.keys(challenge), ["two_factor_required", "methods"])
          assert.strictEqual(proof, "single_factor")
          // A mailed code and a device would both prove possession only.
          if (!afterPassword.includes(began.path)) return false
          return Option.isSome(yield* (yield* Store).read(Devices, { user_id: id }))
        }),
      },
    ],
    secondFactorRemoved: ({ id }: User) => Effect.succeed([removeAll(Devices, { user_id: id })]),
    passwordChanged: ({ id }: User) => Effect.succeed([removeAll(Devices, { user_id: id })]),
    passwordRules: [
      (typed: string, user: User | null) =>
        Effect.sync(() => {
          asked.push(`${typed} of ${user?.email ?? "no user"}`)
          return typed.includes("green") ? Option.some(refused) : Option.none()
        }),
    ],
  }),
}).build({})

const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
const links = magicLink.build({ expires_in: 600, disable_signup: false })
const modules = [...core, twoFactor, administration, links, trust]
const rule = rulesOf(modules)

const email = "ada@example.com"
const green = "evergreen battery staple"
const better = "another fine password"
const { signInEmail, signUpEmail, changePassword, requestPasswordReset, resetPassword, sendVerificationEmail, verifyEmail } = endpoints

const trusted = Effect.fnUntraced(function* (user_id: string) {
  yield* (yield* Store).commit([insert(Devices, { user_id, trusted_at: yield* DateTime.now })])
})

/** Ada with an authenticator app and an address that was never verified, on a device that she trusts. */
const unverified = Effect.gen(function* () {
  const ada = yield* signedUp(email)
  yield* enrolled(ada)
  yield* trusted(ada.user.id)
  return ada
})

/** The same with a verified address. */
const trusting = Effect.tap(unverified, ({ user }) => withVerified(user.id))

/** The answer to Ada's sign-in. */
const answer = Effect.suspend(() => Effect.map(browser().call(signInEmail, { email, password }), ({ body }) => Object.keys(Object(body))))
const challenge = ["two_factor_required", "methods", "challenge_token", "expires_in"]

describe("a challenge waiver", () => {
  rule("admits a user without the challenge while it is valid", function* () {
    const ada = yield* trusting
    assert.deepStrictEqual(yield* answer, ["user"])
    yield* (yield* Store).commit([removeAll(Devices, { user_id: ada.user.id })])
    assert.deepStrictEqual(yield* answer, challenge)
  })

  rule("receives how the sign-in began: it can admit only after a password", function* () {
    yield* trusting
    assert.deepStrictEqual(yield* answer, ["user"])
    yield* browser().body(links.endpoints.magicLinkSend, { email })
    const { body } = yield* browser().call(links.endpoints.magicLinkVerify, { token: yield* mailedToken })
    assert.deepStrictEqual(Object.keys(Object(body)), challenge)
  })

  const ofAnother = Module.define({
    name: "of_another",
    settings: Module.NoSettings,
    parts: () => ({ challengeWaivers: [{ of: "one_factor", waives: () => Effect.succeed(true) }] }),
  }).build({})
  rulesOf([...core, twoFactor, ofAnother])("applies to the challenges of the named module only", function* () {
    yield* enrolled(yield* signedUp(email))
    assert.deepStrictEqual(yield* answer, challenge)
  })
})

describe("a rule for passwords", () => {
  const fault = (call: Effect.Effect<unknown, AuthError, WorldServices>) =>
    Effect.map(Effect.flip(call), ({ _tag, message }) => [_tag, message])

  rule("refuses new passwords at every endpoint that sets one, with its sentence", function* () {
    asked = []
    const ada = yield* signedUp(email)
    yield* withVerified(ada.user.id)
    const root = yield* signedUp("root@example.com")
    yield* withVerified(root.user.id)
    const expected = ["invalid_request", refused]
    assert.deepStrictEqual(yield* fault(browser().call(signUpEmail, { email: "bob@example.com", password: green })), expected)
    assert.deepStrictEqual(yield* fault(ada.call(changePassword, { current_password: password, new_password: green })), expected)
    const made = { email: "bob@example.com", password: green }
    assert.deepStrictEqual(yield* fault(root.call(administration.endpoints.adminCreateUser, made)), expected)
    yield* browser().body(requestPasswordReset, { email })
    const reset = { token: yield* mailedToken, new_password: green }
    assert.deepStrictEqual(yield* fault(browser().call(resetPassword, reset)), expected)
    assert.deepStrictEqual(asked, [
      `${password} of no user`,
      `${password} of no user`,
      `${green} of no user`,
      `${green} of ${email}`,
      `${green} of no user`,
      `${green} of ${email}`,
    ])
    assert.strictEqual((yield* rows(Users)).length, 2)
    yield* browser().body(resetPassword, { ...reset, new_password: better })
  })

  rule("is not called for passwords that the built-in rules refuse, or with an invalid token", function* () {
    const ada = yield* signedUp(email)
    asked = []
    assert.strictEqual(yield* ada.code(changePassword, { current_password: password, new_password: "green" }), "password_too_short")
    assert.strictEqual(yield* browser().code(resetPassword, { token: "unknown", new_password: green }), "invalid_token")
    assert.deepStrictEqual(asked, [])
  })
})

describe("a change of the password", () => {
  rule("commits the writes of modules with the new password", function* () {
    const ada = yield* trusting
    yield* ada.body(changePassword, { current_password: password, new_password: better })
    assert.deepStrictEqual(yield* rows(Devices), [])
  })

  rule("commits them with a reset, too", function* () {
    yield* trusting
    yield* browser().body(requestPasswordReset, { email })
    yield* browser().body(resetPassword, { token: yield* mailedToken, new_password: better })
    assert.deepStrictEqual(yield* rows(Devices), [])
  })

  rule("commits none when it is refused", function* () {
    const ada = yield* trusting
    yield* ada.code(changePassword, { current_password: "a wrong password", new_password: better })
    assert.strictEqual((yield* rows(Devices)).length, 1)
  })
})

describe("a removal of the second factor", () => {
  rule("commits the writes of modules with it", function* () {
    const ada = yield* trusting
    yield* ada.body(twoFactor.endpoints.twoFactorTotpDisable, { password })
    assert.deepStrictEqual(yield* rows(Devices), [])
  })

  rule("commits them when a never-verified account returns to the owner of its address", function* () {
    yield* unverified
    yield* browser().body(requestPasswordReset, { email })
    yield* browser().body(resetPassword, { token: yield* mailedToken, new_password: better })
    assert.deepStrictEqual([yield* rows(TwoFactors), yield* rows(Devices)], [[], []])
  })

  rule("commits them when the owner follows the verification link", function* () {
    yield* unverified
    yield* browser().body(sendVerificationEmail, { email })
    yield* browser().body(verifyEmail, { token: yield* mailedToken })
    assert.deepStrictEqual([yield* rows(TwoFactors), yield* rows(Devices)], [[], []])
  })

  rule("is none for a user without a second factor", function* () {
    const ada = yield* signedUp(email)
    yield* trusted(ada.user.id)
    yield* browser().body(sendVerificationEmail, { email })
    yield* browser().body(verifyEmail, { token: yield* mailedToken })
    assert.lengthOf(yield* rows(Devices), 1)
  })

  rule("commits them with an unreadable factor that `secret rotate` removes, and writes the user", function* () {
    const ada = yield* trusting
    const { read } = yield* Store
    const before = Option.getOrThrow(yield* read(Users, { id: ada.user.id }))
    const rotated = (removeUnreadable: boolean) =>
      Effect.provide(rotate([TwoFactors], { removeUnreadable }), [
        Keys.layer([Redacted.make("another secret of thirty-two bytes or more")]),
        commandPolicies(modules),
      ])
    yield* rotated(false)
    assert.lengthOf(yield* rows(Devices), 1)
    yield* rotated(true)
    assert.deepStrictEqual([yield* rows(TwoFactors), yield* rows(Devices)], [[], []])
    assert.isAbove(Option.getOrThrow(yield* read(Users, { id: ada.user.id })).revision, before.revision)
  })
})

describe("an authenticator table without a label", () => {
  const noted = Module.define({
    name: "noted",
    settings: Module.NoSettings,
    parts: () => ({ tables: [Devices], reclaimedTables: [{ table: Devices }] }),
  }).build({})
  rulesOf([...core, noted])("loses its rows to the owner of the address, and no mail names them", function* () {
    const ada = yield* signedUp(email)
    yield* trusted(ada.user.id)
    yield* browser().body(requestPasswordReset, { email })
    assert.notInclude((yield* emails).at(-1)?.text, "other ways to sign in")
    yield* browser().body(resetPassword, { token: yield* mailedToken, new_password: better })
    assert.deepStrictEqual(yield* rows(Devices), [])
  })
})
