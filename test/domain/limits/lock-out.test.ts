import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import * as EmailOtp from "../../../application/modules/email_otp/index.ts"
import * as MagicLink from "../../../application/modules/magic_link/index.ts"
import * as OneTimeToken from "../../../application/modules/one_time_token/index.ts"
import * as Username from "../../../application/modules/username/index.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { rulesOf } from "../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import { atOnce, browser, core, emails, emptyJar, endpoints, password, signedIn, signedUp, times } from "../../world.ts"

const emailOtp = EmailOtp.emailOtp.build({ length: 6, ttl: 300, max_attempts: 100, disable_signup: false })
const magicLink = MagicLink.magicLink.build({ expires_in: 600, disable_signup: false })
const oneTimeToken = OneTimeToken.oneTimeToken.build({ expires_in: 60 })
const username = Username.username.build({})
const rule = rulesOf([...core, username, emailOtp, magicLink, oneTimeToken, twoFactor])

const { signInEmail, changePassword, deleteUser, requestPasswordReset, sendVerificationEmail } = endpoints
const { signInUsername, usernameSet } = username.endpoints
const email = "ada@example.com"
const wrongPassword = "a wrong password"
const on = { rate_limit: { enabled: true } }
const device = "__Host-known_device"

type Browser = ReturnType<typeof browser>

/** A browser without a session, at an address. */
const at = (ip_address: string, cookies: Record<string, string> = {}) => browser(undefined, { ...emptyJar(), cookies, ip_address })

/** One address each of as many client networks. */
const networks = (count: number) => times(count, (index) => at(`198.51.${index}.7`))

const guess = (by: Browser, address = email) => by.call(signInEmail, { email: address, password: wrongPassword })
const signIn = (by: Browser, address = email) => by.call(signInEmail, { email: address, password })
const tally = <E extends { readonly _tag: string }, R>(call: Effect.Effect<unknown, E, R>, count: number) =>
  atOnce(times(count, () => call))
const outcome = <E extends { readonly _tag: string }, R>(call: Effect.Effect<unknown, E, R>) =>
  Effect.map(atOnce([call]), (codes) => Object.keys(codes)[0])
const tenOf = (count: number) => ({ invalid_credentials: 10, rate_limited: count - 10 })

/** Uses up the budget of failed sign-ins of all networks. */
const exhausted = Effect.gen(function* () {
  for (const network of networks(10)) yield* tally(guess(network), 10)
  assert.strictEqual(yield* outcome(guess(at("203.0.113.200"))), "rate_limited")
})

/** A second browser with the cookies of the first, and without its session. */
const copyOf = ({ jar }: Browser, ip_address = "198.51.99.7") => at(ip_address, jar.cookies)

