import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { EmailCodes, emailOtp } from "../../../../application/modules/email_otp/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { CodeSettings } from "../../../../domain/limits/codes.ts"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, emails, endpoints, isSignedIn, onWire, password, rows, signedUp } from "../../../world.ts"

const email = "ada@example.com"
const refusedAddresses = [
  undefined,
  null,
  7,
  [],
  {},
  "",
  "  ",
  "ada",
  "a b@example.com",
  "ada@example.com\0",
  "1@phone.service",
  "idp_one:1",
]

/** The module under test; the newest mailed code. */
const using = (settings: Partial<CodeSettings> = {}) => {
  const module = emailOtp.build({ ...Schema.decodeSync(CodeSettings)({}), ...settings })
  const modules = [...core, module]
  const auth = AuthOf.make(modules)
  return { ...module.endpoints, auth, rule: rulesOf(modules), visitor: () => browser() }
}

const newestCode = Effect.gen(function* () {
  const found = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")
  return Option.getOrThrow(Option.fromNullOr(found))[0]
})

const counts = Effect.map(
  Effect.all([rows(EmailCodes), rows(PendingMessages)]),
  ([codes, pending]) => [codes.length, pending.length] as const,
)

const { emailOtpSend, signInEmailOtp, rule, visitor } = using()

describe("email-otp/send", () => {
  rule("mails a code to the stored form of the address", function* () {
    assert.deepStrictEqual(yield* visitor().body(emailOtpSend, { email: " ADA@example.com " }), { success: true })
    const [message, ...more] = yield* emails
    assert.strictEqual(message?.to, email)
    assert.match(message?.text ?? "", /\n\d{6}\n[\s\S]*5 minutes/)
    assert.match(message?.html ?? "", />\d{6}<\/p>/)
    assert.lengthOf(more, 0)
  })

  rule("answers and writes the same for known and unknown addresses", function* () {
    yield* signedUp(email)
    for (const address of [email, "unknown@example.com"]) {
      const [codes, pending] = yield* counts
      assert.deepStrictEqual(yield* visitor().call(emailOtpSend, { email: address }), { body: { success: true }, session: "keep" })
      assert.deepStrictEqual(yield* counts, [codes + 1, pending + 1])
    }
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("refuses malformed and synthetic addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* visitor().code(emailOtpSend, { email: refused }), "invalid_request", String(refused))
    assert.deepStrictEqual(yield* counts, [0, 0])
  })
})

describe("sign-in/email-otp", () => {
  rule("creates a new user and answers with their public shape", function* () {
    const ada = visitor()
    yield* ada.body(emailOtpSend, { email })
    const reply = yield* ada.call(signInEmailOtp, { email: " ADA@example.com ", otp: yield* newestCode })
    const { id, ...user } = (yield* onWire(signInEmailOtp, reply.body)).user
    const epoch = "1970-01-01T00:00:00.000Z"
    assert.deepStrictEqual(user, { email, email_verified: true, name: null, image: null, created_at: epoch, updated_at: epoch })
    assert.strictEqual((yield* ada.body(endpoints.getSession)).user?.id, id)
  })

  rule("signs in an existing user, and verifies the address", function* () {
    const { user } = yield* signedUp(email)
    yield* visitor().body(emailOtpSend, { email })
    const body = yield* visitor().body(signInEmailOtp, { email, otp: yield* newestCode })
    assert.deepStrictEqual([body.user.id, body.user.email_verified], [user.id, true])
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ email_verified }) => email_verified),
      [true],
    )
  })

  rule(
    "works where email and password are off",
    function* () {
      const ada = visitor()
      yield* ada.body(emailOtpSend, { email })
      yield* ada.body(signInEmailOtp, { email, otp: yield* newestCode })
      assert.isTrue(yield* isSignedIn(ada))
    },
    { email_password: { enabled: false } },
  )

  rule("refuses malformed addresses", function* () {
    for (const refused of refusedAddresses)
      assert.strictEqual(yield* visitor().code(signInEmailOtp, { email: refused, otp: "000000" }), "invalid_request", String(refused))
  })
})

describe("where sign-up by a code is disabled", () => {
  const invited = using({ disable_signup: true })

  invited.rule("an unknown address gets the same answer and no mail", function* () {
    const ada = yield* signedUp(email, invited.auth)
    for (const address of [email, "unknown@example.com"]) {
      const [codes, pending] = yield* counts
      const reply = yield* invited.visitor().call(invited.emailOtpSend, { email: address })
      assert.deepStrictEqual(reply, { body: { success: true }, session: "keep" })
      assert.deepStrictEqual(yield* counts, [codes + 1, pending + 1])
    }
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email],
    )
    const body = yield* invited.visitor().body(invited.signInEmailOtp, { email, otp: yield* newestCode })
    assert.strictEqual(body.user.id, ada.user.id)
  })

  invited.rule("a code of a deleted user is invalid and consumed", function* () {
    const ada = yield* signedUp(email, invited.auth)
    yield* ada.body(invited.emailOtpSend, { email })
    const otp = yield* newestCode
    yield* ada.body(endpoints.deleteUser, { password })
    for (const _ of ["right", "used up"])
      assert.strictEqual(yield* invited.visitor().code(invited.signInEmailOtp, { email, otp }), "invalid_otp")
    for (const table of [Users, Sessions, EmailCodes]) assert.lengthOf(yield* rows(table), 0, table.name)
  })
})
