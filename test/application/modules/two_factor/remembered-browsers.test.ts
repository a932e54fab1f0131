import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { maxBrowsers, RememberedBrowsers } from "../../../../application/modules/two_factor/browsers.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, step, verified } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  onWire,
  password,
  rows,
  signedUp,
  times,
} from "../../../world.ts"

const settings = {
  methods: ["totp"] as const,
  issuer: "service",
  backup_code_count: 10,
  required: "none" as const,
  remember_browser: { days: 30 },
}
const built = twoFactor.build(settings)
const { twoFactorTotpChallenge, twoFactorTotpDisable, twoFactorTotpEnable, twoFactorTotpConfirm } = built.endpoints
const { twoFactorBrowsersList, twoFactorBrowsersRevoke } = built.endpoints as Required<typeof built.endpoints>
const { signInEmail, changePassword, requestPasswordReset, resetPassword, revokeSessions, revokeOtherSessions, revokeSession, stepUp } =
  endpoints
const modules = [...core, built]
const auth = AuthOf.make(modules)

const email = "ada@example.com"
const day = 86_400

type Browser = ReturnType<typeof browser>

const rule = (...[name, shown]: Parameters<ReturnType<typeof rulesOf>>) =>
  rulesOf(modules)(name, function* () {
    yield* TestClock.setTime(1_700_000_010_000)
    yield* Effect.gen(shown)
  })

/** A user with a confirmed app. */
const owner = Effect.fnUntraced(function* (address = email) {
  const ada = yield* signedUp(address, auth)
  yield* verified(ada)
  return { ...ada, ...(yield* enrolled(ada, undefined, built)) }
})

const asked = Effect.fnUntraced(function* (their: Browser, address = email) {
  return "challenge_token" in (yield* their.body(signInEmail, { email: address, password })) ? "asked" : "admitted"
})

/** Signs in with a code, and has the browser remembered. The app then shows a new code. */
const remembering = Effect.fnUntraced(function* (
  their: Browser,
  secret: string,
  given: object = { remember_browser: true },
  address = email,
) {
  const { challenge_token } = challengeIn(yield* their.call(signInEmail, { email: address, password }))
  yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret), ...given })
  yield* TestClock.adjust(step * 1000)
  return their
})

const visitor = () => browser(auth)

