import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { rule, verifying } from "../../../rule.ts"
import {
  atOnce,
  browser,
  credential,
  emails,
  endpoints,
  HashCount,
  isSignedIn,
  mailedToken,
  onWire,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  withoutPassword,
  withSettings,
} from "../../../world.ts"

const { signUpEmail, signInEmail, changePassword, requestPasswordReset, resetPassword, verifyEmail, changeEmail, sendVerificationEmail } =
  endpoints
const email = "ada@example.com"
const new_password = "another fine password"

const off = { email_password: { enabled: false } }

/** Addresses that no user can have: malformed ones, and synthetic ones. */
const refusedAddresses = [
  undefined,
  null,
  7,
  [],
  {},
  "",
  "  ",
  "ada",
  "@example.com",
  "ada@",
  "a b@example.com",
  "ada@example.com\0",
  "\ud800@example.com",
  "+15550100@phone.service",
  "0xAb5801a7d398351b8be11c439e05c5b3259aec9b@siwe.local",
  " Ada@SIWE.LOCAL ",
  "idp_one:1234",
  "idp_one:ada@example.com",
]

/** Passwords by their length in code points, which differs from their length in bytes or code units. */
const lengths = [
  ["x".repeat(7), "password_too_short"],
  ["🔑".repeat(7), "password_too_short"],
  ["e\u0301".repeat(7), "password_too_short"],
  ["x".repeat(129), "password_too_long"],
  ["🔑".repeat(129), "password_too_long"],
] as const
const fitting = ["x".repeat(8), "🔑".repeat(8), "e\u0301".repeat(8), "x".repeat(128), "🔑".repeat(128), "e\u0301".repeat(128)]

describe("sign-up", () => {
  rule("creates a user, signs them in and answers with the public shape", function* () {
    const their = browser()
    const reply = yield* their.call(signUpEmail, { email, password, name: "Ada" })
    const { id, ...user } = (yield* onWire(signUpEmail, reply.body)).user
    const epoch = "1970-01-01T00:00:00.000Z"
    const shape = { email, email_verified: false, name: "Ada", image: null, created_at: epoch, updated_at: epoch }
    assert.deepStrictEqual(user, shape)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.strictEqual((yield* their.body(endpoints.getSession)).user?.id, id)
  })

  rule("accepts a user without a name, and ignores unknown members", function* () {
    const { user } = yield* browser().body(signUpEmail, { email, password, id: "mine", email_verified: true, role: "admin" })
    assert.isNull(user.name)
    assert.isFalse(user.email_verified)
    assert.notStrictEqual(user.id, "mine")
  })

  rule("trims and lowercases the address", function* () {
    const { user } = yield* browser().body(signUpEmail, { email: " \tAda@Example.COM\n", password })
    assert.strictEqual(user.email, email)
    assert.strictEqual(yield* browser().code(signUpEmail, { email: "ADA@example.com ", password }), "user_already_exists")
  })

  rule("refuses malformed and synthetic addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* browser().code(signUpEmail, { email: refused, password }), "invalid_request", String(refused))
    assert.lengthOf(yield* rows(Users), 0)
  })

  rule("refuses missing and ill-typed members, and text that cannot be stored", function* () {
    const faults = [null, [], "", {}, { email }, { email, password: null }, { email, password: [password] }, { email, password, name: 7 }]
    for (const input of [...faults, { email, password, name: null }, { email, password, name: "\ud800" }, { email, password, name: "\0" }])
      assert.strictEqual(yield* browser().code(signUpEmail, input), "invalid_request", JSON.stringify(input))
  })

  rule("measures the password in code points of its normalised form", function* () {
    for (const [typed, code] of lengths) assert.strictEqual(yield* browser().code(signUpEmail, { email, password: typed }), code)
    for (const [index, typed] of fitting.entries()) yield* browser().body(signUpEmail, { email: `${index}@example.com`, password: typed })
  })

  rule("refuses a registered address in any spelling, and keeps its user", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* browser().code(signUpEmail, { email: "Ada@Example.com", password: new_password }), "user_already_exists")
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password: new_password }), "invalid_credentials")
  })

  rule(
    "is off unless it is turned on",
    function* () {
      assert.strictEqual(yield* browser().code(signUpEmail, { email, password }), "email_password_disabled")
    },
    off,
  )

  rule("mails nothing where addresses need no verification", function* () {
    yield* signedUp(email)
    assert.lengthOf(yield* emails, 0)
  })

  rule(
    "mails a link where addresses must be verified",
    function* () {
      yield* signedUp(email)
      const [message, ...more] = yield* emails
      assert.strictEqual(message?.to, email)
      assert.lengthOf(more, 0)
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      assert.isTrue((yield* signedIn(email)).user.email_verified)
    },
    verifying,
  )
})

