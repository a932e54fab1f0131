import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import type { Endpoint } from "../../../application/service/endpoint.ts"
import { VerificationCodes } from "../../../domain/sign-in/verification.ts"
import { rulesOf, verifying } from "../../rule.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedCode,
  mailedToken,
  password,
  rows,
  signedUp,
  times,
} from "../../world.ts"

// The rules of codes beside mailed links.

const links = magicLink.build({ expires_in: 600, disable_signup: false })
const { magicLinkSend, magicLinkVerify, magicLinkVerifyCode } = links.endpoints
const { signUpEmail, signInEmail, getSession, sendVerificationEmail, verifyEmail, verifyEmailCode, changeEmail, deleteUser } = endpoints
const rule = rulesOf([...core, links])

const email = "ada@example.com"
const flow = "f".repeat(43)
const other = "g".repeat(43)
const guest = () => browser()

const wrong = (code: string) => (code === "000000" ? "000001" : "000000")
const isVerified = (their: ReturnType<typeof browser>) => Effect.map(their.body(getSession), ({ user }) => user?.email_verified)

/** Both kinds of codes: the endpoint that sends them, and the one that takes them. */
const kinds: ReadonlyArray<{
  readonly kind: string
  readonly send: Endpoint<any, { readonly success: true }, any>
  readonly redeem: Endpoint<any, object, any>
  readonly seconds: number
}> = [
  { kind: "verification", send: sendVerificationEmail, redeem: verifyEmailCode, seconds: 3600 },
  { kind: "magic link", send: magicLinkSend, redeem: magicLinkVerifyCode, seconds: 600 },
]
const [, forMagicLinks] = kinds

const sentTo = Effect.fnUntraced(function* ({ send }: (typeof kinds)[number], address = email) {
  yield* guest().body(send, { email: address, flow })
  return yield* mailedCode
})

for (const each of kinds) {
  const { kind, send, redeem, seconds } = each
  describe(`the code beside a ${kind} link`, () => {
    rule("is mailed only with the secret of a flow", function* () {
      yield* signedUp(email)
      yield* guest().body(send, { email })
      assert.strictEqual(yield* mailedCode, "")
      yield* guest().body(send, { email, flow })
      assert.match(yield* mailedCode, /^\d{6}$/)
      assert.include((yield* emails).at(-1)?.text, "token=")
    })

    rule("counts only in its flow, once", function* () {
      yield* signedUp(email)
      const code = yield* sentTo(each)
      assert.strictEqual(yield* guest().code(redeem, { email, flow: other, code }), "invalid_otp")
      assert.strictEqual(yield* guest().code(redeem, { email: "bob@example.com", flow, code }), "invalid_otp")
      yield* guest().body(redeem, { email, flow, code })
      assert.strictEqual(yield* guest().code(redeem, { email, flow, code }), "invalid_otp")
    })

    rule("allows two wrong guesses, and not three", function* () {
      yield* signedUp(email)
      for (const [guesses, answer] of [
        [2, "ok"],
        [3, "invalid_otp"],
      ] as const) {
        const code = yield* sentTo(each)
        for (const _ of times(guesses, () => null)) yield* guest().code(redeem, { email, flow, code: wrong(code) })
        assert.deepStrictEqual(yield* atOnce([guest().call(redeem, { email, flow, code })]), { [answer]: 1 })
        yield* TestClock.adjust("1 hour")
      }
    })

    rule("expires with the link, and a newer one replaces it", function* () {
      yield* signedUp(email)
      const late = yield* sentTo(each)
      yield* TestClock.adjust(`${seconds} seconds`)
      assert.strictEqual(yield* guest().code(redeem, { email, flow, code: late }), "invalid_otp")
      const replaced = yield* sentTo(each)
      yield* TestClock.adjust("1 second")
      const timely = yield* sentTo(each)
      if (replaced !== timely) assert.strictEqual(yield* guest().code(redeem, { email, flow, code: replaced }), "invalid_otp")
      yield* TestClock.adjust(`${seconds - 1} seconds`)
      yield* guest().body(redeem, { email, flow, code: timely })
    })

    rule("survives guesses and requests for the same address in other flows", function* () {
      yield* signedUp(email)
      const code = yield* sentTo(each)
      for (const _ of times(3, () => null)) yield* guest().code(redeem, { email, flow: other, code: wrong(code) })
      yield* guest().body(send, { email, flow: other })
      yield* guest().body(send, { email })
      yield* guest().body(redeem, { email, flow, code })
    })

    rule("is accepted once of many at once", function* () {
      yield* signedUp(email)
      const code = yield* sentTo(each)
      const tally = yield* atOnce(times(20, () => guest().call(redeem, { email, flow, code })))
      assert.deepStrictEqual(tally, { ok: 1, invalid_otp: 19 })
    })

    rule("refuses malformed secrets", function* () {
      for (const malformed of [null, 7, "", "f".repeat(42), "f".repeat(129), `${flow} `, `${flow}=`]) {
        assert.strictEqual(yield* guest().code(send, { email, flow: malformed }), "invalid_request")
        assert.strictEqual(yield* guest().code(redeem, { email, flow: malformed, code: "123456" }), "invalid_request")
      }
    })
  })
}

