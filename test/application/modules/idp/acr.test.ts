import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../../two-factor.ts"
import { browser, core, endpoints, password, signedUp as signedUpTo } from "../../../world.ts"
import { builtWith, call, email, presented, requests, spa } from "./provider.ts"

const module = builtWith({ clients: [{ ...spa, refresh_tokens: true }] })
const tokens = oneTimeToken.build(Schema.decodeUnknownSync(oneTimeToken.settings)({}))
const modules = [...core, twoFactor, tokens, module]
const auth = AuthOf.make(modules)
const links = { sign_in: "https://accounts.example.com/sign-in?to={return_to}&prompt={prompt}" }
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })
const { oauth2Authorize, oauth2Token } = module.endpoints

const signedUp = () => signedUpTo(email, auth)
type Browser = ReturnType<typeof browser>

const sent = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, ...input })
  const url = new URL(redirect)
  return { page: url.host, query: Object.fromEntries(url.searchParams) as Record<string, string> }
})
const exchanged = (code = "") => call(oauth2Token, presented.spa(code), null, auth)
/** What an ID token says about the proof of the user's identity. */
const proofIn = (id_token = "") => {
  const { acr, amr, auth_time } = decodeJwt(id_token)
  return { acr, amr, auth_time }
}
const proofFor = Effect.fnUntraced(function* (their: Browser, input: object = {}) {
  return proofIn((yield* exchanged((yield* sent(their, input)).query["code"])).id_token)
})
const resumed = (their: Browser, to = "") => sent(their, Object.fromEntries(new URL(to, "http://localhost:3000").searchParams))

/** Signs in with a password and a code of the app. */
const signedInTwice = Effect.fnUntraced(function* (secret: string) {
  const their = browser(auth)
  const { challenge_token } = challengeIn(yield* their.call(endpoints.signInEmail, { email, password }))
  yield* their.body(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
  yield* TestClock.adjust("30 seconds")
  return their
})

const essential = (...values: ReadonlyArray<string>) => ({ claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }) })

describe("acr and amr", () => {
  rule("say what was shown at the sign-in, and keep it over refreshes", function* () {
    const ada = yield* signedUp()
    assert.deepStrictEqual(yield* proofFor(ada), { acr: "1", amr: ["pwd"], auth_time: 0 })
    const { secret } = yield* enrolled(ada)
    const code = (yield* sent(yield* signedInTwice(secret), {})).query["code"]
    const first = yield* exchanged(code)
    const proof = { acr: "2", amr: ["pwd", "otp", "mfa"], auth_time: 30 }
    assert.deepStrictEqual(proofIn(first.id_token), proof)
    yield* TestClock.adjust("100 seconds")
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token, client_id: "spa" }
    assert.deepStrictEqual(proofIn((yield* call(oauth2Token, refresh, null, auth)).id_token), proof)
  })

  rule("are those of the last step-up, and of the source of a hand-off", function* () {
    const ada = yield* signedUp()
    const { secret } = yield* enrolled(ada)
    assert.deepStrictEqual(yield* proofFor(ada), { acr: "2", amr: ["otp", "mfa"], auth_time: 0 })
    yield* ada.body(endpoints.stepUp, { code: yield* shownBy(secret) })
    assert.deepStrictEqual(yield* proofFor(ada), { acr: "2", amr: ["otp", "mfa"], auth_time: 30 })
    yield* TestClock.adjust("10 seconds")
    const other = browser(auth)
    const { token } = yield* ada.body(tokens.endpoints.oneTimeTokenGenerate)
    yield* other.body(tokens.endpoints.oneTimeTokenVerify, { token })
    assert.deepStrictEqual(yield* proofFor(other), { acr: "2", amr: ["otp", "mfa"], auth_time: 30 })
  })

  rule("are as of the authorization request, not of the exchange", function* () {
    const ada = yield* signedUp()
    const code = (yield* sent(ada, {})).query["code"]
    yield* enrolled(ada)
    assert.deepStrictEqual(proofIn((yield* exchanged(code)).id_token), { acr: "1", amr: ["pwd"], auth_time: 0 })
  })
})

describe("acr_values", () => {
  rule("choose among the classes that the session satisfies, and refuse nothing", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* proofFor(ada, { acr_values: "2 1" })).acr, "1")
    assert.strictEqual((yield* proofFor(ada, { acr_values: "urn:unknown" })).acr, "1")
    yield* enrolled(ada)
    assert.strictEqual((yield* proofFor(ada, { acr_values: "1 2" })).acr, "1")
    assert.strictEqual((yield* proofFor(ada, { acr_values: "2 1" })).acr, "2")
    assert.strictEqual((yield* proofFor(ada, { acr_values: "urn:unknown" })).acr, "2")
  })
})

describe("an essential acr", () => {
  rule("leads a user with one factor to the sign-in page, and to an error if the new proof is no better", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 second")
    const { page, query } = yield* sent(ada, essential("2"))
    assert.deepStrictEqual([page, query["prompt"]], ["accounts.example.com", "login"])
    yield* TestClock.adjust("1 second")
    yield* ada.body(endpoints.stepUp, { password })
    const { query: answer } = yield* resumed(ada, query["to"])
    assert.strictEqual(answer["error"], "unmet_authentication_requirements")
    assert.strictEqual((yield* sent(ada, { ...essential("2"), prompt: "none" })).query["error"], "login_required")
    assert.strictEqual((yield* proofFor(ada, essential("2", "1"))).acr, "1")
  })

  rule("is satisfied by a step-up with the second factor", function* () {
    const ada = yield* signedUp()
    const { secret } = yield* enrolled(ada)
    yield* ada.body(endpoints.signOut)
    const their = yield* signedInTwice(secret)
    assert.strictEqual((yield* proofFor(their, essential("2"))).acr, "2")
    assert.strictEqual((yield* proofFor(their, essential("1"))).acr, "1")
  })

  rule("cannot be met by an unknown class", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* sent(ada, { ...essential("urn:unknown"), prompt: "none" })).query["error"], "login_required")
    const single = { claims: JSON.stringify({ id_token: { acr: { essential: true, value: "1" } } }) }
    assert.strictEqual((yield* proofFor(ada, single)).acr, "1")
    const voluntary = { claims: JSON.stringify({ id_token: { acr: { values: ["2"] } } }) }
    assert.strictEqual((yield* proofFor(ada, voluntary)).acr, "1")
  })
})

describe("max_age", () => {
  rule("counts from the last proof to the second, and 0 requires a new one", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual((yield* proofFor(ada, { max_age: "300" })).auth_time, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* sent(ada, { max_age: "300", prompt: "none" })).query["error"], "login_required")
    const { query } = yield* sent(ada, { max_age: "0" })
    yield* TestClock.adjust("1 second")
    yield* ada.body(endpoints.stepUp, { password })
    yield* TestClock.adjust("5 seconds")
    const { query: answer } = yield* resumed(ada, query["to"])
    assert.strictEqual(proofIn((yield* exchanged(answer["code"])).id_token).auth_time, 302)
  })
})
