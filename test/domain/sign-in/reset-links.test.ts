import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { retryOnConflict } from "../../../domain/ports/store.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { MailedTokens } from "../../../domain/users/tables.ts"
import { rulesOf, verifying } from "../../rule.ts"
import { enrolled, built as twoFactor } from "../../two-factor.ts"
import {
  atOnce,
  bringing,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  type WorldServices,
  withoutPassword,
  withVerified,
} from "../../world.ts"

// A link for a new password stays valid when its owner proves the same address in another way first.

const codes = emailOtp.build(Schema.decodeSync(CodeSettings)({}))
const links = magicLink.build({ expires_in: 600, disable_signup: false })
const { changeEmail, changePassword, requestPasswordReset, resetPassword, sendVerificationEmail, signInEmail, verifyEmail } = endpoints
const email = "ada@example.com"
const elsewhere = "thief@example.com"
const new_password = "another fine password"

type Browser = ReturnType<typeof browser>
type Proof = Effect.Effect<unknown, unknown, WorldServices>

/** A verified social profile. */
const federated = Endpoint.make({
  method: "POST",
  path: "/federated",
  summary: "Signs in by an address that a provider vouches for.",
  access: "public",
  signsIn: "federated",
  input: Endpoint.NoInput,
  output: Endpoint.Success,
  handler: () => {
    const account = { provider_id: "idp_two", account_id: "1" }
    const entered = retryOnConflict(signInByVerifiedEmail(email, [], { name: null, disable_signup: false, account }))
    return Effect.map(Effect.orDie(entered), (issued) => Endpoint.reply(Endpoint.succeeded, Option.getOrThrow(issued)))
  },
})

const rule = rulesOf([...core, codes, links, twoFactor, bringing(federated)])

const resetToken = Effect.andThen(browser().body(requestPasswordReset, { email }), mailedToken)
const reset = (token: string) => browser().call(resetPassword, { token, new_password })

/** The ways to prove an address. Each gets its own proof first, so that it can be mailed before or after the link. */
const ways: Readonly<Record<string, (their: Browser) => Effect.Effect<Proof, unknown, WorldServices>>> = {
  "a verification link": Effect.fnUntraced(function* (their) {
    yield* browser().body(sendVerificationEmail, { email })
    const token = yield* mailedToken
    return their.call(verifyEmail, { token })
  }),
  "a magic link": Effect.fnUntraced(function* (their) {
    yield* browser().body(links.endpoints.magicLinkSend, { email })
    const token = yield* mailedToken
    return their.call(links.endpoints.magicLinkVerify, { token })
  }),
  "a code by email": Effect.fnUntraced(function* (their) {
    yield* browser().body(codes.endpoints.emailOtpSend, { email })
    const otp = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")?.[0]
    return their.call(codes.endpoints.signInEmailOtp, { email, otp })
  }),
  "a social profile": (their) => Effect.succeed(their.call(federated)),
}

/** Accounts before the proof. */
const accounts: Readonly<Record<string, Effect.Effect<unknown, unknown, WorldServices>>> = {
  "a never-verified account": signedUp(email),
  "a never-verified account without a password": Effect.flatMap(signedUp(email), ({ user }) => withoutPassword(user.id)),
  "a verified account": Effect.flatMap(signedUp(email), ({ user }) => withVerified(user.id)),
}

/** Users whose address is verified get no verification link. */
const everyWay = Object.entries(ways)
  .flatMap(([way, begin]) =>
    Object.entries(accounts).flatMap(([account, made]) => [true, false].map((isFirst) => ({ way, begin, account, made, isFirst }))),
  )
  .filter(({ way, account }) => way !== "a verification link" || account !== "a verified account")

describe("a reset link", () => {
  for (const { way, begin, account, made, isFirst } of everyWay)
    rule(`of ${account} survives ${way} that was requested ${isFirst ? "before" : "after"} it`, function* () {
      yield* made
      const early = isFirst ? yield* begin(browser()) : undefined
      const token = yield* resetToken
      yield* early ?? (yield* begin(browser()))
      yield* reset(token)
      assert.strictEqual((yield* signedIn(email, new_password)).user.email, email)
      assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
      assert.lengthOf(yield* rows(MailedTokens), 0)
    })

  for (const [way, begin] of Object.entries(ways))
    rule(`survives ${way} in a browser that is signed in`, function* () {
      const ada = yield* signedUp(email)
      const token = yield* resetToken
      yield* yield* begin(ada)
      yield* reset(token)
      yield* signedIn(email, new_password)
      assert.isFalse(yield* isSignedIn(ada))
    })

  rule("survives the set-up of a second factor", function* () {
    const ada = yield* signedUp(email)
    yield* withVerified(ada.user.id)
    const token = yield* resetToken
    yield* enrolled(ada)
    yield* reset(token)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
  })

  for (const [way, begin] of Object.entries(ways))
    rule(`that is used in the same moment as ${way} sets one password`, function* () {
      yield* signedUp(email)
      const [token, proof] = [yield* resetToken, yield* begin(browser())]
      // A verification link is dead if the reset was faster, which has verified the address.
      const resets = atOnce(times(5, () => reset(token)))
      const [tally] = yield* Effect.all([resets, Effect.ignore(proof)], { concurrency: "unbounded" })
      assert.deepStrictEqual(tally, { ok: 1, invalid_token: 4 })
      yield* signedIn(email, new_password)
    })

  rule("dies with the others when one is used, and when the password is changed", function* () {
    const ada = yield* signedUp(email)
    const [one, other] = [yield* resetToken, yield* resetToken]
    yield* reset(one)
    assert.strictEqual(yield* ada.code(resetPassword, { token: other, new_password }), "invalid_token")
    const their = yield* signedIn(email, new_password)
    const third = yield* resetToken
    yield* their.body(changePassword, { current_password: new_password, new_password: password })
    assert.strictEqual(yield* browser().code(resetPassword, { token: third, new_password }), "invalid_token")
  })

  rule("to the previous address dies when the address changes, also when it changes back", function* () {
    const ada = yield* signedUp(email)
    const token = yield* resetToken
    yield* ada.body(changeEmail, { new_email: elsewhere })
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
    yield* ada.body(changeEmail, { new_email: email })
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
  })

  rule(
    "to the previous address dies when the link to a new one is followed",
    function* () {
      const ada = yield* signedUp(email)
      yield* withVerified(ada.user.id)
      const their = yield* signedIn(email)
      const token = yield* resetToken
      yield* their.body(changeEmail, { new_email: elsewhere })
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
      assert.lengthOf(yield* rows(MailedTokens), 0)
    },
    verifying,
  )
})

describe("every other link", () => {
  for (const [way, begin] of Object.entries(ways))
    rule(
      `that was mailed before, to this address or another, dies with ${way}`,
      function* () {
        const attacker = yield* signedUp(email)
        yield* attacker.body(changeEmail, { new_email: elsewhere })
        const change = yield* mailedToken
        yield* browser().body(sendVerificationEmail, { email })
        const verification = yield* mailedToken
        yield* resetToken
        yield* yield* begin(browser())
        for (const token of [change, verification]) assert.strictEqual(yield* browser().code(verifyEmail, { token }), "invalid_token")
        assert.deepStrictEqual(
          (yield* rows(MailedTokens)).map((row) => row.email),
          [email],
        )
      },
      verifying,
    )
})
