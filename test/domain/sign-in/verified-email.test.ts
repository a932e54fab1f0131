import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import type { Reply } from "../../../application/service/endpoint.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import { type AuthError, notAdmitted } from "../../../domain/errors.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { Accounts, MailedTokens, Users } from "../../../domain/users/tables.ts"
import type { User } from "../../../domain/users/user.ts"
import { rulesOf, verifying } from "../../rule.ts"
import {
  atOnce,
  bringing,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  linked,
  mailedToken,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  type WorldServices,
} from "../../world.ts"

// The effects of proving access to a mailbox, for every method.

const {
  signInEmail,
  signUpEmail,
  requestPasswordReset,
  resetPassword,
  sendVerificationEmail,
  verifyEmail,
  changeEmail,
  signOut,
  listAccounts,
} = endpoints
const email = "ada@example.com"

type Browser = ReturnType<typeof browser>
type Answer<A> = Effect.Effect<A, AuthError, WorldServices>

const codes = emailOtp.build(Schema.decodeSync(CodeSettings)({}))
const links = magicLink.build({ expires_in: 600, disable_signup: false })
const modules = [...core, codes, links]
const visitor = () => browser()

/** A method to prove a mailbox and sign in by it. */
interface Method {
  readonly name: string
  /** Requests the proof and reads it from the mail. */
  readonly proofOf: (email: string) => Answer<string>
  readonly signIn: (their: Browser, email: string, proof: string) => Answer<Reply<{ readonly user: User }>>
}

