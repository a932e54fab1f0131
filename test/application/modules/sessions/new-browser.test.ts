import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Guest from "../../../../application/modules/guest/index.ts"
import * as MagicLink from "../../../../application/modules/magic_link/index.ts"
import * as OneTimeToken from "../../../../application/modules/one_time_token/index.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../../two-factor.ts"
import { atOnce, browser, core, emails, endpoints, password, rows, signedIn, signedUp, times, withSettings } from "../../../world.ts"

const magicLink = MagicLink.magicLink.build({ expires_in: 600, disable_signup: false })
const oneTimeToken = OneTimeToken.oneTimeToken.build({ expires_in: 60 })
const guest = Guest.guest.build({})
const ruleOf = rulesOf([...core, twoFactor, magicLink, oneTimeToken, guest])
const on = { session: { notify_new_browser: true } }
const rule = (name: string, test: Parameters<typeof ruleOf>[1], settings: Record<string, unknown> = {}) =>
  ruleOf(name, test, { ...on, ...settings })

const email = "ada@example.com"
const { signInEmail, changePassword } = endpoints
const signIn = (their: ReturnType<typeof browser>, typed = password) => their.call(signInEmail, { email, password: typed })

const alerts = Effect.map(emails, (all) => all.filter(({ subject }) => subject.startsWith("New sign-in")))
const count = Effect.map(alerts, (all) => all.length)

/** Ends all sessions without anything else, as their expiry does. */
const withoutSessions = Effect.gen(function* () {
  const all = yield* rows(Sessions)
  yield* Effect.orDie((yield* Store).commit(all.map(({ id }) => remove(Sessions, id))))
})

describe("notify_new_browser", () => {
  rule("mails browser, address and time of a sign-in from a new browser, and nothing for a known one", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* count, 0)
    yield* signIn(ada)
    assert.strictEqual(yield* count, 0)

    const other = browser()
    other.jar.user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
    yield* signIn(other)
    const [mail] = yield* alerts
    assert.strictEqual(mail?.to, email)
    assert.strictEqual(mail?.subject, "New sign-in to Sallyport")
    for (const part of ["IP address: 192.0.2.1", "Browser: Firefox on Linux", "(UTC)"]) assert.include(mail?.text, part)
    yield* signIn(other)
    assert.strictEqual(yield* count, 1)
  })

  ruleOf("is off by default, and then no browser gets a cookie for it", function* () {
    const ada = yield* signedUp(email)
    yield* signedIn(email)
    assert.strictEqual(yield* count, 0)
    assert.notInclude(Object.keys(ada.jar.cookies).join(), "known_device")
  })

  rule("sends nothing at the first sign-in, also after a sign-up without a session", function* () {
    yield* withSettings({ ...on, registration: { email: { allow: ["example.com"] } } })(
      browser().code(endpoints.signUpEmail, { email, password }),
    )
    yield* signedIn(email)
    assert.strictEqual(yield* count, 0)
    yield* withoutSessions
    yield* signedIn(email)
    assert.strictEqual(yield* count, 1)
  })

  rule("counts sessions from the time before the setting", function* () {
    yield* withSettings({})(signedUp(email))
    yield* signedIn(email)
    assert.strictEqual(yield* count, 1)
  })

  rule("waits for the second factor", function* () {
    const ada = yield* signedUp(email)
    const app = yield* enrolled(ada)
    const other = browser()
    const { challenge_token } = challengeIn(yield* signIn(other))
    assert.strictEqual(yield* count, 0)
    assert.strictEqual(yield* other.code(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code: "000000" }), "invalid_otp")
    assert.strictEqual(yield* count, 0)
    yield* other.body(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(app.secret) })
    assert.strictEqual(yield* count, 1)
  })

  rule("sends nothing for a refused sign-in, a step-up, and a session that replaces or copies another", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password: "a wrong one" }), "invalid_credentials")
    ada.jar.cookies = {}
    yield* ada.body(endpoints.stepUp, { password })
    yield* ada.body(changePassword, { current_password: password, new_password: "a new long password", revoke_other_sessions: true })
    const { token } = yield* ada.body(oneTimeToken.endpoints.oneTimeTokenGenerate)
    yield* browser().body(oneTimeToken.endpoints.oneTimeTokenVerify, { token })
    assert.strictEqual(yield* count, 0)
  })

  rule("takes a browser for new after a change of the password elsewhere, and not in the browser of the change", function* () {
    const ada = yield* signedUp(email)
    const other = yield* signedIn(email)
    yield* TestClock.adjust("1 second")
    yield* ada.body(changePassword, { current_password: password, new_password: "a new long password" })
    yield* signIn(ada, "a new long password")
    assert.strictEqual(yield* count, 1)
    yield* signIn(other, "a new long password")
    assert.strictEqual(yield* count, 2)
  })

  rule("mails each of two sign-ins at once", function* () {
    yield* signedUp(email)
    assert.deepStrictEqual(yield* atOnce(times(2, () => signIn(browser()))), { ok: 2 })
    assert.strictEqual(yield* count, 2)
  })

  rule(
    "has a budget of its own, so that sign-ins cannot flood a mailbox or silence other notices",
    function* () {
      const ada = yield* signedUp(email)
      for (let n = 0; n < 7; n++) yield* signedIn(email)
      assert.strictEqual(yield* count, 5)
      yield* ada.body(changePassword, { current_password: password, new_password: "a new long password" })
      assert.include((yield* emails).at(-1)?.subject, "password")
    },
    { rate_limit: { enabled: true } },
  )

  rule("sends nothing to guests", function* () {
    yield* browser().call(guest.endpoints.signInGuest)
    assert.strictEqual((yield* emails).length, 0)
  })
})