describe("an attacker's guesses", () => {
  rule(
    "do not lock the owner out of another network",
    function* () {
      yield* signedUp(email)
      assert.deepStrictEqual(yield* tally(guess(at("198.51.100.7")), 50), tenOf(50))
      assert.strictEqual(yield* outcome(signIn(at("198.51.100.8"))), "rate_limited")
      assert.strictEqual(yield* outcome(signIn(at("203.0.113.9"))), "ok")
    },
    on,
  )

  rule(
    "are counted together for all addresses of a network",
    function* () {
      for (const [one, other, another] of [
        ["198.51.100.1", "198.51.100.254", "198.51.101.1"],
        ["2001:db8:1:1::1", "2001:db8:1:ffff::2", "2001:db8:2::1"],
      ] as const) {
        const address = `${one}@example.com`.replaceAll(":", "-")
        assert.deepStrictEqual(yield* tally(guess(at(one), address), 10), { invalid_credentials: 10 })
        assert.strictEqual(yield* outcome(guess(at(other), address)), "rate_limited")
        assert.strictEqual(yield* outcome(guess(at(another), address)), "invalid_credentials")
      }
    },
    on,
  )

  rule(
    "from many networks at once are a hundred, for an address without a user as well",
    function* () {
      yield* signedUp(email)
      for (const address of [email, "unknown@example.com"]) {
        const guesses = networks(20).flatMap((network) => times(10, () => guess(network, address)))
        assert.deepStrictEqual(yield* atOnce(guesses), { invalid_credentials: 100, rate_limited: 100 })
      }
      const refused = yield* Effect.flip(guess(at("203.0.113.9")))
      assert.deepStrictEqual([refused._tag, refused.limit, refused.retryAfter], ["rate_limited", 100, 300])

      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(yield* outcome(signIn(at("203.0.113.9"))), "rate_limited")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* outcome(signIn(at("203.0.113.9"))), "ok")
    },
    on,
  )

  rule(
    "that the total refuses do not count against a network's budget",
    function* () {
      for (const network of networks(2)) yield* tally(guess(network), 5)
      yield* TestClock.adjust("299 seconds")
      const late = at("203.0.113.9")
      assert.deepStrictEqual(yield* tally(guess(late), 20), { rate_limited: 20 })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* tally(guess(late), 6), { invalid_credentials: 5, rate_limited: 1 })
    },
    { rate_limit: { enabled: true, sign_in: { limit: 5, window: 300 }, sign_in_total: { limit: 10, window: 300 } } },
  )

  rule(
    "are not counted for the right password of an unverified owner",
    function* () {
      yield* signedUp(email)
      for (const _ of times(15, String)) assert.strictEqual(yield* outcome(signIn(browser())), "email_not_verified")
      assert.deepStrictEqual(yield* tally(guess(browser()), 11), tenOf(11))
    },
    { ...on, email_password: { enabled: true, require_email_verification: true } },
  )

  rule(
    "block no operation of a signed-in user in the same network",
    function* () {
      const ada = yield* signedUp(email)
      assert.deepStrictEqual(yield* tally(guess(at("192.0.2.7")), 11), tenOf(11))
      yield* exhausted
      const new_password = "another fine password"
      yield* ada.body(changePassword, { current_password: password, new_password })
      yield* ada.body(twoFactor.endpoints.twoFactorTotpEnable, { password: new_password })
      yield* ada.body(deleteUser, { password: new_password })
    },
    on,
  )

  rule(
    "at a password do not block codes, and guesses at codes do not block passwords",
    function* () {
      yield* signedUp(email)
      yield* exhausted
      const { emailOtpSend, signInEmailOtp } = emailOtp.endpoints
      yield* browser().body(emailOtpSend, { email })
      const guessCode = browser().call(signInEmailOtp, { email, otp: "no code" })
      assert.deepStrictEqual(yield* tally(guessCode, 12), { invalid_otp: 10, rate_limited: 2 })
      assert.strictEqual(yield* outcome(at("203.0.113.9").call(signInEmailOtp, { email, otp: "no code" })), "invalid_otp")
      yield* signedUp("bob@example.com")
      for (const _ of times(10, String)) yield* outcome(browser().call(signInEmailOtp, { email: "bob@example.com", otp: "no code" }))
      yield* signedIn("bob@example.com")
    },
    on,
  )
})

describe("username and email address of one user", () => {
  rule(
    "share one budget of guesses, however the username is written",
    function* () {
      const ada = yield* signedUp(email)
      yield* ada.body(usernameSet, { username: "ada" })
      const guesses = times(20, (index) => {
        if (index % 3 === 0) return guess(browser())
        return browser().call(signInUsername, { username: index % 3 === 1 ? "ada" : "ADA", password: wrongPassword })
      })
      assert.deepStrictEqual(yield* atOnce(guesses), tenOf(20))
      assert.strictEqual(yield* outcome(signIn(browser())), "rate_limited")
      assert.strictEqual(yield* outcome(browser().call(signInUsername, { username: "ada", password })), "rate_limited")
      yield* ada.body(signInUsername, { username: "ada", password })
    },
    on,
  )

  rule(
    "do not reveal who has an address: one typed as a username shares no budget with the address",
    function* () {
      yield* signedUp(email)
      for (const address of [email, "unknown@example.com"]) {
        yield* tally(guess(browser(), address), 10)
        const asName = browser().call(signInUsername, { username: address, password: wrongPassword })
        assert.strictEqual(yield* outcome(asName), "invalid_credentials", address)
      }
    },
    on,
  )

  rule(
    "are counted as names without a user are",
    function* () {
      const guessName = (name: string) => browser().call(signInUsername, { username: name, password: wrongPassword })
      assert.deepStrictEqual(yield* atOnce(times(12, (index) => guessName(index % 2 === 0 ? "unknown" : "UnKnown"))), tenOf(12))
      assert.deepStrictEqual(yield* tally(guess(browser(), "unknown@example.com"), 12), tenOf(12))
    },
    on,
  )
})

