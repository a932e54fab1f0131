import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { MagicLinks, magicLink } from "../../../../application/modules/magic_link/index.ts"
import { oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import * as Module from "../../../../application/service/module.ts"
import { define } from "../../../../domain/errors.ts"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import {
  at,
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
  signedIn,
  signedUp,
  times,
} from "../../../world.ts"

const Closed = define("closed", 403, "Closed.")
const closed = new Set<string>()
/** A gate that refuses users with a listed address. */
const gate = Module.define({
  name: "gate",
  settings: Module.NoSettings,
  parts: () => ({ gates: [({ email }) => (closed.has(email) ? Effect.fail(new Closed()) : Effect.void)], gateErrors: [Closed] }),
}).build({})

/** The service with magic links, under these settings. */
const including = (settings: Partial<(typeof magicLink)["settings"]["Type"]> = {}) => {
  const built = magicLink.build({ expires_in: 600, disable_signup: false, ...settings })
  const modules = [built, gate, handOffs]
  return { ...built.endpoints, guest: () => at(browser(), ...modules), rule: rulesOf([...core, ...modules]) }
}

const handOffs = oneTimeToken.build({ expires_in: 60 })
const { magicLinkSend, magicLinkVerify, guest, rule } = including()
const invitedOnly = including({ disable_signup: true })

const { getSession, signInEmail, changeEmail, requestPasswordReset, resetPassword, verifyEmail, sendVerificationEmail } = endpoints
const email = "ada@example.com"

/** An unused link to this address. */
const mailed = Effect.fnUntraced(function* (address: string) {
  yield* guest().body(magicLinkSend, { email: address })
  return yield* mailedToken
})

/** A user with a verified address. */
const verified = Effect.fnUntraced(function* (address: string) {
  const their = yield* signedUp(address)
  yield* their.body(sendVerificationEmail, { email: address })
  yield* their.body(verifyEmail, { token: yield* mailedToken })
  return their
})

describe("magic-link/send", () => {
  rule("mails a link and its lifetime", function* () {
    assert.deepStrictEqual(yield* guest().call(magicLinkSend, { email: " ADA@example.com " }), {
      body: { success: true },
      session: "keep",
    })
    const [message, ...more] = yield* emails
    assert.strictEqual(message?.to, email)
    assert.strictEqual(message?.subject, "Sign in to Sallyport")
    assert.match(message?.text ?? "", /http:\/\/localhost:3000\/magic-link\?token=[\w-]{43}\n/)
    assert.include(message?.text, "The link is valid for 10 minutes and works once.")
    assert.lengthOf(more, 0)
  })

  rule("states the lifetime in seconds if it is not in whole minutes", function* () {
    for (const expires_in of [1, 60, 90]) {
      const other = including({ expires_in })
      yield* other.guest().body(other.magicLinkSend, { email })
    }
    const spans = (yield* emails).map(({ text }) => /valid for (.*) and/.exec(text)?.[1])
    assert.deepStrictEqual(spans, ["1 second", "1 minute", "90 seconds"])
  })

  rule("mails no link that expires before its mail is sent", function* () {
    for (const expires_in of [60, 61]) {
      const other = including({ expires_in })
      yield* other.guest().body(other.magicLinkSend, { email })
    }
    yield* TestClock.adjust("60 seconds")
    assert.lengthOf(yield* emails, 1)
  })

  rule(
    "uses the configured page",
    function* () {
      yield* guest().body(magicLinkSend, { email: "a+b@example.com" })
      assert.match((yield* emails)[0]?.text ?? "", /https:\/\/app\.example\.com\/in#[\w-]{43}&a%2Bb%40example\.com\n/)
    },
    { links: { magic_link: "https://app.example.com/in#{token}&{email}" } },
  )

  rule("responds and writes the same for known and unknown addresses, with and without sign-up", function* () {
    yield* signedUp(email)
    for (const { magicLinkSend, guest } of [including(), invitedOnly]) {
      for (const address of [email, "unknown@example.com"]) {
        const pending = (yield* rows(PendingMessages)).length
        const reply = yield* guest().call(magicLinkSend, { email: address })
        assert.strictEqual(JSON.stringify(reply), '{"body":{"success":true},"session":"keep"}')
        assert.lengthOf(yield* rows(PendingMessages), pending + 1, address)
        assert.lengthOf(
          (yield* rows(MagicLinks)).filter((link) => link.email === address),
          1,
          address,
        )
      }
    }
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email, "unknown@example.com", email],
    )
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("refuses malformed addresses", function* () {
    for (const input of [null, [], {}, { email: null }, { email: 7 }, { email: "" }, { email: "ada" }, { email: "1@phone.service" }])
      assert.strictEqual(yield* guest().code(magicLinkSend, input), "invalid_request", JSON.stringify(input))
    assert.lengthOf(yield* rows(MagicLinks), 0)
  })

  rule("invalidates the link that was requested before, and no link of another address", function* () {
    const [first, other, second] = [yield* mailed(email), yield* mailed("bob@example.com"), yield* mailed(email)]
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token: first }), "invalid_token")
    for (const token of [second, other]) yield* guest().body(magicLinkVerify, { token })
  })

  rule("leaves one valid link of many requested at once", function* () {
    yield* atOnce(times(10, () => guest().call(magicLinkSend, { email })))
    const tokens = (yield* emails).flatMap(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? [])
    assert.lengthOf(tokens, 10)
    const tally = yield* atOnce(tokens.map((token) => guest().call(magicLinkVerify, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 9 })
  })

  rule(
    "limits the mails to one address",
    function* () {
      const tally = yield* atOnce(times(7, () => guest().call(magicLinkSend, { email })))
      assert.deepStrictEqual(tally, { ok: 5, rate_limited: 2 })
      assert.lengthOf(yield* emails, 5)
      yield* guest().body(magicLinkSend, { email: "bob@example.com" })
    },
    { rate_limit: { enabled: true } },
  )
})