describe("sign-in", () => {
  rule("starts a separate session for each browser", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(" ADA@example.com ")
    assert.strictEqual(elsewhere.user.id, ada.user.id)
    assert.notStrictEqual(elsewhere.jar.credential, ada.jar.credential)
    assert.isTrue(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(elsewhere))
  })

  rule("accepts the password in any Unicode normal form, and otherwise exactly", function* () {
    yield* browser().body(signUpEmail, { email, password: "cafe\u0301 noir!" })
    yield* signedIn(email, "caf\u00e9 noir!")
    for (const typed of ["Caf\u00e9 noir!", " caf\u00e9 noir!", "caf\u00e9 noir! ", "cafe noir!", ""])
      assert.strictEqual(yield* browser().code(signInEmail, { email, password: typed }), "invalid_credentials", typed)
  })

  rule("answers an unknown address and a wrong password alike, for the same work", function* () {
    yield* signedUp(email)
    const { user } = yield* signedUp("social@example.com")
    yield* withoutPassword(user.id)
    const count = yield* HashCount
    for (const address of [email, "unknown@example.com", "social@example.com"]) {
      const before = { ...count }
      const { _tag, message, status } = yield* Effect.flip(browser().call(signInEmail, { email: address, password: new_password }))
      assert.deepStrictEqual(
        { _tag, message, status },
        { _tag: "invalid_credentials", message: "The sign-in name or the password is wrong.", status: 401 },
      )
      assert.deepStrictEqual({ ...count }, { hashed: before.hashed, verified: before.verified + 1 }, address)
    }
  })

  rule("refuses malformed and synthetic addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* browser().code(signInEmail, { email: refused, password }), "invalid_request", String(refused))
  })

  rule("refuses missing and ill-typed members", function* () {
    for (const input of [null, [], {}, { email }, { email, password: null }, { email, password: 7 }, { email, password: {} }])
      assert.strictEqual(yield* browser().code(signInEmail, input), "invalid_request", JSON.stringify(input))
  })

  rule("is off unless it is turned on", function* () {
    yield* signedUp(email)
    const code = browser().code(signInEmail, { email, password })
    assert.strictEqual(yield* withSettings(off)(code), "email_password_disabled")
  })

  rule(
    "requires a verified address where configured, and says so only after the right password",
    function* () {
      yield* signedUp(email)
      assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "email_not_verified")
      assert.strictEqual(yield* browser().code(signInEmail, { email, password: new_password }), "invalid_credentials")
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      yield* signedIn(email)
    },
    verifying,
  )

  rule("replaces an outdated hash, once, and only for the right password", function* () {
    const { user } = yield* signedUp(email)
    const store = yield* Store
    yield* store.commit([update(Accounts, yield* credential(user.id), { password_hash: `old$${password}` })])
    const stored = Effect.map(credential(user.id), ({ row }) => row.password_hash)
    yield* TestClock.adjust("1 minute")

    assert.strictEqual(yield* browser().code(signInEmail, { email, password: new_password }), "invalid_credentials")
    assert.strictEqual(yield* stored, `old$${password}`)
    yield* signedIn(email)
    assert.strictEqual(yield* stored, `hash$${password}`)
    assert.deepStrictEqual((yield* credential(user.id)).row.updated_at, yield* DateTime.now)

    const { hashed } = yield* HashCount
    yield* signedIn(email)
    assert.strictEqual((yield* HashCount).hashed, hashed)
  })
})

