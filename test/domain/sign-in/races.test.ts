import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Accounts, MailedTokens, Users } from "../../../domain/users/tables.ts"
import { rule, verifying } from "../../rule.ts"
import { atOnce, browser, endpoints, isSignedIn, linked, mailedToken, password, rows, signedIn, signedUp, times } from "../../world.ts"

const { signUpEmail, signInEmail, changePassword, requestPasswordReset, resetPassword, changeEmail, verifyEmail } = endpoints
const { signOut, revokeSessions, revokeOtherSessions, deleteUser, unlinkAccount, listAccounts } = endpoints
const email = "ada@example.com"
const new_password = "another fine password"

/** Waits for this many round trips to the store. */
const later = (trips: number) => Effect.flatMap(Store, ({ ping }) => Effect.forEach(times(trips, String), () => ping, { discard: true }))

/** Sign-ins that start one after another, so that a concurrent operation meets some of them at every step. */
const signingIn = (browsers: ReadonlyArray<ReturnType<typeof browser>>) =>
  browsers.map((their, index) => Effect.andThen(later(index / 2), their.call(signInEmail, { email, password })))

describe("concurrently", () => {
  rule("ten sign-ups of one address make one user", function* () {
    const browsers = times(10, () => browser())
    const tally = yield* atOnce(browsers.map((their, index) => their.call(signUpEmail, { email, password: `${password} ${index}` })))
    assert.deepStrictEqual(tally, { ok: 1, user_already_exists: 9 })
    for (const table of [Users, Accounts, Sessions]) assert.lengthOf(yield* rows(table), 1, table.name)
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 1)
  })

  rule("twenty uses of one reset token set one password", function* () {
    yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    const token = yield* mailedToken
    const chosen = times(20, (index) => `${new_password} ${index}`)
    const tally = yield* atOnce(chosen.map((new_password) => browser().call(resetPassword, { token, new_password })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 19 })
    assert.deepStrictEqual(yield* atOnce([password, ...chosen].map((typed) => signedIn(email, typed))), { ok: 1, invalid_credentials: 20 })
  })

  rule("a reset and sign-ins with the old password leave no session", function* () {
    const ada = yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    const token = yield* mailedToken
    const browsers = times(20, () => browser())
    const reset = browser().call(resetPassword, { token, new_password })
    yield* atOnce([reset, ...signingIn(browsers)])
    assert.lengthOf(yield* rows(Sessions), 0)
    assert.lengthOf(yield* Effect.filter([ada, ...browsers], isSignedIn), 0)
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
    yield* signedIn(email, new_password)
  })

  rule("a change of the password that ends sessions, and sign-ins with the old one, leave only the new session", function* () {
    const ada = yield* signedUp(email)
    const browsers = times(10, () => browser())
    const change = ada.call(changePassword, { current_password: password, new_password, revoke_other_sessions: true })
    yield* atOnce([change, ...signingIn(browsers)])
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("ten changes of the password set one", function* () {
    const ada = yield* signedUp(email)
    const chosen = times(10, (index) => `${new_password} ${index}`)
    const tally = yield* atOnce(chosen.map((typed) => ada.call(changePassword, { current_password: password, new_password: typed })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_credentials: 9 })
    assert.deepStrictEqual(yield* atOnce(chosen.map((typed) => signedIn(email, typed))), { ok: 1, invalid_credentials: 9 })
  })

  rule(
    "a reset invalidates links to other addresses that are being mailed",
    function* () {
      const ada = yield* signedUp(email)
      yield* browser().body(requestPasswordReset, { email })
      const token = yield* mailedToken
      const asked = times(10, (index) => ada.call(changeEmail, { new_email: `${index}@thief.example` }))
      yield* atOnce([...asked.slice(5), browser().call(resetPassword, { token, new_password }), ...asked.slice(0, 5)])
      assert.lengthOf(yield* rows(MailedTokens), 0)
    },
    verifying,
  )

  rule("revoke-sessions and sign-ins leave only sessions that began after it", function* () {
    const ada = yield* signedUp(email)
    const browsers = times(10, () => browser())
    const { credential } = ada.jar
    const tally = yield* atOnce([ada.call(revokeSessions), ...signingIn(browsers)])
    assert.deepStrictEqual(tally, { ok: 11 })
    ada.jar.credential = credential
    assert.isFalse(yield* isSignedIn(ada))
    const alive = yield* Effect.filter(browsers, isSignedIn)
    assert.lengthOf(yield* rows(Sessions), alive.length)
  })

  rule("sign-out and revoke-other-sessions end this session", function* () {
    yield* signedUp(email)
    for (const trips of times(30, (index) => index / 2)) {
      const ada = yield* signedIn(email)
      const elsewhere = browser()
      elsewhere.jar.credential = ada.jar.credential
      yield* atOnce([ada.call(revokeOtherSessions), Effect.andThen(later(trips), elsewhere.call(signOut))])
      assert.isFalse(yield* isSignedIn(ada))
    }
  })

  rule("unlinking both of the last two accounts leaves one", function* () {
    const ada = yield* signedUp(email)
    yield* linked(ada.user.id, "idp_one")
    const tally = yield* atOnce(["credential", "idp_one"].map((provider_id) => ada.call(unlinkAccount, { provider_id })))
    assert.deepStrictEqual(tally, { ok: 1, last_account: 1 })
    assert.lengthOf((yield* ada.body(listAccounts)).accounts, 1)
  })

  rule("deleting a user and sign-ins leave no row of the user", function* () {
    const ada = yield* signedUp(email)
    const browsers = times(10, () => browser())
    yield* atOnce([ada.call(deleteUser, { password }), ...signingIn(browsers)])
    for (const table of [Users, Accounts, Sessions]) assert.lengthOf(yield* rows(table), 0, table.name)
  })

  rule(
    "an address that is confirmed by one user and signed up by another belongs to one",
    function* () {
      const ada = yield* signedUp(email)
      const new_email = "ada@elsewhere.example"
      yield* ada.body(changeEmail, { new_email })
      const token = yield* mailedToken
      const confirm = Effect.exit(browser().call(verifyEmail, { token }))
      const signUps = times(5, () => Effect.exit(browser().call(signUpEmail, { email: new_email, password })))
      const exits = yield* Effect.all([...signUps, confirm], { concurrency: "unbounded" })
      assert.lengthOf(
        exits.filter(({ _tag }) => _tag === "Success"),
        1,
      )
      assert.lengthOf(
        (yield* rows(Users)).filter((user) => user.email === new_email),
        1,
      )
    },
    verifying,
  )
})