describe("magic-link/verify", () => {
  rule("signs up a new user, without a name and with a verified address", function* () {
    const their = guest()
    const { body } = yield* their.call(magicLinkVerify, { token: yield* mailed(email) })
    const { user } = yield* onWire(magicLinkVerify, body)
    const epoch = "1970-01-01T00:00:00.000Z"
    const shape = { email, email_verified: true, name: null, image: null, created_at: epoch, updated_at: epoch }
    assert.deepStrictEqual(user, { id: user.id, ...shape })
    assert.strictEqual((yield* their.body(getSession)).user?.id, user.id)
    assert.lengthOf(yield* rows(Accounts), 0)
  })

  rule("signs in an existing user, and keeps the credentials of one with a verified address", function* () {
    const ada = yield* verified(email)
    const { user } = yield* guest().body(magicLinkVerify, { token: yield* mailed(email) })
    assert.deepStrictEqual([user.id, user.email_verified], [ada.user.id, true])
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Sessions), 2)
    yield* signedIn(email)
  })

  rule("removes the credentials of an attacker who had registered the address", function* () {
    const attacker = yield* signedUp(email)
    const owner = guest()
    const { user } = yield* owner.body(magicLinkVerify, { token: yield* mailed(email) })
    assert.deepStrictEqual([user.id, user.email_verified], [attacker.user.id, true])
    assert.isFalse(yield* isSignedIn(attacker))
    assert.isTrue(yield* isSignedIn(owner))
    assert.strictEqual(yield* guest().code(signInEmail, { email, password }), "invalid_credentials")
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("removes nothing if the caller is signed in as that user", function* () {
    const ada = yield* signedUp(email)
    const { user } = yield* ada.body(magicLinkVerify, { token: yield* mailed(email) })
    assert.isTrue(user.email_verified)
    assert.lengthOf(yield* rows(Sessions), 1)
    yield* signedIn(email)
  })

  rule(
    "changes nothing where so configured",
    function* () {
      const ada = yield* signedUp(email)
      const { user } = yield* guest().body(magicLinkVerify, { token: yield* mailed(email) })
      assert.isTrue(user.email_verified)
      assert.isTrue(yield* isSignedIn(ada))
      yield* signedIn(email)
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("accepts a token once, and no unknown one", function* () {
    const token = yield* mailed(email)
    yield* guest().body(magicLinkVerify, { token })
    for (const spent of [token, "", "x", `${token}x`, token.slice(1), "nul\0", "\ud800"])
      assert.strictEqual(yield* guest().code(magicLinkVerify, { token: spent }), "invalid_token", spent)
    assert.lengthOf(yield* rows(MagicLinks), 0)
  })

  rule("accepts no token of another kind, and other endpoints refuse its tokens", function* () {
    const ada = yield* signedUp(email)
    const asked = [
      ada.body(requestPasswordReset, { email }),
      ada.body(sendVerificationEmail, { email }),
      ada.body(changeEmail, { new_email: "ada@elsewhere.example" }),
    ]
    for (const ask of asked) {
      yield* ask
      assert.strictEqual(yield* guest().code(magicLinkVerify, { token: yield* mailedToken }), "invalid_token")
    }
    const { token: handOff } = yield* ada.body(handOffs.endpoints.oneTimeTokenGenerate)
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token: handOff }), "invalid_token")

    const token = yield* mailed(email)
    assert.strictEqual(yield* guest().code(resetPassword, { token, new_password: password }), "invalid_token")
    assert.strictEqual(yield* guest().code(verifyEmail, { token }), "invalid_token")
    assert.strictEqual(yield* guest().code(handOffs.endpoints.oneTimeTokenVerify, { token }), "invalid_token")
    yield* guest().body(magicLinkVerify, { token })
  })

  rule("refuses a missing or ill-typed token", function* () {
    for (const input of [null, [], {}, { token: null }, { token: 7 }, { token: ["x"] }])
      assert.strictEqual(yield* guest().code(magicLinkVerify, input), "invalid_request", JSON.stringify(input))
  })

  rule("accepts a link for ten minutes", function* () {
    const late = yield* mailed(email)
    yield* TestClock.adjust("1 second")
    const timely = yield* mailed("bob@example.com")
    yield* TestClock.adjust("599 seconds")
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token: late }), "invalid_token")
    yield* guest().body(magicLinkVerify, { token: timely })
  })

  rule("accepts a link for its configured lifetime", function* () {
    const brief = including({ expires_in: 2 })
    yield* brief.guest().body(brief.magicLinkSend, { email })
    const token = yield* mailedToken
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token }), "invalid_token")
  })

  rule("signs up no user while sign-up is disabled, and consumes the link", function* () {
    const token = yield* mailed(email)
    assert.strictEqual(yield* invitedOnly.guest().code(invitedOnly.magicLinkVerify, { token }), "invalid_token")
    assert.lengthOf(yield* rows(Users), 0)
    assert.strictEqual(yield* guest().code(magicLinkVerify, { token }), "invalid_token")

    yield* signedUp(email)
    yield* invitedOnly.guest().body(invitedOnly.magicLinkSend, { email })
    const { user } = yield* invitedOnly.guest().body(invitedOnly.magicLinkVerify, { token: yield* mailedToken })
    assert.strictEqual(user.email, email)
  })

  rule("refuses existing and new users at a closed gate, and consumes the link", function* () {
    yield* signedUp(email)
    for (const address of [email, "new@example.com"]) {
      const token = yield* mailed(address)
      closed.add(address)
      assert.strictEqual(yield* guest().code(magicLinkVerify, { token }), "closed")
      closed.delete(address)
      assert.strictEqual(yield* guest().code(magicLinkVerify, { token }), "invalid_token")
    }
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 1)
    yield* signedIn(email)
  })

  rule("proves the address that it was sent to, whichever user has it now", function* () {
    const ada = yield* signedUp(email)
    const token = yield* mailed(email)
    yield* ada.body(changeEmail, { new_email: "ada@elsewhere.example" })
    const { user } = yield* guest().body(magicLinkVerify, { token })
    assert.strictEqual(user.email, email)
    assert.notStrictEqual(user.id, ada.user.id)
  })
})

describe("concurrent magic links", () => {
  rule("twenty redemptions of one link make one session", function* () {
    const token = yield* mailed(email)
    const browsers = times(20, guest)
    const tally = yield* atOnce(browsers.map((their) => their.call(magicLinkVerify, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 19 })
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 1)
  })

  rule("twenty redemptions of one link to an attacker's registration leave one session, the owner's", function* () {
    const attacker = yield* signedUp(email)
    const token = yield* mailed(email)
    const tally = yield* atOnce(times(20, () => guest().call(magicLinkVerify, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 19 })
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.isFalse(yield* isSignedIn(attacker))
  })
})
