import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { twoFactor } from "../../../application/modules/two_factor/index.ts"
import { Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { built as passkey } from "../../application/modules/passkey/passkeys.ts"
import { authenticator } from "../../passkeys.ts"
import { built, shownBy, step } from "../../two-factor.ts"
import { core, password, withVerified } from "../../world.ts"
import { query } from "../graphql/request.ts"
import { cookieOf, get, post, refused, served } from "./served.ts"

const stepUpAge = 600_000

/** Marks the address of a user as verified, or not. */
const verify = Effect.fnUntraced(function* (email: string, isVerified = true) {
  const user = Option.getOrThrow(yield* (yield* Store).read(Users, { email }))
  yield* withVerified(user.row.id, isVerified)
})

/** A user with a verified address, as the headers of their requests. */
const signedUp = Effect.fnUntraced(function* (email: string) {
  const headers = { cookie: cookieOf(yield* post("/sign-up/email", { email, password })) }
  yield* verify(email)
  return { headers }
})

describe("a stolen session that is a day old", () => {
  layer(served({ modules: [...core, built, passkey, bearer.build({ redirects: [] })], graphql: {} }))((it) => {
    it.effect("registers no passkey and changes no factor before a step-up, which gives the owner alone a new cookie", () =>
      Effect.gen(function* () {
        const stolen = yield* signedUp("ada@example.com")
        yield* TestClock.adjust(stepUpAge)
        for (const path of ["/passkey/register/options", "/2fa/totp/enable", "/2fa/totp/disable", "/2fa/totp/backup-codes"])
          assert.strictEqual(refused(yield* post(path, { password }, stolen)), "403 session_not_fresh", path)
        assert.strictEqual(refused(yield* post("/step-up", { password })), "401 unauthorized")
        assert.strictEqual(refused(yield* post("/step-up", { password: "a wrong one" }, stolen)), "401 invalid_credentials")
        assert.strictEqual(refused(yield* post("/step-up", {}, stolen)), "400 invalid_request")
        assert.strictEqual(refused(yield* post("/step-up", { password, code: "000000" }, stolen)), "400 invalid_request")

        const answer = yield* post("/step-up", { password }, stolen)
        assert.deepStrictEqual([answer.status, answer.json], [200, { success: true }])
        assert.isString(answer.headers["set-auth-token"])
        const own = { headers: { cookie: cookieOf(answer) } }
        assert.strictEqual((yield* post("/passkey/register/options", {}, own)).status, 200)
        assert.deepStrictEqual((yield* get("/get-session", stolen)).json, { session: null, user: null })
      }),
    )

    it.effect("of a user with an app is stepped up by a second factor alone, over REST and GraphQL", () =>
      Effect.gen(function* () {
        const before = yield* signedUp("grace@example.com")
        const key = authenticator()
        const created = yield* post("/passkey/register/options", {}, before)
        assert.strictEqual((yield* post("/passkey/register/verify", { response: key.create(created.json) }, before)).status, 200)
        const app = (yield* post("/2fa/totp/enable", { password }, before)).json
        const confirmed = yield* post("/2fa/totp/confirm", { code: yield* shownBy(app.secret) }, before)
        assert.strictEqual(refused(yield* post("/change-email", { new_email: "eve@example.com" }, before)), "401 unauthorized")
        const ada = { headers: { cookie: cookieOf(confirmed) } }
        yield* TestClock.adjust(stepUpAge + step * 1000)

        assert.strictEqual(refused(yield* post("/change-email", { new_email: "eve@example.com" }, ada)), "403 session_not_fresh")
        assert.strictEqual(refused(yield* post("/step-up", { password }, ada)), "400 invalid_request")
        assert.strictEqual(refused(yield* post("/step-up", { code: "x" }, ada)), "400 invalid_otp")
        const assertion = key.get((yield* post("/passkey/authenticate/options", {})).json)
        assert.strictEqual(refused(yield* post("/step-up", { passkey: { ...assertion, id: "AAAA" } }, ada)), "401 invalid_passkey")

        const text = "mutation ($input: StepUpInput!) { stepUp(input: $input) { success } }"
        const wrong = yield* query(text, { input: { backupCode: "x" } }, ada)
        assert.strictEqual(wrong.errors[0]?.extensions.code, "invalid_otp")
        const proved = yield* query(text, { input: { code: yield* shownBy(app.secret) } }, ada)
        assert.deepStrictEqual(proved.data, { stepUp: { success: true } })
        const own = { headers: { cookie: cookieOf(proved) } }
        const changed = yield* post("/change-email", { new_email: "grace.h@example.com" }, own)
        assert.strictEqual(changed.json.user.email, "grace.h@example.com")

        yield* TestClock.adjust(stepUpAge)
        const options = yield* post("/passkey/authenticate/options", {})
        const renewed = yield* post("/step-up", { passkey: key.get(options.json) }, own)
        assert.strictEqual(renewed.status, 200)
        assert.strictEqual((yield* post("/2fa/totp/disable", { password }, { headers: { cookie: cookieOf(renewed) } })).status, 200)
      }),
    )

    it.effect("of an unverified address enrols no factor", () =>
      Effect.gen(function* () {
        const headers = { cookie: cookieOf(yield* post("/sign-up/email", { email: "owner@example.com", password })) }
        const app = (yield* post("/2fa/totp/enable", { password }, { headers })).json
        const confirmed = yield* post("/2fa/totp/confirm", { code: yield* shownBy(app.secret) }, { headers })
        assert.strictEqual(refused(confirmed), "403 email_not_verified")
        assert.strictEqual(refused(yield* post("/passkey/register/options", {}, { headers })), "403 email_not_verified")
        yield* verify("owner@example.com")
        const response = authenticator().create((yield* post("/passkey/register/options", {}, { headers })).json)
        yield* verify("owner@example.com", false)
        assert.strictEqual(refused(yield* post("/passkey/register/verify", { response }, { headers })), "403 email_not_verified")
      }),
    )
  })
})

describe("a stolen password where a second factor is required", () => {
  const everyone = twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 10, required: "everyone" })
  layer(served({ modules: [...core, everyone], graphql: {} }))((it) => {
    it.effect("gets no session: the sign-in enrols a factor first, over REST and GraphQL", () =>
      Effect.gen(function* () {
        const email = "ada@example.com"
        assert.strictEqual(refused(yield* post("/sign-up/email", { email, password })), "403 email_not_verified")
        assert.strictEqual(refused(yield* post("/sign-in/email", { email, password })), "403 email_not_verified")
        yield* verify(email)

        const text = `mutation { signInEmail(input: { email: "${email}", password: "${password}" }) {
          __typename ... on TwoFactorEnrolmentChallenge { twoFactorEnrolmentRequired expiresIn } } }`
        const asked = yield* query(text)
        const expected = { __typename: "TwoFactorEnrolmentChallenge", twoFactorEnrolmentRequired: true, expiresIn: 300 }
        assert.deepStrictEqual(asked.data.signInEmail, expected)

        const interim = yield* post("/sign-in/email", { email, password })
        assert.deepStrictEqual(Object.keys(interim.json), ["two_factor_enrolment_required", "challenge_token", "expires_in"])
        assert.isUndefined(interim.headers["set-cookie"])
        const { challenge_token } = interim.json
        const app = yield* post("/2fa/totp/enrol", { challenge_token })
        assert.deepStrictEqual(Object.keys(app.json), ["secret", "totp_uri", "backup_codes"])
        assert.isUndefined(app.headers["set-cookie"])
        assert.strictEqual(refused(yield* post("/2fa/totp/enrol/confirm", { challenge_token, code: "x" })), "400 invalid_otp")
        const code = yield* shownBy(app.json.secret)
        const entered = yield* post("/2fa/totp/enrol/confirm", { challenge_token, code })
        assert.strictEqual(entered.json.user.email, email)
        const { json } = yield* get("/2fa/totp/status", { headers: { cookie: cookieOf(entered) } })
        assert.deepStrictEqual(json, { enabled: true, backup_codes_remaining: 10 })
        assert.strictEqual(refused(yield* post("/2fa/totp/enrol/confirm", { challenge_token, code })), "400 invalid_token")
      }),
    )
  })
})
