import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { rule, verifying } from "../../../rule.ts"
import { atOnce, browser, emails, endpoints, isSignedIn, mailedToken, password, rows, signedIn, signedUp, times } from "../../../world.ts"

const { sendVerificationEmail, verifyEmail, changeEmail, requestPasswordReset, getSession, signInEmail, deleteUser } = endpoints
const email = "ada@example.com"
const new_email = "ada@elsewhere.example"
const refusedAddresses = [
  undefined,
  null,
  7,
  "",
  "ada",
  "a b@example.com",
  "ada@example.com\0",
  "1@phone.service",
  "0xab@siwe.local",
  "idp_one:1",
]

const requested = Effect.gen(function* () {
  yield* browser().body(sendVerificationEmail, { email })
  return yield* mailedToken
})

const userOf = (their: ReturnType<typeof browser>) => Effect.map(their.body(getSession), ({ user }) => user)

describe("send-verification-email", () => {
  rule("mails a link to an address that is not verified", function* () {
    yield* signedUp(email)
    assert.deepStrictEqual(yield* browser().body(sendVerificationEmail, { email: " ADA@example.com " }), { success: true })
    const [message, ...more] = yield* emails
    assert.strictEqual(message?.to, email)
    assert.match(message?.text ?? "", /http:\/\/localhost:3000\/verify-email\?token=[\w-]{43}\n/)
    assert.lengthOf(more, 0)
  })

  rule(
    "uses the configured link",
    function* () {
      yield* signedUp(email)
      yield* browser().body(sendVerificationEmail, { email })
      assert.match((yield* emails)[0]?.text ?? "", /https:\/\/app\.example\.com\/v\/[\w-]{43}\?for=ada%40example\.com\n/)
    },
    { links: { verify_email: "https://app.example.com/v/{token}?for={email}" } },
  )

  rule("mails no expired link", function* () {
    yield* signedUp(email)
    yield* browser().body(sendVerificationEmail, { email })
    yield* TestClock.adjust("3600 seconds")
    assert.isEmpty(yield* emails)
  })

  rule("answers and writes the same for an unknown and a verified address, and mails nothing", function* () {
    yield* signedUp("verified@example.com")
    yield* browser().body(sendVerificationEmail, { email: "verified@example.com" })
    yield* browser().body(verifyEmail, { token: yield* mailedToken })
    yield* signedUp(email)
    const sent = (yield* emails).length

    const counts = Effect.map(
      Effect.all([rows(MailedTokens), rows(PendingMessages)]),
      ([tokens, pending]) => [tokens.length, pending.length] as const,
    )
    for (const address of [email, "unknown@example.com", "verified@example.com"]) {
      const [tokens, pending] = yield* counts
      assert.deepStrictEqual(yield* browser().call(sendVerificationEmail, { email: address }), { body: { success: true }, session: "keep" })
      assert.deepStrictEqual(yield* counts, [tokens + 1, pending + 1])
    }
    assert.deepStrictEqual(
      (yield* emails).slice(sent).map(({ to }) => to),
      [email],
    )
  })

  rule(
    "answers and writes the same for a verified address, and mails its owner where to sign in, if there is a page for it",
    function* () {
      yield* signedUp(email)
      yield* browser().body(verifyEmail, { token: yield* requested })
      const sent = (yield* emails).length
      const counts = Effect.map(
        Effect.all([rows(MailedTokens), rows(PendingMessages)]),
        ([tokens, pending]) => [tokens.length, pending.length] as const,
      )
      for (const address of [email, "unknown@example.com"]) {
        const [tokens, pending] = yield* counts
        assert.deepStrictEqual(yield* browser().body(sendVerificationEmail, { email: address }), { success: true })
        assert.deepStrictEqual(yield* counts, [tokens + 1, pending + 1])
      }
      const [message, ...more] = (yield* emails).slice(sent)
      assert.deepStrictEqual([message?.to, message?.subject, more.length], [email, "You already have a Sallyport account", 0])
      assert.match(message?.text ?? "", /https:\/\/app\.example\.com\/login\n/)
    },
    { links: { existing_account: "https://app.example.com/login" } },
  )

  rule("refuses malformed and synthetic addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* browser().code(sendVerificationEmail, { email: refused }), "invalid_request", String(refused))
  })
})