describe("change-password", () => {
  const input = { current_password: password, new_password }

  rule("changes the password and keeps all sessions", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const reply = yield* ada.call(changePassword, input)
    assert.deepStrictEqual(reply, { body: { success: true }, session: "keep" })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(elsewhere))
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
    yield* signedIn(email, new_password)
  })

  rule("ends all sessions on request, and gives this browser a new one", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const old = ada.jar.credential
    yield* ada.body(changePassword, { ...input, revoke_other_sessions: true })
    assert.notStrictEqual(ada.jar.credential, old)
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(elsewhere))
    ada.jar.credential = old
    assert.isFalse(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("notifies the user", function* () {
    const ada = yield* signedUp(email)
    yield* ada.body(changePassword, input)
    const [message, ...more] = yield* emails
    assert.strictEqual(message?.to, email)
    assert.match(message?.subject ?? "", /password .* was changed/)
    assert.lengthOf(more, 0)
  })

  rule("invalidates reset links that were mailed before", function* () {
    const ada = yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    const token = yield* mailedToken
    yield* ada.body(changePassword, input)
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password: "a third password" }), "invalid_token")
  })

  rule("refuses a wrong password, and changes nothing", function* () {
    const ada = yield* signedUp(email)
    for (const current_password of [new_password, ""])
      assert.strictEqual(yield* ada.code(changePassword, { current_password, new_password }), "invalid_credentials")
    yield* signedIn(email)
    assert.lengthOf(yield* emails, 0)
  })

  rule("refuses a user who has no password", function* () {
    const ada = yield* signedUp(email)
    yield* withoutPassword(ada.user.id)
    assert.strictEqual(yield* ada.code(changePassword, input), "no_credential")
  })

  rule("measures the new password in code points", function* () {
    const ada = yield* signedUp(email)
    for (const [typed, code] of lengths)
      assert.strictEqual(yield* ada.code(changePassword, { current_password: password, new_password: typed }), code)
    let current_password = password
    for (const typed of fitting) {
      yield* ada.body(changePassword, { current_password, new_password: typed })
      current_password = typed
    }
  })

  rule("ends the other sessions for every truthy revoke_other_sessions", function* () {
    const truthy = [true, 1, "yes", "false", "0", [], {}].map((value) => [value, false] as const)
    const falsy = [false, 0, "", null].map((value) => [value, true] as const)
    for (const [index, [revoke_other_sessions, survives]] of [...truthy, ...falsy].entries()) {
      const address = `user${index}@example.com`
      const ada = yield* signedUp(address)
      const other = yield* signedIn(address)
      yield* ada.body(changePassword, { ...input, revoke_other_sessions })
      assert.strictEqual(yield* isSignedIn(other), survives, JSON.stringify(revoke_other_sessions))
    }
  })

  rule("refuses missing and ill-typed members", function* () {
    const ada = yield* signedUp(email)
    const missing = [null, {}, { new_password }, { current_password: password }]
    for (const faulty of [...missing, { ...input, new_password: 7 }, { ...input, current_password: [] }])
      assert.strictEqual(yield* ada.code(changePassword, faulty), "invalid_request", JSON.stringify(faulty))
  })
})