describe("remember_browser", () => {
  it.effect("is off by default, and remembers for 1 to 365 days", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(twoFactor.settings)
      assert.deepStrictEqual((yield* decode({ remember_browser: {} })).remember_browser, { days: 30 })
      for (const days of [0, 366, 1.5, "30"]) yield* Effect.flip(decode({ remember_browser: { days } }))
      for (const days of [1, 365]) yield* decode({ remember_browser: { days } })
    }),
  )

  rule("waives the code in that browser for that user, until the days are over", function* () {
    const { secret } = yield* owner()
    const other = yield* owner("eve@example.com")
    const ada = visitor()
    const challenge = challengeIn(yield* ada.call(signInEmail, { email, password }))
    assert.strictEqual(challenge.remember_browser_days, 30)
    yield* remembering(ada, secret)
    assert.strictEqual(yield* asked(ada), "admitted")
    assert.strictEqual(yield* asked(visitor()), "asked")
    assert.strictEqual(yield* asked(ada, "eve@example.com"), "asked")
    yield* remembering(ada, other.secret, undefined, "eve@example.com")
    assert.deepStrictEqual([yield* asked(ada), yield* asked(ada, "eve@example.com")], ["admitted", "admitted"])

    yield* TestClock.adjust((30 * day - 2 * step - 1) * 1000)
    assert.strictEqual(yield* asked(ada), "admitted")
    yield* TestClock.adjust(1000)
    assert.strictEqual(yield* asked(ada), "asked")
  })

  rule("is not remembered without the wish, after a wrong code, or by a changed cookie", function* () {
    const { secret } = yield* owner()
    const ada = yield* remembering(visitor(), secret, {})
    assert.strictEqual(yield* asked(ada), "asked")
    yield* remembering(ada, secret, { remember_browser: false })
    assert.strictEqual(yield* asked(ada), "asked")
    const { challenge_token } = challengeIn(yield* ada.call(signInEmail, { email, password }))
    yield* ada.code(twoFactorTotpChallenge, { challenge_token, code: "not a code", remember_browser: true })
    assert.deepStrictEqual([yield* asked(ada), yield* rows(RememberedBrowsers)], ["asked", []])

    yield* remembering(ada, secret)
    const name = Object.keys(ada.jar.cookies).find((each) => each.includes("remembered_browser")) ?? "none"
    const { [name]: value = "" } = ada.jar.cookies
    for (const changed of [`${value}x`, value.slice(1), value.split(".")[0] ?? "", "x.y"]) {
      const thief = visitor()
      thief.jar.cookies = { [name]: changed }
      assert.strictEqual(yield* asked(thief), "asked")
    }
  })

  rule("opens a session by one factor: a sensitive change asks for the code", function* () {
    const { secret } = yield* owner()
    const ada = yield* remembering(visitor(), secret)
    yield* TestClock.adjust("1 hour")
    yield* asked(ada)
    assert.strictEqual((yield* rows(Sessions)).at(-1)?.multi_factor, false)
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { password }), "session_not_fresh")
    yield* ada.body(stepUp, { code: yield* shownBy(secret) })
    yield* ada.body(twoFactorTotpDisable, { password })
  })

  const reset = Effect.fnUntraced(function* () {
    yield* visitor().body(requestPasswordReset, { email })
    yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password: password })
  })
  const ends: Readonly<Record<string, (ada: Browser, app: { readonly secret: string }) => Effect.Effect<unknown, any, any>>> = {
    "a new password": (ada) => ada.body(changePassword, { current_password: password, new_password: password }),
    "a reset of the password": reset,
    "the end of all sessions": (ada) => ada.body(revokeSessions),
    "the end of all other sessions": (ada) => ada.body(revokeOtherSessions),
    "another app": Effect.fnUntraced(function* (ada) {
      yield* ada.body(twoFactorTotpDisable, { password })
      const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
      yield* ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
    }),
  }
  for (const [name, end] of Object.entries(ends))
    rule(`ends with ${name}`, function* () {
      const app = yield* owner()
      const ada = yield* remembering(visitor(), app.secret)
      assert.strictEqual((yield* rows(RememberedBrowsers)).length, 1)
      yield* end(ada, app)
      assert.deepStrictEqual([yield* rows(RememberedBrowsers), yield* asked(ada)], [[], "asked"])
    })

  rule("survives a sign-out and the end of one session", function* () {
    const { secret } = yield* owner()
    const ada = yield* remembering(visitor(), secret)
    const { session } = yield* ada.body(endpoints.getSession)
    yield* ada.body(revokeSession, { session_id: session?.id ?? "" })
    assert.strictEqual(yield* asked(ada), "admitted")
    yield* ada.body(endpoints.signOut)
    assert.strictEqual(yield* asked(ada), "admitted")
  })

  rule("is listed to its user alone, and can be ended by its user alone", function* () {
    const { secret } = yield* owner()
    const eve = yield* signedUp("eve@example.com", auth)
    const ada = visitor()
    ada.jar.user_agent = "a browser"
    yield* remembering(ada, secret)
    const second = yield* remembering(visitor(), secret)
    const { browsers } = yield* ada.body(twoFactorBrowsersList)
    assert.deepStrictEqual(
      browsers.map(({ user_agent, current }) => [user_agent, current]),
      [
        ["a browser", true],
        ["test", false],
      ],
    )
    assert.notInclude(JSON.stringify(yield* onWire(twoFactorBrowsersList, { browsers })), "hash")
    assert.deepStrictEqual(
      ((yield* ada.edge("rememberedBrowsers")) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id),
      browsers.map(({ id }) => id),
    )
    assert.deepStrictEqual(yield* eve.body(twoFactorBrowsersList), { browsers: [] })
    const browser_id = browsers[0]?.id ?? ""
    assert.deepStrictEqual(yield* eve.body(twoFactorBrowsersRevoke, { browser_id }), { success: false })
    assert.strictEqual(yield* asked(ada), "admitted")
    assert.deepStrictEqual(yield* second.body(twoFactorBrowsersRevoke, { browser_id }), { success: true })
    assert.deepStrictEqual(yield* second.body(twoFactorBrowsersRevoke, { browser_id }), { success: false })
    assert.deepStrictEqual([yield* asked(ada), yield* asked(second)], ["asked", "admitted"])
    assert.strictEqual(yield* visitor().code(twoFactorBrowsersList), "unauthorized")
  })

  rule("replaces the browser's own entry, and the oldest of more than twenty", function* () {
    const { secret } = yield* owner()
    const first = yield* remembering(visitor(), secret)
    yield* first.body(twoFactorBrowsersRevoke, { browser_id: (yield* rows(RememberedBrowsers))[0]?.id ?? "" })
    yield* remembering(first, secret)
    const { id, ...browserRow } = (yield* rows(RememberedBrowsers))[0] ?? assert.fail("none")
    assert.isNotEmpty(id + browserRow.token_hash)
    yield* Effect.forEach(times(maxBrowsers - 1, visitor), (their) => remembering(their, secret))
    assert.deepStrictEqual([(yield* rows(RememberedBrowsers)).length, yield* asked(first)], [maxBrowsers, "admitted"])
    yield* remembering(visitor(), secret)
    assert.deepStrictEqual([(yield* rows(RememberedBrowsers)).length, yield* asked(first)], [maxBrowsers, "asked"])
  })

  rule("admits no concurrent sign-in once the factor or the password has changed", function* () {
    const { secret } = yield* owner()
    const ada = yield* remembering(visitor(), secret)
    const twins = times(10, () => browser(auth, { ...ada.jar, credential: null }))
    const before = yield* DateTime.now
    yield* atOnce([ada.call(revokeSessions), ...twins.map((their) => their.call(signInEmail, { email, password }))])
    // Sessions that began before the end are ended by it, and those after it are asked for a code.
    for (const twin of twins) assert.isFalse(yield* isSignedIn(twin))
    assert.isFalse(yield* isSignedIn(ada))
    assert.deepStrictEqual(
      (yield* rows(Sessions)).filter(({ created_at }) => DateTime.isGreaterThan(created_at, before)),
      [],
    )
  })

  rule("sends no mail", function* () {
    const { secret } = yield* owner()
    const before = (yield* emails).length
    yield* asked(yield* remembering(visitor(), secret))
    assert.strictEqual((yield* emails).length, before)
  })
})