describe("verify-email", () => {
  rule("verifies the address and keeps all sessions", function* () {
    const ada = yield* signedUp(email)
    assert.isFalse((yield* userOf(ada))?.email_verified)
    const reply = yield* browser().call(verifyEmail, { token: yield* requested })
    assert.deepStrictEqual(reply, { body: { success: true }, session: "keep" })
    assert.isTrue((yield* userOf(ada))?.email_verified)
  })

  rule("accepts a token once, also among concurrent uses", function* () {
    yield* signedUp(email)
    const token = yield* requested
    const tally = yield* atOnce(Array.from({ length: 10 }, () => browser().call(verifyEmail, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 9 })
  })

  rule("accepts a token for an hour", function* () {
    const ada = yield* signedUp(email)
    const late = yield* requested
    yield* TestClock.adjust("1 second")
    const timely = yield* requested
    yield* TestClock.adjust("3599 seconds")
    assert.strictEqual(yield* browser().code(verifyEmail, { token: late }), "invalid_token")
    assert.isFalse((yield* userOf(ada))?.email_verified)
    yield* browser().body(verifyEmail, { token: timely })
  })

  rule("refuses a token for a former address, in case it survives the change", function* () {
    const ada = yield* signedUp(email)
    const voided = yield* requested
    yield* ada.body(changeEmail, { new_email })
    assert.strictEqual(yield* browser().code(verifyEmail, { token: voided }), "invalid_token")

    yield* browser().body(sendVerificationEmail, { email: new_email })
    const outlived = yield* mailedToken
    const store = yield* Store
    const held = Option.getOrThrow(yield* store.read(Users, { id: ada.user.id }))
    yield* store.commit([update(Users, held, { email })])
    assert.strictEqual(yield* browser().code(verifyEmail, { token: outlived }), "invalid_token")
    assert.isFalse((yield* userOf(ada))?.email_verified)
  })

  rule("refuses tokens of other kinds, made-up ones, and those of deleted users", function* () {
    const ada = yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    const reset = yield* mailedToken
    const orphaned = yield* requested
    const hashes = (yield* rows(MailedTokens)).map(({ hash }) => hash)
    for (const token of [reset, ...hashes, "", "\0", "\ud800", `${orphaned} `])
      assert.strictEqual(yield* browser().code(verifyEmail, { token }), "invalid_token", token)
    yield* ada.body(deleteUser, { password })
    assert.strictEqual(yield* browser().code(verifyEmail, { token: orphaned }), "invalid_token")
  })

  rule("refuses a missing or ill-typed token", function* () {
    for (const input of [null, {}, { token: null }, { token: 7 }, { token: ["x"] }])
      assert.strictEqual(yield* browser().code(verifyEmail, input), "invalid_request", JSON.stringify(input))
  })
})

describe("change-email where addresses need no verification", () => {
  rule("changes the address at once, unverified, and notifies the old one", function* () {
    const ada = yield* signedUp(email)
    yield* browser().body(verifyEmail, { token: yield* requested })
    const body = yield* ada.body(changeEmail, { new_email: ` ${new_email.toUpperCase()}` })
    assert.deepStrictEqual("user" in body && [body.user.email, body.user.email_verified, body.user.id], [new_email, false, ada.user.id])
    const notice = (yield* emails).at(-1)
    assert.strictEqual(notice?.to, email)
    assert.match(notice?.subject ?? "", /address .* was changed/)
    assert.isTrue(yield* isSignedIn(ada))
    yield* signedIn(new_email)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
  })

  rule("frees the old address", function* () {
    const ada = yield* signedUp(email)
    yield* ada.body(changeEmail, { new_email })
    yield* signedUp(email)
  })

  rule("changes nothing when it is the same address", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("1 minute")
    const before = yield* userOf(ada)
    assert.deepStrictEqual(yield* ada.body(changeEmail, { new_email: "ADA@example.com" }), { success: true })
    assert.deepStrictEqual(yield* userOf(ada), before)
    assert.lengthOf(yield* emails, 0)
  })

  rule("refuses another user's address", function* () {
    const ada = yield* signedUp(email)
    yield* signedUp("bob@example.com")
    assert.strictEqual(yield* ada.code(changeEmail, { new_email: "Bob@example.com" }), "email_taken")
    assert.strictEqual((yield* userOf(ada))?.email, email)
  })

  rule("gives an address to one of two concurrent changes", function* () {
    const both = [yield* signedUp(email), yield* signedUp("bob@example.com")]
    const tally = yield* atOnce(both.map((their) => their.call(changeEmail, { new_email })))
    assert.deepStrictEqual(tally, { ok: 1, email_taken: 1 })
  })

  rule("needs a session that began less than fresh_age ago, however often it was used", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("86399 seconds")
    yield* ada.body(changeEmail, { new_email })
    yield* TestClock.adjust("1 second")
    yield* ada.body(getSession)
    assert.strictEqual(yield* ada.code(changeEmail, { new_email: email }), "session_not_fresh")
    yield* (yield* signedIn(new_email)).body(changeEmail, { new_email: email })
  })

  rule(
    "limits notices to an unverified former address; a verified one always gets them",
    function* () {
      const ada = yield* signedUp(email)
      for (const _ of times(7, String)) {
        yield* ada.body(changeEmail, { new_email })
        yield* ada.body(changeEmail, { new_email: email })
      }
      const told = (yield* emails).filter(({ to }) => to === new_email)
      assert.lengthOf(told, 5)
      assert.strictEqual((yield* rows(Users))[0]?.email, email)

      const bob = yield* signedUp("bob@example.com")
      for (const _ of times(5, String)) yield* browser().body(sendVerificationEmail, { email: "bob@example.com" })
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      const { length } = (yield* emails).filter(({ to }) => to === "bob@example.com")
      yield* bob.body(changeEmail, { new_email: "bobby@example.com" })
      assert.lengthOf(
        (yield* emails).filter(({ to }) => to === "bob@example.com"),
        length + 1,
      )
    },
    { rate_limit: { enabled: true } },
  )

  rule("refuses malformed and synthetic addresses", function* () {
    const ada = yield* signedUp(email)
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* ada.code(changeEmail, { new_email: refused }), "invalid_request", String(refused))
  })
})