const byCode: Method = {
  name: "a code by email",
  proofOf: Effect.fnUntraced(function* (email) {
    yield* visitor().body(codes.endpoints.emailOtpSend, { email })
    return Option.getOrThrow(Option.fromUndefinedOr(/\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")?.[0]))
  }),
  signIn: (their, email, otp) => their.call(codes.endpoints.signInEmailOtp, { email, otp }),
}

const byLink: Method = {
  name: "a magic link",
  proofOf: (email) => Effect.andThen(visitor().body(links.endpoints.magicLinkSend, { email }), mailedToken),
  signIn: (their, _, token) => their.call(links.endpoints.magicLinkVerify, { token }),
}

const shown = rulesOf(modules)

/** Waits for this many round trips to the store. */
const later = (trips: number) => Effect.flatMap(Store, ({ ping }) => Effect.forEach(times(trips, String), () => ping, { discard: true }))

const verified = Effect.fnUntraced(function* (their: Browser, email: string) {
  yield* their.body(sendVerificationEmail, { email })
  yield* their.body(verifyEmail, { token: yield* mailedToken })
})

const reset = Effect.fnUntraced(function* (email: string) {
  yield* visitor().body(requestPasswordReset, { email })
  return yield* mailedToken
})

describe.each([byCode, byLink])("$name", ({ proofOf, signIn }) => {
  const proven = Effect.fnUntraced(function* (their: Browser = visitor()) {
    const { body } = yield* signIn(their, email, yield* proofOf(email))
    return { ...their, user: body.user }
  })

  shown("signs up a new user with a verified address", function* () {
    const ada = yield* proven()
    const { id, email_verified, name, image } = ada.user
    assert.deepStrictEqual([ada.user.email, email_verified, name, image], [email, true, null, null])
    assert.isTrue(yield* isSignedIn(ada))
    assert.strictEqual((yield* proven()).user.id, id)
    assert.lengthOf(yield* rows(Users), 1)
  })

  shown("keeps the credentials of a user who has verified the address before", function* () {
    const ada = yield* signedUp(email)
    yield* verified(ada, email)
    yield* linked(ada.user.id, "idp_one")
    const token = yield* reset(email)
    assert.strictEqual((yield* proven()).user.id, ada.user.id)
    assert.isTrue(yield* isSignedIn(ada))
    yield* signedIn(email)
    assert.lengthOf((yield* ada.body(listAccounts)).accounts, 2)
    yield* visitor().body(resetPassword, { token, new_password: password })
  })

  shown("removes the credentials of an attacker who registered the address: password, accounts, sessions", function* () {
    const attacker = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    yield* linked(attacker.user.id, "idp_one")

    const ada = yield* proven()
    assert.deepStrictEqual([ada.user.id, ada.user.email_verified], [attacker.user.id, true])
    assert.isTrue(yield* isSignedIn(ada))
    for (const their of [attacker, elsewhere]) assert.isFalse(yield* isSignedIn(their))
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
    assert.lengthOf((yield* ada.body(listAccounts)).accounts, 0)

    yield* proven()
    assert.isTrue(yield* isSignedIn(ada))
  })

  shown(
    "invalidates the link to another address that an attacker requested, which would take the account back",
    function* () {
      const attacker = yield* signedUp(email)
      yield* attacker.body(changeEmail, { new_email: "stranger@example.com" })
      const token = yield* mailedToken
      yield* proven()
      assert.strictEqual(yield* visitor().code(verifyEmail, { token }), "invalid_token")
    },
    verifying,
  )

  shown("keeps the credentials of a signed-in user", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const their = visitor()
    their.jar.credential = ada.jar.credential
    yield* proven(their)
    assert.isTrue((yield* rows(Users))[0]?.email_verified)
    for (const session of [elsewhere, their]) assert.isTrue(yield* isSignedIn(session))
    yield* signedIn(email)
  })

  shown("ignores an ended session", function* () {
    const attacker = yield* signedUp(email)
    const ended = visitor()
    ended.jar.credential = attacker.jar.credential
    yield* attacker.call(signOut)
    yield* proven(ended)
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
  })

  shown("ignores another user's session", function* () {
    yield* signedUp(email)
    yield* proven(yield* signedUp("bob@example.com"))
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
  })

  shown(
    "removes nothing where accounts are kept",
    function* () {
      const attacker = yield* signedUp(email)
      yield* proven()
      assert.deepStrictEqual(
        (yield* rows(Users)).map(({ id, email_verified }) => [id, email_verified]),
        [[attacker.user.id, true]],
      )
      assert.isTrue(yield* isSignedIn(attacker))
      yield* signedIn(email)
    },
    { account: { unverified_takeover: "keep" } },
  )

  shown("leaves an attacker who signs in concurrently no session", function* () {
    yield* signedUp(email)
    const proof = yield* proofOf(email)
    const attackers = times(10, visitor)
    const ada = visitor()
    const signingIn = attackers.map((their, index) => Effect.andThen(later(index / 2), their.call(signInEmail, { email, password })))
    yield* atOnce([signIn(ada, email, proof), ...signingIn])
    assert.lengthOf(yield* Effect.filter(attackers, isSignedIn), 0)
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  shown("leaves an attacker who registers the address concurrently no session", function* () {
    const proof = yield* proofOf(email)
    const [ada, attacker] = [visitor(), visitor()]
    const tally = yield* atOnce([signIn(ada, email, proof), attacker.call(signUpEmail, { email, password })])
    assert.include([1, 2], tally["ok"])
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(attacker))
    for (const [table, count] of [
      [Users, 1],
      [Sessions, 1],
      [Accounts, 0],
    ] as const)
      assert.lengthOf(yield* rows(table), count, table.name)
  })
})

describe("a reset password", () => {
  const reset = Effect.gen(function* () {
    yield* visitor().body(requestPasswordReset, { email })
    return { token: yield* mailedToken, new_password: "another fine password" }
  })
  const alone = Effect.fnUntraced(function* (user: User) {
    const [own, ...others] = yield* rows(Accounts)
    assert.lengthOf(others, 0)
    assert.deepStrictEqual([own?.provider_id, own?.user_id], ["credential", user.id])
    assert.strictEqual((yield* signedIn(email, "another fine password")).user.id, user.id)
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
  })

  shown("removes any number of credentials of an attacker", function* () {
    const { user } = yield* signedUp(email)
    yield* Effect.all(times(150, (index) => linked(user.id, `idp_${index}`)))
    yield* visitor().body(resetPassword, yield* reset)
    yield* alone(user)
  })

  shown("removes an account that an attacker links concurrently", function* () {
    const { user } = yield* signedUp(email)
    const input = yield* reset
    const store = yield* Store
    const commit: StoreService["commit"] = (writes) =>
      Effect.andThen(Effect.provideService(linked(user.id, "idp_one"), Store, store), store.commit(writes))
    yield* visitor()
      .body(resetPassword, input)
      .pipe(Effect.provideService(Store, { ...store, commit }))
    yield* alone(user)
  })

  shown(
    "keeps the linked accounts where accounts are kept",
    function* () {
      const { user } = yield* signedUp(email)
      yield* linked(user.id, "idp_one")
      yield* visitor().body(resetPassword, yield* reset)
      assert.lengthOf(yield* rows(Accounts), 2)
    },
    { account: { unverified_takeover: "keep" } },
  )

  shown("keeps the linked accounts of a verified address", function* () {
    const { user } = yield* signedUp(email)
    yield* visitor().body(sendVerificationEmail, { email })
    yield* visitor().body(verifyEmail, { token: yield* mailedToken })
    yield* linked(user.id, "idp_one")
    yield* visitor().body(resetPassword, yield* reset)
    assert.lengthOf(yield* rows(Accounts), 2)
  })
})

describe("concurrent first sign-ins", () => {
  /** The code that all methods share, without a proof that only one call could use. */
  const signInProven = Endpoint.make({
    method: "POST",
    path: "/proven",
    summary: "Accepts every address.",
    access: "public",
    signsIn: "single_factor",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    errors: notAdmitted,
    handler: Effect.fnUntraced(function* () {
      const issued = yield* retryOnConflict(signInByVerifiedEmail(email, [], { name: null, disable_signup: false }))
      return Endpoint.reply(Endpoint.succeeded, Option.getOrThrow(issued))
    }),
  })

  rulesOf([...modules, bringing(signInProven)])("make one user and as many sessions", function* () {
    assert.deepStrictEqual(yield* atOnce(times(10, () => visitor().call(signInProven))), { ok: 10 })
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 10)
  })

  shown("by a code and by a link, too", function* () {
    const [code, link] = [yield* byCode.proofOf(email), yield* byLink.proofOf(email)]
    const [one, other] = [visitor(), visitor()]
    assert.deepStrictEqual(yield* atOnce([byCode.signIn(one, email, code), byLink.signIn(other, email, link)]), { ok: 2 })
    assert.lengthOf(yield* rows(Users), 1)
    for (const their of [one, other]) assert.isTrue(yield* isSignedIn(their))
    assert.lengthOf(yield* rows(MailedTokens), 0)
  })
})
