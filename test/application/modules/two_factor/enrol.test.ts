import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../../application/modules/email_otp/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import { social } from "../../../../application/modules/social/index.ts"
import { TwoFactorEnrolmentChallenge } from "../../../../application/modules/two_factor/challenge.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { Reply } from "../../../../application/service/endpoint.ts"
import * as Module from "../../../../application/service/module.ts"
import { CodeSettings } from "../../../../domain/limits/codes.ts"
import type { OpenedSession } from "../../../../domain/policies.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { newAccount } from "../../../../domain/sign-in/account-links.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { authenticator } from "../../../passkeys.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, built as notRequiring, shownBy, step, verified } from "../../../two-factor.ts"
import {
  at,
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  password,
  rows,
  signedUp,
  texts,
  times,
  type WorldServices,
} from "../../../world.ts"
import { added, answered, built as passkey } from "../passkey/passkeys.ts"
import { configured, makeProvider } from "../social/provider.ts"

const required = (of: "admins" | "everyone") =>
  twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 10, required: of })
const everyone = required("everyone")
const admins = required("admins")
const { signUpEmail, signInEmail, changePassword } = endpoints
const { twoFactorTotpEnrol, twoFactorTotpEnrolConfirm, twoFactorTotpChallenge, twoFactorTotpStatus, twoFactorTotpDisable } =
  everyone.endpoints
const codes = Schema.decodeSync(CodeSettings)({})
const mailing = emailOtp.build(codes)
const texting = phone.build(codes)
const administration = admin.build({ admin_emails: [], admin_user_ids: [] })

const email = "ada@example.com"
const credentials = { email, password }
const start = 1_700_000_010_000

/** A service that requires a factor of everyone. */
const rule = (name: string, shown: Parameters<ReturnType<typeof rulesOf>>[1]) =>
  rulesOf([...core, mailing, texting, passkey, everyone])(name, function* () {
    yield* TestClock.setTime(start)
    yield* Effect.gen(shown)
  })
const visitor = () => browser()

const challengeOf = ({ body, session }: Reply<unknown>) => {
  assert.strictEqual(session, "keep")
  return Schema.decodeUnknownSync(TwoFactorEnrolmentChallenge)(body).challenge_token
}

/** A user from before a factor was required, with a verified address and without a session. */
const user = Effect.fnUntraced(function* (address = email) {
  const ada = yield* at(visitor()).body(signUpEmail, { email: address, password })
  const their = at(visitor())
  yield* their.body(signInEmail, { email: address, password })
  yield* verified(their)
  yield* their.body(endpoints.revokeSessions)
  return ada.user
})
const mailedCode = Effect.map(emails, (sent) => /\b\d{6}\b/.exec(sent.at(-1)?.text ?? "")?.[0])
const asked = Effect.map(visitor().call(signInEmail, credentials), challengeOf)