describe("change-email where addresses must be verified", () => {
  const asked = Effect.fnUntraced(function* (their: ReturnType<typeof browser>) {
    assert.deepStrictEqual(yield* their.body(changeEmail, { new_email }), { status: "verification_sent" })
    return yield* mailedToken
  })

  rule(
    "changes and verifies the address when its mailed link is followed, and notifies the old one",
    function* () {
      const ada = yield* signedUp(email)
      const token = yield* asked(ada)
      assert.strictEqual((yield* emails).at(-1)?.to, new_email)
      assert.strictEqual((yield* userOf(ada))?.email, email)

      yield* browser().body(verifyEmail, { token })
      const user = yield* userOf(ada)
      assert.deepStrictEqual([user?.email, user?.email_verified], [new_email, true])
      const notice = (yield* emails).at(-1)
      assert.strictEqual(notice?.to, email)
      assert.match(notice?.subject ?? "", /address .* was changed/)
      assert.strictEqual(yield* browser().code(verifyEmail, { token }), "invalid_token")
    },
    verifying,
  )

  rule(
    "uses the configured link",
    function* () {
      yield* asked(yield* signedUp(email))
      const { text } = (yield* emails).at(-1)!
      assert.match(text, /https:\/\/app\.example\.com\/c\?token=[\w-]{43}&for=ada%40elsewhere\.example\n/)
    },
    { ...verifying, links: { change_email: "https://app.example.com/c?token={token}&for={email}" } },
  )

  rule(
    "accepts the link for an hour",
    function* () {
      const ada = yield* signedUp(email)
      const late = yield* asked(ada)
      yield* TestClock.adjust("1 second")
      const timely = yield* asked(ada)
      yield* TestClock.adjust("3599 seconds")
      assert.strictEqual(yield* browser().code(verifyEmail, { token: late }), "invalid_token")
      yield* browser().body(verifyEmail, { token: timely })
    },
    verifying,
  )

  rule(
    "refuses another user's address, at the request and again at the confirmation",
    function* () {
      const ada = yield* signedUp(email)
      const token = yield* asked(ada)
      const bob = yield* signedUp(new_email)
      assert.strictEqual(yield* ada.code(changeEmail, { new_email }), "email_taken")
      assert.strictEqual(yield* browser().code(verifyEmail, { token }), "email_taken")
      assert.strictEqual((yield* userOf(ada))?.email, email)
      assert.strictEqual((yield* userOf(bob))?.email, new_email)
    },
    verifying,
  )

  rule(
    "applies the first confirmed change and invalidates the others",
    function* () {
      const ada = yield* signedUp(email)
      yield* ada.body(changeEmail, { new_email: "first@example.com" })
      const first = yield* mailedToken
      const second = yield* asked(ada)
      yield* browser().body(verifyEmail, { token: second })
      assert.strictEqual(yield* browser().code(verifyEmail, { token: first }), "invalid_token")
      assert.strictEqual((yield* userOf(ada))?.email, new_email)
    },
    verifying,
  )

  rule(
    "changes nothing when it is the same address",
    function* () {
      const ada = yield* signedUp(email)
      const sent = (yield* emails).length
      assert.deepStrictEqual(yield* ada.body(changeEmail, { new_email: email }), { success: true })
      assert.lengthOf(yield* emails, sent)
    },
    verifying,
  )

  rule(
    "requires a fresh session",
    function* () {
      const ada = yield* signedUp(email)
      yield* TestClock.adjust("86400 seconds")
      assert.strictEqual(yield* ada.code(changeEmail, { new_email }), "session_not_fresh")
    },
    verifying,
  )
})