describe("request-password-reset", () => {
  rule("mails a link to the address", function* () {
    yield* signedUp(email)
    assert.deepStrictEqual(yield* browser().body(requestPasswordReset, { email: " ADA@example.com" }), { success: true })
    const [message, ...more] = yield* emails
    assert.strictEqual(message?.to, email)
    assert.match(message?.text ?? "", /http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}\n/)
    assert.lengthOf(more, 0)
  })

  rule(
    "uses the configured link",
    function* () {
      yield* signedUp("a+b@example.com")
      yield* browser().body(requestPasswordReset, { email: "a+b@example.com" })
      assert.match((yield* emails)[0]?.text ?? "", /https:\/\/app\.example\.com\/r\/[\w-]{43}\?for=a%2Bb%40example\.com\n/)
    },
    { links: { reset_password: "https://app.example.com/r/{token}?for={email}" } },
  )

  rule("mails no expired link", function* () {
    yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    yield* TestClock.adjust("3600 seconds")
    assert.isEmpty(yield* emails)
  })

  rule("answers and writes the same for a user, a user without a password, and an unknown address, which gets no mail", function* () {
    const { user } = yield* signedUp("social@example.com")
    yield* withoutPassword(user.id)
    yield* signedUp(email)
    const written = Effect.all({ tokens: rows(MailedTokens), emails: rows(PendingMessages) })
    const shapes = yield* Effect.forEach([email, "unknown@example.com", "social@example.com"], (address) =>
      Effect.gen(function* () {
        const before = yield* written
        const reply = yield* browser().call(requestPasswordReset, { email: address })
        const after = yield* written
        return { reply, tokens: after.tokens.length - before.tokens.length, emails: after.emails.length - before.emails.length }
      }),
    )
    const alike = { reply: { body: { success: true }, session: "keep" }, tokens: 1, emails: 1 }
    assert.deepStrictEqual(shapes, [alike, alike, alike] as typeof shapes)
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email, "social@example.com"],
    )
    assert.lengthOf(yield* rows(PendingMessages), 0)
  })

  rule("refuses malformed and synthetic addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* browser().code(requestPasswordReset, { email: refused }), "invalid_request", String(refused))
  })

  rule(
    "is off unless it is turned on",
    function* () {
      assert.strictEqual(yield* browser().code(requestPasswordReset, { email }), "email_password_disabled")
    },
    off,
  )
})

