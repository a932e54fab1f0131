import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import type { Endpoint } from "../../../application/service/endpoint.ts"
import { rulesOf, verifying } from "../../rule.ts"
import { at, browser, core, endpoints, mailedToken, password, signedUp } from "../../world.ts"

// The addresses that mailed links show before they are used.

const built = magicLink.build({ expires_in: 600, disable_signup: false })
const { magicLinkSend, magicLinkShow, magicLinkVerify } = built.endpoints
const { sendVerificationEmail, verifyEmail, verifyEmailShow, requestPasswordReset, resetPassword, resetPasswordShow, changeEmail } =
  endpoints
const rule = rulesOf([...core, built])
const guest = () => at(browser(), built)

const email = "ada@example.com"

/** The links: the endpoint that mails one, the one that shows it, and the one that uses it. */
const links: ReadonlyArray<{
  readonly name: string
  readonly send: Endpoint<any, { readonly success: true }, any>
  readonly show: Endpoint<any, { readonly email: string }, any>
  readonly use: Endpoint<any, object, any>
  readonly seconds: number
  readonly more?: object
}> = [
  { name: "magic link", send: magicLinkSend, show: magicLinkShow, use: magicLinkVerify, seconds: 600 },
  { name: "verification link", send: sendVerificationEmail, show: verifyEmailShow, use: verifyEmail, seconds: 3600 },
  {
    name: "reset link",
    send: requestPasswordReset,
    show: resetPasswordShow,
    use: resetPassword,
    seconds: 3600,
    more: { new_password: `new ${password}` },
  },
]

const sent = Effect.fnUntraced(function* (send: (typeof links)[number]["send"], address = email) {
  yield* signedUp(address)
  yield* guest().body(send, { email: address })
  return yield* mailedToken
})

for (const { name, send, show, use, seconds, more } of links)
  describe(`a ${name}`, () => {
    rule("shows its address, any number of times, until it is used", function* () {
      const token = yield* sent(send)
      for (const _ of [1, 2]) assert.deepStrictEqual(yield* guest().call(show, { token }), { body: { email }, session: "keep" })
      yield* guest().body(use, { token, ...more })
      assert.strictEqual(yield* guest().code(show, { token }), "invalid_token")
    })

    rule("shows nothing from its end on", function* () {
      const token = yield* sent(send)
      yield* TestClock.adjust(`${seconds - 1} seconds`)
      yield* guest().body(show, { token })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* guest().code(show, { token }), "invalid_token")
    })

    rule("shows no link of another kind", function* () {
      for (const [index, other] of links.filter((each) => each.name !== name).entries())
        assert.strictEqual(yield* guest().code(show, { token: yield* sent(other.send, `${index}@example.com`) }), "invalid_token")
    })
  })

rule(
  "a link that changes an address shows the new one",
  function* () {
    const ada = yield* signedUp(email)
    yield* browser().body(sendVerificationEmail, { email })
    yield* browser().body(verifyEmail, { token: yield* mailedToken })
    yield* ada.body(endpoints.signInEmail, { email, password })
    yield* ada.body(changeEmail, { new_email: "countess@example.com" })
    assert.deepStrictEqual(yield* browser().body(verifyEmailShow, { token: yield* mailedToken }), { email: "countess@example.com" })
  },
  verifying,
)

rule("a reset link of a former address shows nothing", function* () {
  const ada = yield* signedUp(email)
  yield* guest().body(requestPasswordReset, { email })
  const token = yield* mailedToken
  yield* ada.body(changeEmail, { new_email: "countess@example.com" })
  assert.strictEqual(yield* guest().code(resetPasswordShow, { token }), "invalid_token")
})