describe("where a second factor is required", () => {
  rule("a sign-in without one is challenged, and gets its session for the first code", function* () {
    yield* user()
    const their = visitor()
    const reply = yield* their.call(signInEmail, credentials)
    const challenge_token = challengeOf(reply)
    assert.deepStrictEqual(Object.keys(reply.body), ["two_factor_enrolment_required", "challenge_token", "expires_in"])
    assert.lengthOf(yield* rows(Sessions), 0)

    const { secret, totp_uri, backup_codes } = yield* their.body(twoFactorTotpEnrol, { challenge_token })
    assert.include(totp_uri, secret)
    assert.lengthOf(backup_codes, 10)
    assert.isFalse(yield* isSignedIn(their))
    const { user: shown } = yield* their.body(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    assert.strictEqual(shown.email, email)
    assert.deepStrictEqual(yield* their.body(twoFactorTotpStatus), { enabled: true, backup_codes_remaining: 10 })
    assert.strictEqual((yield* emails).at(-1)?.subject, "Two-factor sign-in was turned on for your Sallyport account")
    const [session] = yield* rows(Sessions)
    assert.isTrue(session?.multi_factor)

    const next = challengeIn(yield* visitor().call(signInEmail, credentials))
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token: next.challenge_token, backup_code: backup_codes[0] })
  })

  rule("a module that observes opened sessions learns that the first one of a new user completes a sign-up", function* () {
    const opened: Array<OpenedSession> = []
    const log = Module.define({
      name: "log",
      settings: Module.NoSettings,
      parts: () => ({
        sessionOpened: (session) =>
          Effect.as(
            Effect.sync(() => opened.push(session)),
            { writes: [] },
          ),
      }),
    }).build({})
    const service = AuthOf.make([...core, mailing, everyone, log])
    const signIn = Effect.fnUntraced(function* signInByCode(their: ReturnType<typeof browser>) {
      yield* their.body(mailing.endpoints.emailOtpSend, { email })
      return yield* their.call(mailing.endpoints.signInEmailOtp, { email, otp: yield* mailedCode })
    })

    const their = browser(service)
    const challenge_token = challengeOf(yield* signIn(their))
    const { secret } = yield* their.body(twoFactorTotpEnrol, { challenge_token })
    yield* their.body(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    yield* TestClock.adjust(step * 1000)
    const next = challengeIn(yield* signIn(browser(service)))
    yield* browser(service).body(twoFactorTotpChallenge, { ...next, code: yield* shownBy(secret) })

    const began = { path: "/sign-in/email-otp", provider_id: null }
    assert.deepStrictEqual(
      opened.map((session) => [session.proof, session.began]),
      [
        ["multi_factor", { ...began, is_sign_up: true }],
        ["multi_factor", { ...began, is_sign_up: false }],
      ],
    )
  })

  rule("the enrolment token works once, and at no other endpoint", function* () {
    yield* user()
    const challenge_token = yield* asked
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code: "000000" }), "invalid_otp")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, code: "000000" }), "invalid_token")
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    const code = yield* shownBy(secret)
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, code }), "invalid_token")
    yield* visitor().body(twoFactorTotpEnrolConfirm, { challenge_token, code })
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, { challenge_token }), "invalid_token")
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code }), "invalid_token")
    for (const given of ["x", ""])
      assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, { challenge_token: given }), "invalid_token")
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, {}), "invalid_request")
  })

  rule("it is valid for 299 seconds and not for 300, and for four wrong codes and not for five", function* () {
    yield* user()
    for (const [seconds, code] of [
      [299, "invalid_otp"],
      [1, "invalid_token"],
    ] as const) {
      const challenge_token = yield* asked
      yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
      yield* TestClock.adjust(seconds === 1 ? 300_000 : seconds * 1000)
      assert.strictEqual(yield* visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code: "x" }), code)
    }
    const challenge_token = yield* asked
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    const wrong = times(20, () => visitor().call(twoFactorTotpEnrolConfirm, { challenge_token, code: "x" }))
    assert.deepStrictEqual(yield* atOnce(wrong), { invalid_otp: 5, invalid_token: 15 })
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) }), "invalid_token")
  })

  rule("the token of a sign-in that waits for a code replaces no app", function* () {
    yield* user()
    const [first, second] = [yield* asked, yield* asked]
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token: first })
    yield* visitor().body(twoFactorTotpEnrolConfirm, { challenge_token: first, code: yield* shownBy(secret) })
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, { challenge_token: second }), "invalid_token")
    const { challenge_token } = challengeIn(yield* visitor().call(signInEmail, credentials))
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, { challenge_token }), "invalid_token")
  })

  rule("concurrent confirmations: one gets the session, and sessions by one factor end", function* () {
    yield* user()
    const earlier = at(visitor())
    yield* earlier.body(signInEmail, credentials)
    const challenge_token = yield* asked
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    const code = yield* shownBy(secret)
    const confirming = times(5, visitor)
    const tally = yield* atOnce(confirming.map((their) => their.call(twoFactorTotpEnrolConfirm, { challenge_token, code })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 4 })
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.isFalse(yield* isSignedIn(earlier))
  })

  rule("a sign-in by one factor that read the user before the enrolment gets no session", function* () {
    yield* user()
    const challenge_token = yield* asked
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    const confirm = visitor().body(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    const store = yield* Store
    const once = yield* Effect.cached(Effect.provide(Effect.orDie(confirm), yield* Effect.context<WorldServices>()))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    const late = visitor().call(signInEmail, credentials)
    challengeIn(yield* late.pipe(Effect.provideService(Store, { ...store, commit })))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("a new password ends the pending enrolment", function* () {
    yield* user()
    const challenge_token = yield* asked
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    const their = at(visitor())
    yield* their.body(signInEmail, credentials)
    yield* their.body(changePassword, { current_password: password, new_password: "another fine password" })
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) }), "invalid_token")
  })

  rule(
    "an unverified address comes first: sign-up makes the user and no session, and the mailed code leads to the enrolment",
    function* () {
      assert.strictEqual(yield* visitor().code(signUpEmail, credentials), "email_not_verified")
      assert.lengthOf(yield* rows(Users), 1)
      assert.strictEqual(yield* visitor().code(signInEmail, credentials), "email_not_verified")
      assert.lengthOf(yield* rows(Sessions), 0)
      yield* visitor().body(mailing.endpoints.emailOtpSend, { email })
      const challenge_token = challengeOf(yield* visitor().call(mailing.endpoints.signInEmailOtp, { email, otp: yield* mailedCode }))
      yield* visitor().body(twoFactorTotpEnrol, { challenge_token })
    },
  )

  rule("a new user with a synthetic address is challenged as well", function* () {
    const number = "+15550100"
    yield* visitor().body(texting.endpoints.phoneSendOtp, { phone: number })
    const otp = /\b\d{6}\b/.exec((yield* texts).at(-1)?.text ?? "")?.[0]
    challengeOf(yield* visitor().call(texting.endpoints.signInPhone, { phone: number, otp }))
    assert.lengthOf(yield* rows(Sessions), 0)
  })

  rule("a user with a passkey is not challenged", function* () {
    const key = authenticator()
    const ada = at(visitor(), passkey)
    yield* ada.body(signUpEmail, credentials)
    yield* verified(ada)
    yield* added(ada, key)
    const their = visitor()
    yield* their.body(passkey.endpoints.passkeyAuthenticateVerify, { response: yield* answered(their, key) })
    assert.isTrue(yield* isSignedIn(their))
    const { user } = yield* visitor().body(signInEmail, credentials)
    assert.strictEqual(user.email, email)
  })

  rule("a user who disables the factor enrols another one at the next sign-in", function* () {
    yield* user()
    const challenge_token = yield* asked
    const their = visitor()
    const { secret } = yield* their.body(twoFactorTotpEnrol, { challenge_token })
    yield* their.body(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    yield* their.body(twoFactorTotpDisable, { password })
    assert.lengthOf(yield* rows(TwoFactors), 0)
    yield* asked
  })
})