describe("a browser that signed in before", () => {
  rule(
    "signs in although attackers have used up the budgets of its network and of all networks",
    function* () {
      const ada = yield* signedUp(email)
      yield* tally(guess(at("192.0.2.7")), 10)
      yield* exhausted
      assert.strictEqual(yield* outcome(guess(ada)), "invalid_credentials")
      yield* signIn(ada)
      assert.strictEqual(yield* outcome(signIn(at("192.0.2.8"))), "rate_limited")
    },
    on,
  )

  rule(
    "signs in with a code although attackers have used up the budgets of codes",
    function* () {
      const ada = yield* signedUp(email)
      const { emailOtpSend, signInEmailOtp } = emailOtp.endpoints
      const guessCode = (by: Browser) => by.call(signInEmailOtp, { email, otp: "no code" })
      for (const network of networks(10)) yield* tally(guessCode(network), 10)
      yield* ada.body(emailOtpSend, { email })
      const [code = ""] = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "") ?? []
      assert.strictEqual(yield* outcome(at("203.0.113.9").call(signInEmailOtp, { email, otp: code })), "rate_limited")
      yield* ada.body(signInEmailOtp, { email, otp: code })
    },
    on,
  )

  rule(
    "has ten guesses, also when its cookie is stolen and fifty guesses are concurrent",
    function* () {
      const ada = yield* signedUp(email)
      const thieves = times(5, (index) => copyOf(ada, `198.51.${index}.9`))
      assert.deepStrictEqual(yield* atOnce(thieves.flatMap((thief) => times(10, () => guess(thief)))), tenOf(50))
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(yield* outcome(guess(copyOf(ada))), "rate_limited")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* outcome(guess(copyOf(ada))), "invalid_credentials")
    },
    on,
  )

  rule(
    "shares its budget with no copy of the cookie from before its last sign-in",
    function* () {
      const ada = yield* signedUp(email)
      const thief = copyOf(ada)
      yield* signIn(ada)
      assert.deepStrictEqual(yield* tally(guess(thief), 11), tenOf(11))
      assert.strictEqual(yield* outcome(guess(ada)), "invalid_credentials")
    },
    on,
  )

  rule(
    "shares a total of guesses with all other such browsers: collected cookies give no more",
    function* () {
      const ada = yield* signedUp(email)
      const collected: Array<Browser> = []
      for (const index of times(4, (index) => index)) {
        collected.push(copyOf(ada, `198.51.${index}.9`))
        yield* signIn(ada)
      }
      const guesses = collected.flatMap((thief) => times(10, () => guess(thief)))
      assert.deepStrictEqual(yield* atOnce(guesses), { invalid_credentials: 25, rate_limited: 15 })
    },
    { rate_limit: { enabled: true, sign_in_total: { limit: 25, window: 300 } } },
  )

  rule(
    "is no longer known after a change of password, except the one that changed it",
    function* () {
      const ada = yield* signedUp(email)
      const thief = copyOf(ada)
      yield* TestClock.adjust("1 second")
      const new_password = "another fine password"
      yield* ada.body(changePassword, { current_password: password, new_password })
      yield* exhausted
      assert.deepStrictEqual(yield* tally(guess(thief), 3), { rate_limited: 3 })
      yield* ada.body(signInEmail, { email, password: new_password })
    },
    on,
  )

  rule(
    "has no budget at the password of another user, and none with a changed cookie",
    function* () {
      const mallory = yield* signedUp("mallory@example.com")
      const ada = yield* signedUp(email)
      yield* exhausted
      assert.strictEqual(yield* outcome(guess(mallory)), "rate_limited")
      const [text = "", signature = ""] = (ada.jar.cookies[device] ?? "").split(".")
      const [another = ""] = (mallory.jar.cookies[device] ?? "").split(".")
      for (const forged of [`${another}.${signature}`, `${text}.`, text, `${text}.${"A".repeat(43)}`, ""])
        assert.strictEqual(yield* outcome(guess(at("203.0.113.9", { [device]: forged }))), "rate_limited", forged)
    },
    on,
  )

  rule(
    "is remembered for 400 days, and for five users",
    function* () {
      const guessOnce = (address: string) => tally(guess(at("198.51.100.7"), address), 1)
      const shared = browser()
      const addresses = times(6, (index) => `${index}@example.com`)
      for (const address of addresses) yield* shared.body(endpoints.signUpEmail, { email: address, password })
      for (const address of addresses) yield* guessOnce(address)
      const codes = yield* Effect.forEach(addresses, (address) => outcome(guess(shared, address)))
      assert.deepStrictEqual(codes, ["rate_limited", ...Array(5).fill("invalid_credentials")])
      assert.isBelow(shared.jar.cookies[device]?.length ?? 0, 2000)

      yield* TestClock.adjust("400 days")
      yield* guessOnce("5@example.com")
      assert.strictEqual(yield* outcome(guess(shared, "5@example.com")), "rate_limited")
    },
    { rate_limit: { enabled: true, sign_in_total: { limit: 1, window: 300 } } },
  )

  rule(
    "is known after the second factor, not after the first alone",
    function* () {
      const ada = yield* signedUp(email)
      const { secret } = yield* enrolled(ada)
      const another = browser()
      const { challenge_token } = challengeIn(yield* signIn(another))
      assert.notProperty(another.jar.cookies, device)
      const code = yield* shownBy(secret)
      yield* another.call(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code })
      assert.property(another.jar.cookies, device)
    },
    on,
  )

  rule(
    "is not known by a handed-off session: a stolen session gives no more guesses at the password",
    function* () {
      const ada = yield* signedUp(email)
      const { token } = yield* ada.body(oneTimeToken.endpoints.oneTimeTokenGenerate)
      const other = at("198.51.100.7")
      yield* other.call(oneTimeToken.endpoints.oneTimeTokenVerify, { token })
      assert.isNotNull(other.jar.credential)
      assert.notProperty(other.jar.cookies, device)
    },
    on,
  )

  rule("gets no cookie where limits are off", function* () {
    assert.deepStrictEqual((yield* signedUp(email)).jar.cookies, {})
  })
})

