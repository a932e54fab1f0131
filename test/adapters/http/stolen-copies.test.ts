import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { built as passkey } from "../../application/modules/passkey/passkeys.ts"
import { shownBy, step, built as twoFactor } from "../../two-factor.ts"
import { core, emails, mailedToken, password } from "../../world.ts"
import { query } from "../graphql/request.ts"
import { cookieOf, get, post, refused, served, signedUp } from "./served.ts"

const root = "root@example.com"
const modules = [
  ...core,
  oneTimeToken.build({ expires_in: 60 }),
  emailOtp.build(Schema.decodeSync(CodeSettings)({})),
  admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] })),
  passkey,
  twoFactor,
]

const verify = Effect.fnUntraced(function* (email: string, headers = {}) {
  yield* post("/send-verification-email", { email })
  assert.strictEqual((yield* post("/verify-email", { token: yield* mailedToken }, { headers })).status, 200)
})
const mailedCode = Effect.map(emails, (all) => /\b\d{6}\b/.exec(all.at(-1)?.text ?? "")?.[0])

describe("a stolen session over HTTP", () => {
  layer(served({ modules, graphql: {}, settings: { public_url: "https://id.example.com" } }))((it) => {
    it.effect("gains no proof by a one-time token made before the step-up, over REST and GraphQL", () =>
      Effect.gen(function* () {
        const stolen = { headers: yield* signedUp("ada@example.com") }
        const { token } = (yield* post("/one-time-token/generate", {}, stolen)).json
        const made = yield* query("mutation { oneTimeTokenGenerate { token } }", {}, stolen)
        assert.strictEqual((yield* post("/step-up", { password }, stolen)).status, 200)
        assert.strictEqual(refused(yield* post("/one-time-token/verify", { token })), "401 invalid_token")
        const verifying = "mutation ($input: OneTimeTokenVerifyInput!) { oneTimeTokenVerify(input: $input) { user { id } } }"
        const redeemed = yield* query(verifying, { input: { token: made.data.oneTimeTokenGenerate.token } })
        assert.strictEqual(redeemed.errors[0]?.extensions.code, "invalid_token")
      }),
    )

    it.effect("is invalid once the owner confirms an app, which sets a new cookie, over GraphQL too", () =>
      Effect.gen(function* () {
        const stolen = { headers: yield* signedUp("bob@example.com") }
        yield* verify("bob@example.com", stolen.headers)
        const { secret } = (yield* post("/2fa/totp/enable", { password }, stolen)).json
        const text = "mutation ($input: TwoFactorTotpConfirmInput!) { twoFactorTotpConfirm(input: $input) { success } }"
        const confirmed = yield* query(text, { input: { code: yield* shownBy(secret) } }, stolen)
        assert.deepStrictEqual(confirmed.data, { twoFactorTotpConfirm: { success: true } })
        yield* TestClock.adjust(step * 1000)
        assert.deepStrictEqual((yield* get("/get-session", stolen)).json, { session: null, user: null })
        const own = { headers: { cookie: cookieOf(confirmed) } }
        assert.strictEqual((yield* get("/get-session", own)).json.user.email, "bob@example.com")
        assert.notInclude((yield* get("/get-session", own)).text, "readdressed")
      }),
    )

    it.effect("adds no passkey by a code that is mailed to an address which it has just set", () =>
      Effect.gen(function* () {
        const stolen = { headers: yield* signedUp("carl@example.com") }
        yield* verify("carl@example.com", stolen.headers)
        yield* post("/change-email", { new_email: "thief@example.com" }, stolen)
        yield* verify("thief@example.com", stolen.headers)
        yield* post("/email-otp/send", { email: "thief@example.com" })
        const otp = yield* mailedCode
        assert.strictEqual(refused(yield* post("/step-up", { otp }, stolen)), "400 invalid_request")
        const own = { headers: { cookie: cookieOf(yield* post("/sign-in/email-otp", { email: "thief@example.com", otp })) } }
        assert.strictEqual(refused(yield* post("/passkey/register/options", {}, own)), "403 email_not_verified")
      }),
    )

    it.effect("of a user who signed up with an address of admin_emails ends when its owner proves the address", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp(root)
        yield* verify(root)
        assert.strictEqual(refused(yield* get("/admin/list-users", { headers })), "401 unauthorized")
        assert.strictEqual(refused(yield* post("/sign-in/email", { email: root, password })), "401 invalid_credentials")
      }),
    )
  })
})
