import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { multiSession } from "../../../application/modules/multi_session/index.ts"
import { built, shownBy, step } from "../../two-factor.ts"
import { core, password, withVerified } from "../../world.ts"
import { query } from "../graphql/request.ts"
import type { Answer } from "./served.ts"
import { get, post, refused, served } from "./served.ts"

const email = "ada@example.com"
const modules = [...core, built, multiSession.build({ max_sessions: 5 }), bearer.build({ redirects: [] })]

/** All cookies that an answer sets, as a browser sends them back. */
const cookiesOf = ({ headers }: Answer) => (headers["set-cookie"] ?? []).map((set) => set.split(";")[0]).join("; ")

/** A first factor, by REST. */
const first = post("/sign-in/email", { email, password })

describe("a sign-in with two factors", () => {
  layer(served({ modules, graphql: {} }))((it) => {
    it.effect("over HTTP: sends no cookie and no header of a session before the second factor", () =>
      Effect.gen(function* () {
        const before = { cookie: cookiesOf(yield* post("/sign-up/email", { email, password })) }
        const user = (yield* get("/get-session", { headers: before })).json.user
        yield* withVerified(user.id)
        const app = (yield* post("/2fa/totp/enable", { password }, { headers: before })).json
        const confirmed = yield* post("/2fa/totp/confirm", { code: yield* shownBy(app.secret) }, { headers: before })
        assert.deepStrictEqual([confirmed.status, confirmed.json], [200, { success: true }])
        const headers = { cookie: cookiesOf(confirmed) }
        yield* TestClock.adjust(step * 1000)

        const interim = yield* first
        assert.strictEqual(interim.status, 200)
        assert.deepStrictEqual(Object.keys(interim.json), ["two_factor_required", "methods", "challenge_token", "expires_in"])
        for (const field of ["set-cookie", "set-auth-token"]) assert.isUndefined(interim.headers[field], field)

        const { challenge_token } = interim.json
        const bearing = { headers: { authorization: `Bearer ${challenge_token}` } }
        assert.deepStrictEqual((yield* get("/get-session", bearing)).json, { session: null, user: null })
        assert.strictEqual(refused(yield* post("/2fa/totp/challenge", { challenge_token, code: "x" })), "400 invalid_otp")
        assert.strictEqual(refused(yield* post("/2fa/totp/challenge", { challenge_token: "x", code: "x" })), "400 invalid_token")
        assert.strictEqual(refused(yield* post("/2fa/totp/challenge", { challenge_token })), "400 invalid_request")
        assert.strictEqual(refused(yield* post("/2fa/totp/enable", { password }, { headers })), "409 two_factor_enabled")

        const entered = yield* post("/2fa/totp/challenge", { challenge_token, code: yield* shownBy(app.secret) })
        assert.strictEqual(entered.json.user.email, email)
        assert.isString(entered.headers["set-auth-token"])
        const status = yield* get("/2fa/totp/status", { headers: { cookie: cookiesOf(entered) } })
        assert.deepStrictEqual(status.json, { enabled: true, backup_codes_remaining: 10 })
      }),
    )

    it.effect("over GraphQL: returns one of two types, under the same rules", () =>
      Effect.gen(function* () {
        const answer = yield* query(
          `mutation { signInEmail(input: { email: "${email}", password: "${password}" }) {
            __typename ... on TwoFactorChallenge { twoFactorRequired challengeToken expiresIn } } }`,
        )
        const { challengeToken, ...rest } = answer.data.signInEmail
        assert.match(challengeToken, /^[\w-]{43}$/)
        assert.deepStrictEqual(rest, { __typename: "TwoFactorChallenge", twoFactorRequired: true, expiresIn: 300 })
        assert.isUndefined(answer.headers["set-cookie"])
      }),
    )
  })
})