describe("wrong passwords of a signed-in user", () => {
  const change = (by: Browser, current_password = wrongPassword) =>
    by.call(changePassword, { current_password, new_password: "another fine password" })

  rule(
    "are ten for each sign-in, over all endpoints, also of fifty at once",
    function* () {
      const ada = yield* signedUp(email)
      yield* TestClock.adjust("1 second")
      const elsewhere = yield* signedIn(email)
      const remove = ada.call(deleteUser, { password: wrongPassword })
      assert.deepStrictEqual(yield* atOnce(times(50, (index) => (index % 2 === 0 ? change(ada) : remove))), tenOf(50))
      assert.strictEqual(yield* outcome(change(ada, password)), "rate_limited")

      yield* TestClock.adjust("299 seconds")
      assert.strictEqual(yield* outcome(change(ada, password)), "rate_limited")
      yield* change(elsewhere, password)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* outcome(change(ada)), "invalid_credentials")
    },
    on,
  )

  rule(
    "are not more for an attacker who hands the session off",
    function* () {
      const thief = yield* signedUp(email)
      yield* TestClock.adjust("1 minute")
      const { token } = yield* thief.body(oneTimeToken.endpoints.oneTimeTokenGenerate)
      const other = browser()
      yield* other.call(oneTimeToken.endpoints.oneTimeTokenVerify, { token })
      assert.deepStrictEqual(yield* atOnce([...times(10, () => change(thief)), ...times(10, () => change(other))]), tenOf(20))
    },
    on,
  )

  rule(
    "do not count against the budget of sign-ins",
    function* () {
      const ada = yield* signedUp(email)
      yield* tally(change(ada), 20)
      yield* signedIn(email)
    },
    on,
  )
})

describe("requested messages", () => {
  rule(
    "of one purpose do not block those of another",
    function* () {
      yield* signedUp(email)
      const ask = {
        code: browser().call(emailOtp.endpoints.emailOtpSend, { email }),
        link: browser().call(magicLink.endpoints.magicLinkSend, { email }),
        reset: browser().call(requestPasswordReset, { email }),
        verification: browser().call(sendVerificationEmail, { email }),
      }
      for (const call of Object.values(ask)) assert.deepStrictEqual(yield* tally(call, 20), { ok: 5, rate_limited: 15 })
    },
    on,
  )
})

describe("the cookie of a known device", () => {
  rule(
    "reveals nothing about its users",
    function* () {
      const ada = yield* signedUp(email)
      const value = ada.jar.cookies[device] ?? ""
      const parts = value.split(/[.!]/).map((part) => Buffer.from(part, "base64url").toString("latin1"))
      for (const text of [value, ...parts]) for (const secret of [ada.user.id, email, "user_id"]) assert.notInclude(text, secret)
    },
    on,
  )

  rule(
    "of an earlier version, which was not encrypted, keeps its budget and is encrypted at the next sign-in",
    function* () {
      const ada = yield* signedUp(email)
      const expires_at = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 34_560_000 }))
      const former = Base64Url.encode(JSON.stringify([{ user_id: ada.user.id, nonce: "n", expires_at }]))
      const signed = `${former}.${yield* (yield* Keys).sign(`cookie/${device}`, former)}`
      yield* exhausted
      const their = at("203.0.113.201", { [device]: signed })
      assert.strictEqual(yield* outcome(guess(their)), "invalid_credentials")
      assert.strictEqual(yield* outcome(signIn(their)), "ok")
      assert.notStrictEqual(their.jar.cookies[device], signed)
      assert.strictEqual(yield* outcome(guess(at("203.0.113.202", { [device]: `${former}.x` }))), "rate_limited")
    },
    on,
  )
})
