import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Idempotencies } from "../../../../domain/tokens/idempotency.ts"
import { Accounts, MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, credential, emails, endpoints, mailedToken, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"

const [root, boss] = ["root@example.com", "boss@example.com"]
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root, boss], roles: {} }))
const modules = [...core, built]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminSetRole, adminUsersCreate, adminUsersShow } = built.endpoints
const { resetPassword, signInEmail, verifyEmail } = endpoints

const owners = signedUpTo(root, auth)
const email = "ada@example.com"

describe("POST /admin/users/create", () => {
  rule("adds a user with the given members, and sends no mail", function* () {
    const owner = yield* owners
    const { user } = yield* owner.body(adminUsersCreate, { email: " Ada@Example.com", email_verified: true, name: "Ada", locale: "de" })
    assert.deepInclude(user, { email, email_verified: true, name: "Ada", locale: "de", role: "user", banned: false })
    assert.deepStrictEqual((yield* owner.body(adminUsersShow, { user_id: user.id })).user, user)
    assert.lengthOf(yield* rows(Accounts), 1)
    assert.lengthOf(yield* emails, 0)
    assert.strictEqual(yield* owner.code(adminUsersCreate, { email }), "user_already_exists")
  })

  rule("sets a password, or a hash that sign-in can verify", function* () {
    const owner = yield* owners
    const { user } = yield* owner.body(adminUsersCreate, { email, password })
    assert.strictEqual((yield* browser().body(signInEmail, { email, password })).user.id, user.id)
    const imported = yield* owner.body(adminUsersCreate, { email: "eve@example.com", password_hash: `hash$${password}` })
    assert.strictEqual((yield* browser().body(signInEmail, { email: "eve@example.com", password })).user.id, imported.user.id)
    assert.strictEqual((yield* credential(imported.user.id)).row.password_hash, `hash$${password}`)
  })

  rule("mails a link to choose a password, which proves the address and is valid for a week", function* () {
    const owner = yield* owners
    const { user } = yield* owner.body(adminUsersCreate, { email, send: "invite" })
    yield* owner.body(adminUsersCreate, { email: "late@example.com", send: "invite" })
    const [mail, ...others] = yield* emails
    assert.deepStrictEqual([mail?.to, others.length], [email, 1])
    const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? "")?.[1]
    yield* TestClock.adjust("6 days")
    yield* browser().body(resetPassword, { token, new_password: password })
    assert.deepInclude((yield* browser().body(signInEmail, { email, password })).user, { id: user.id, email_verified: true })
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password: password }), "invalid_token")
    yield* TestClock.adjust("1 days")
    assert.strictEqual(yield* browser().code(resetPassword, { token: yield* mailedToken, new_password: password }), "invalid_token")
  })

  for (const [links, expected] of [
    [{ choose_password: "https://app.example.com/welcome/{token}", reset_password: "https://app.example.com/r/{token}" }, /com\/welcome\//],
    [{ reset_password: "https://app.example.com/r/{token}" }, /com\/r\//],
  ] as const)
    rule(
      `mails the link of ${Object.keys(links)[0]}`,
      function* () {
        const owner = yield* owners
        yield* owner.body(adminUsersCreate, { email, send: "invite" })
        assert.match((yield* emails)[0]?.text ?? "", expected)
      },
      { links },
    )

  rule("mails a link to verify the address", function* () {
    const owner = yield* owners
    const { user } = yield* owner.body(adminUsersCreate, { email, password, send: "verification" })
    yield* browser().body(verifyEmail, { token: yield* mailedToken })
    assert.isTrue((yield* owner.body(adminUsersShow, { user_id: user.id })).user.email_verified)
  })

  rule("gives a user without an address one that takes no mail", function* () {
    const owner = yield* owners
    const one = yield* owner.body(adminUsersCreate, { email: null, name: "Kiosk" })
    const other = yield* owner.body(adminUsersCreate, { email: null, password })
    assert.match(one.user.email, /^created:[\w-]{36}$/)
    assert.notStrictEqual(one.user.email, other.user.email)
    yield* browser().call(endpoints.requestPasswordReset, { email: one.user.email }).pipe(Effect.ignore)
    assert.lengthOf(yield* emails, 0)
  })

  rule("refuses members that contradict each other, and passwords as everywhere", function* () {
    const owner = yield* owners
    for (const input of [
      { email, password, password_hash: `hash$${password}` },
      { email, password_hash: password },
      {},
      { emial: email },
      { emial: email, name: "Ada" },
      { email: null, email_verified: true },
      { email: null, send: "invite" },
      { email, email_verified: true, send: "verification" },
      { email, send: "fax" },
      { email: "created:1" },
      { email, locale: "?" },
    ])
      assert.strictEqual(yield* owner.code(adminUsersCreate, input), "invalid_request", JSON.stringify(input))
    assert.strictEqual(yield* owner.code(adminUsersCreate, { email, password: "short" }), "password_too_short")
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("makes a user an administrator by an address only if the caller is one", function* () {
    const owner = yield* owners
    const manager = yield* signedUpTo("manager@example.com", auth)
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
    yield* manager.body(adminUsersCreate, { email, email_verified: true })
    assert.strictEqual(yield* manager.code(adminUsersCreate, { email: boss, email_verified: true }), "forbidden")
    yield* owner.body(adminUsersCreate, { email: boss, email_verified: true })
  })

  rule("sent twenty times at once with one key adds one user and sends one mail", function* () {
    const owner = yield* owners
    for (const [key, input] of Object.entries({ a: { email: null, name: "Kiosk" }, b: { email, send: "invite" } })) {
      const before = (yield* rows(Users)).length
      const calls = times(20, () => owner.body(adminUsersCreate, { ...input, idempotency_key: key }))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.strictEqual(new Set(answers.map(({ user }) => user.id)).size, 1)
      assert.lengthOf(yield* rows(Users), before + 1)
    }
    assert.lengthOf(yield* rows(Idempotencies), 2)
    assert.lengthOf(yield* rows(MailedTokens), 1)
    assert.lengthOf(yield* emails, 1)
  })
})
