import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { Store, update } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { changedAddressColumns } from "../../../domain/users/user.ts"
import { built as passkey } from "../../application/modules/passkey/passkeys.ts"
import { rulesOf } from "../../rule.ts"
import { verified } from "../../two-factor.ts"
import { browser, core, emails, endpoints, isSignedIn, linked, mailedToken, password, signedUp } from "../../world.ts"

const root = "root@example.com"
const codes = emailOtp.build(Schema.decodeSync(CodeSettings)({}))
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] }))
const rule = rulesOf([...core, codes, passkey, administration])
const { sendVerificationEmail, verifyEmail, requestPasswordReset, resetPassword, signInEmail, listAccounts } = endpoints
const { adminListUsers } = administration.endpoints
const new_password = "another fine password"
const settings = { public_url: "https://id.example.com" }
const keeping = { ...settings, account: { unverified_takeover: "keep" } }

/** A user with a verified address who changed it to the administrator's before that was configured. */
const adopter = Effect.gen(function* () {
  const thief = yield* Effect.tap(signedUp("thief@example.com"), verified)
  const store = yield* Store
  const held = Option.getOrThrow(yield* store.read(Users, { id: thief.user.id }))
  yield* Effect.orDie(store.commit([update(Users, held, changedAddressColumns(held.row, root, held.row.updated_at))]))
  yield* linked(thief.user.id, "idp_one")
  return thief
})

const verificationToken = Effect.andThen(browser().body(sendVerificationEmail, { email: root }), mailedToken)

const byLink = Effect.gen(function* () {
  yield* browser().body(verifyEmail, { token: yield* verificationToken })
})
const byCode = Effect.gen(function* () {
  const owner = browser()
  yield* owner.body(codes.endpoints.emailOtpSend, { email: root })
  const [otp] = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "") ?? []
  yield* owner.body(codes.endpoints.signInEmailOtp, { email: root, otp })
  yield* owner.body(adminListUsers)
})
const byReset = Effect.gen(function* () {
  yield* browser().body(requestPasswordReset, { email: root })
  yield* browser().body(resetPassword, { token: yield* mailedToken, new_password })
  const owner = browser()
  yield* owner.body(signInEmail, { email: root, password: new_password })
  yield* owner.body(adminListUsers)
  assert.deepStrictEqual(
    (yield* owner.body(listAccounts)).accounts.map(({ provider_id }) => provider_id),
    ["credential"],
  )
})

describe("an owner's proof of an address of admin_emails removes every credential and session of the user who changed to it", () => {
  for (const [path, proof] of Object.entries({ "a verification link": byLink, "a mailed code": byCode, "a reset": byReset })) {
    rule(
      `by ${path}, of an account that had a verified address before`,
      function* () {
        const thief = yield* adopter
        yield* proof
        assert.isFalse(yield* isSignedIn(thief))
        assert.strictEqual(yield* browser().code(signInEmail, { email: root, password }), "invalid_credentials")
        assert.match((yield* emails).at(-1)?.text ?? "", /Idp one/)
      },
      settings,
    )

    rule(
      `by ${path}, with unverified_takeover: "keep"`,
      function* () {
        const thief = yield* signedUp(root)
        yield* proof
        assert.isFalse(yield* isSignedIn(thief))
        assert.strictEqual(yield* browser().code(signInEmail, { email: root, password }), "invalid_credentials")
      },
      keeping,
    )
  }

  rule(
    "but the owner, once verified, loses nothing by a further proof",
    function* () {
      const owner = yield* signedUp(root)
      yield* owner.body(verifyEmail, { token: yield* verificationToken })
      yield* byCode
      assert.isTrue(yield* isSignedIn(owner))
      yield* browser().body(signInEmail, { email: root, password })
    },
    keeping,
  )

  rule(
    "and other addresses follow unverified_takeover",
    function* () {
      const email = "bob@example.com"
      const bob = yield* signedUp(email)
      yield* browser().body(sendVerificationEmail, { email })
      yield* browser().body(verifyEmail, { token: yield* mailedToken })
      assert.isTrue(yield* isSignedIn(bob))
      yield* browser().body(signInEmail, { email, password })
    },
    keeping,
  )
})