describe("where administrators must have a second factor", () => {
  const rule = rulesOf([...core, administration, admins])

  rule("an administrator by role enrols one, other users do not", function* () {
    yield* TestClock.setTime(start)
    const root = yield* signedUp("root@example.com")
    yield* verified(root)
    const { user } = yield* signedUp(email)
    const appointed = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
    const chief = at(root, appointed)
    yield* visitor().body(signInEmail, credentials)
    yield* verified(chief)
    yield* chief.body(appointed.endpoints.adminSetRole, { user_id: user.id, role: "admin" })
    assert.strictEqual(yield* visitor().code(signInEmail, credentials), "email_not_verified")
    yield* visitor().body(signInEmail, { email: "root@example.com", password })
    challengeOf(yield* at(visitor(), appointed, admins).call(signInEmail, { email: "root@example.com", password }))
  })
})

describe("where none is required", () => {
  rulesOf([...core, notRequiring])("no user is challenged to enrol one, and a challenge for a code enrols nothing", function* () {
    yield* TestClock.setTime(start)
    const ada = yield* signedUp(email)
    assert.isTrue(yield* isSignedIn(ada))
    yield* enrolled(ada)
    yield* TestClock.adjust(step * 1000)
    const { challenge_token } = challengeIn(yield* visitor().call(signInEmail, credentials))
    assert.strictEqual(yield* visitor().code(notRequiring.endpoints.twoFactorTotpEnrol, { challenge_token }), "invalid_token")
  })
})

const federation = social.build(Schema.decodeUnknownSync(social.settings)({ providers: [configured("acme")] }))

rulesOf([...core, federation, everyone])(
  "an enrolment whose provider account another user links at that moment links nothing and answers invalid_token",
  function* () {
    yield* TestClock.setTime(start)
    const bob = yield* at(browser()).body(signUpEmail, { email: "bob@example.com", password })
    const ada = at(browser())
    yield* ada.body(signUpEmail, credentials)
    yield* verified(ada)
    const provider = makeProvider()
    const { url } = yield* visitor().body(federation.endpoints.signInSocial, { provider: "acme" })
    const visit = provider.visit(url, { uid: "acme-ada", mail: email, confirmed: true, nick: "Ada" })
    const answering = Effect.provideService(HttpClient.HttpClient, provider.client)
    const challenge_token = challengeOf(yield* answering(visitor().call(federation.endpoints.oauthCallback, visit)))
    const { secret } = yield* visitor().body(twoFactorTotpEnrol, { challenge_token })

    const store = yield* Store
    const account = yield* newAccount(bob.user.id, { provider_id: "acme", account_id: "acme-ada" })
    const once = yield* Effect.cached(Effect.orDie(store.commit([insert(Accounts, account)])))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    const confirmation = visitor().code(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    assert.strictEqual(yield* Effect.provideService(confirmation, Store, { ...store, commit }), "invalid_token")
    assert.lengthOf(
      (yield* rows(Accounts)).filter(({ provider_id }) => provider_id === "acme"),
      1,
    )
    assert.lengthOf(
      (yield* rows(TwoFactors)).filter(({ confirmed_at }) => confirmed_at !== null),
      0,
    )
  },
)