describe("reset-password", () => {
  const requested = Effect.gen(function* () {
    yield* browser().body(requestPasswordReset, { email })
    return yield* mailedToken
  })

  rule("sets the password, verifies the address, ends all sessions and notifies the user", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const token = yield* requested
    yield* TestClock.adjust("1 minute")
    const reply = yield* browser().call(resetPassword, { token, new_password })
    assert.deepStrictEqual(reply, { body: { success: true }, session: "keep" })
    assert.deepStrictEqual((yield* rows(Users))[0]?.updated_at, yield* DateTime.now)
    assert.isFalse(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(elsewhere))
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
    assert.isTrue((yield* signedIn(email, new_password)).user.email_verified)
    const notice = (yield* emails).at(-1)
    assert.strictEqual(notice?.to, email)
    assert.match(notice?.subject ?? "", /password .* was changed/)
    assert.include(notice?.text, "has the new password that you chose")
  })

  rule("creates the password of a user who has none, also with two links at once", function* () {
    const ada = yield* signedUp(email)
    yield* ada.body(sendVerificationEmail, { email })
    yield* ada.body(verifyEmail, { token: yield* mailedToken })
    yield* withoutPassword(ada.user.id)
    const tokens = [yield* requested, yield* requested]
    const tally = yield* atOnce(tokens.map((token) => browser().call(resetPassword, { token, new_password })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 1 })
    yield* signedIn(email, new_password)
    assert.deepStrictEqual((yield* rows(Accounts)).map(({ provider_id }) => provider_id).toSorted(), ["credential", "idp_one"])
  })

  rule("accepts a token for an hour", function* () {
    yield* signedUp(email)
    const first = yield* requested
    yield* TestClock.adjust("3599 seconds")
    yield* browser().body(resetPassword, { token: first, new_password })

    const second = yield* requested
    yield* TestClock.adjust("3600 seconds")
    assert.strictEqual(yield* browser().code(resetPassword, { token: second, new_password: password }), "invalid_token")
    yield* signedIn(email, new_password)
  })

  rule(
    "accepts a token once, and invalidates all others of the user",
    function* () {
      const ada = yield* signedUp(email)
      const bob = yield* signedUp("bob@example.com")
      yield* browser().body(requestPasswordReset, { email: bob.user.email })
      const another = yield* mailedToken
      yield* ada.body(changeEmail, { new_email: "ada@elsewhere.example" })
      const change = yield* mailedToken
      const [first, second] = [yield* requested, yield* requested]

      yield* browser().body(resetPassword, { token: first, new_password })
      for (const token of [first, second])
        assert.strictEqual(yield* browser().code(resetPassword, { token, new_password: "a third password" }), "invalid_token")
      assert.strictEqual(yield* browser().code(verifyEmail, { token: change }), "invalid_token")
      yield* signedIn(email, new_password)
      yield* browser().body(resetPassword, { token: another, new_password })
    },
    verifying,
  )

  rule("refuses a token that was mailed to an address the user no longer has", function* () {
    const ada = yield* signedUp(email)
    const token = yield* requested
    yield* ada.body(changeEmail, { new_email: "ada@elsewhere.example" })
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
  })

  rule("compares the address itself, in case a token survives its change", function* () {
    const { user } = yield* signedUp(email)
    const token = yield* requested
    const store = yield* Store
    const held = Option.getOrThrow(yield* store.read(Users, { id: user.id }))
    yield* store.commit([update(Users, held, { email: "ada@elsewhere.example" })])
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token")
  })

  rule("refuses a token after its user or password was removed", function* () {
    const ada = yield* signedUp(email)
    const passwordless = yield* requested
    yield* withoutPassword(ada.user.id)
    assert.strictEqual(yield* browser().code(resetPassword, { token: passwordless, new_password }), "invalid_token")

    const bob = yield* signedUp("bob@example.com")
    yield* browser().body(requestPasswordReset, { email: "bob@example.com" })
    const orphaned = yield* mailedToken
    yield* bob.body(endpoints.deleteUser, { password })
    assert.strictEqual(yield* browser().code(resetPassword, { token: orphaned, new_password }), "invalid_token")
  })

  rule(
    "refuses tokens of other kinds, made-up ones, and the stored hash of a valid one",
    function* () {
      const ada = yield* signedUp(email)
      const verification = yield* mailedToken
      yield* ada.body(changeEmail, { new_email: "ada@elsewhere.example" })
      const change = yield* mailedToken
      const good = yield* requested
      const hashes = (yield* rows(MailedTokens)).map(({ hash }) => hash)
      const edited = `${good.slice(0, -1)}${good.endsWith("A") ? "E" : "A"}`
      for (const token of [
        verification,
        change,
        ...hashes,
        edited,
        `${good} `,
        good.toUpperCase(),
        good.slice(0, -1),
        "",
        "\0",
        "\ud800",
        "x".repeat(10_000),
      ])
        assert.strictEqual(yield* browser().code(resetPassword, { token, new_password }), "invalid_token", token)
      yield* browser().body(resetPassword, { token: good, new_password })
    },
    verifying,
  )

  rule("keeps the token after an unacceptable new password", function* () {
    yield* signedUp(email)
    const token = yield* requested
    for (const [typed, code] of lengths) assert.strictEqual(yield* browser().code(resetPassword, { token, new_password: typed }), code)
    yield* browser().body(resetPassword, { token, new_password: "🔑".repeat(8) })
  })

  rule("refuses missing and ill-typed members", function* () {
    for (const input of [null, {}, { token: "x" }, { new_password }, { token: 7, new_password }, { token: "x", new_password: null }])
      assert.strictEqual(yield* browser().code(resetPassword, input), "invalid_request", JSON.stringify(input))
  })
})

rule("a mailed token is stored as a hash only, and each is different", function* () {
  yield* signedUp(email)
  const tokens = yield* Effect.forEach(times(5, String), () => Effect.andThen(browser().body(requestPasswordReset, { email }), mailedToken))
  yield* browser().body(sendVerificationEmail, { email })
  tokens.push(yield* mailedToken)
  assert.strictEqual(new Set(tokens).size, 6)
  const stored = JSON.stringify(yield* rows(MailedTokens))
  for (const token of tokens) assert.notInclude(stored, token)
  const ends = (yield* rows(MailedTokens)).map(({ expires_at }) => DateTime.toEpochMillis(expires_at))
  assert.deepStrictEqual(ends, Array(6).fill(3_600_000))
})