describe("the code of a sign-up", () => {
  rule(
    "verifies the address and keeps the session and the password of the browser that signed up",
    function* () {
      const ada = guest()
      yield* ada.body(signUpEmail, { email, password, flow })
      assert.strictEqual(yield* isVerified(ada), false)
      yield* ada.body(verifyEmailCode, { email: " ADA@example.com ", flow, code: yield* mailedCode })
      assert.strictEqual(yield* isVerified(ada), true)
      yield* guest().body(signInEmail, { email, password })
    },
    verifying,
  )

  rule(
    "opens no session for a browser without one",
    function* () {
      yield* signedUp(email)
      yield* guest().body(sendVerificationEmail, { email, flow })
      const their = guest()
      yield* their.body(verifyEmailCode, { email, flow, code: yield* mailedCode })
      assert.isFalse(yield* isSignedIn(their))
      yield* their.body(signInEmail, { email, password })
    },
    verifying,
  )

  rule(
    "does nothing for a taken, an unknown or a verified address, and stores as much",
    function* () {
      const ada = yield* signedUp(email)
      yield* ada.body(sendVerificationEmail, { email, flow })
      yield* ada.body(verifyEmailCode, { email, flow, code: yield* mailedCode })
      for (const address of [email, "unknown@example.com"]) {
        const before = (yield* rows(VerificationCodes)).length
        yield* guest().body(sendVerificationEmail, { email: address, flow })
        assert.lengthOf(yield* rows(VerificationCodes), before + 1)
        assert.strictEqual(yield* guest().code(verifyEmailCode, { email: address, flow, code: "123456" }), "invalid_otp")
      }
    },
    verifying,
  )

  rule("succeeds after the link has verified the address elsewhere", function* () {
    const ada = guest()
    yield* ada.body(signUpEmail, { email, password })
    yield* ada.body(sendVerificationEmail, { email, flow })
    const code = yield* mailedCode
    yield* guest().body(verifyEmail, { token: yield* mailedToken })
    yield* guest().body(verifyEmailCode, { email, flow, code })
  })

  rule("does not verify another user who has got the address", function* () {
    const ada = yield* signedUp(email)
    yield* guest().body(sendVerificationEmail, { email, flow })
    const code = yield* mailedCode
    yield* ada.body(deleteUser, { password })
    const mallory = yield* signedUp("mallory@example.com")
    yield* mallory.body(changeEmail, { new_email: email })
    assert.strictEqual(yield* guest().code(verifyEmailCode, { email, flow, code }), "invalid_otp")
    assert.strictEqual(yield* isVerified(mallory), false)
  })
})

describe("the code beside a sign-in link", () => {
  rule("signs in, and the link is of no use afterwards", function* () {
    const code = yield* sentTo(forMagicLinks!)
    const their = guest()
    const { user } = yield* their.body(magicLinkVerifyCode, { email, flow, code })
    assert.deepStrictEqual([user.email, user.email_verified], [email, true])
    assert.isTrue(yield* isSignedIn(their))
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token: yield* mailedToken }), "invalid_token")
  })
})
