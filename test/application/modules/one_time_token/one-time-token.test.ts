import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { OneTimeTokens, oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import * as Endpoint from "../../../../application/service/endpoint.ts"
import * as Module from "../../../../application/service/module.ts"
import { Forbidden, InvalidToken } from "../../../../domain/errors.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { rulesOf } from "../../../rule.ts"
import {
  atOnce,
  browser,
  core,
  endpoints,
  isSignedIn,
  mailedToken,
  onWire,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  type WorldServices,
} from "../../../world.ts"

const built = oneTimeToken.build({ expires_in: 60 })
const { oneTimeTokenGenerate, oneTimeTokenVerify } = built.endpoints
const rule = rulesOf([...core, built])

const { getSession, signOut, revokeSession, revokeSessions, revokeOtherSessions, changePassword, changeEmail, deleteUser } = endpoints
const { requestPasswordReset, resetPassword, updateUser } = endpoints
const email = "ada@example.com"

const generated = (their: ReturnType<typeof browser>) => Effect.map(their.body(oneTimeTokenGenerate), ({ token }) => token)

const refused = (token: string) => browser().code(oneTimeTokenVerify, { token })

describe("one-time-token/generate", () => {
  it.effect("tokens live for a minute by default", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(oneTimeToken.settings)
      assert.deepStrictEqual(yield* decode({}), { expires_in: 60 })
      for (const expires_in of [0, -1, 1.5, "60"]) yield* Effect.flip(decode({ expires_in }))
    }),
  )

  rule("returns a new token each time, and stores none in the clear", function* () {
    const ada = yield* signedUp(email)
    const { token, ...rest } = yield* ada.body(oneTimeTokenGenerate)
    assert.match(token, /^[\w-]{43}$/)
    assert.deepStrictEqual(rest, { expires_in: 60 })
    assert.notStrictEqual(yield* generated(ada), token)
    const stored = yield* rows(OneTimeTokens)
    assert.lengthOf(stored, 2)
    assert.notInclude(JSON.stringify(stored), token)
  })

  rule("requires a session", function* () {
    assert.strictEqual(yield* browser().code(oneTimeTokenGenerate), "unauthorized")
    const ada = yield* signedUp(email)
    yield* ada.body(revokeSessions)
    assert.strictEqual(yield* ada.code(oneTimeTokenGenerate), "unauthorized")
  })
})

describe("one-time-token/verify", () => {
  rule("signs the user in elsewhere, with a separate session", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = browser()
    const { body } = yield* elsewhere.call(oneTimeTokenVerify, { token: yield* generated(ada) })
    const user = yield* onWire(oneTimeTokenVerify, body)
    assert.deepStrictEqual(user, yield* onWire(oneTimeTokenVerify, { user: ada.user }))
    const [here, there] = [yield* ada.body(getSession), yield* elsewhere.body(getSession)]
    assert.strictEqual(there.user?.id, ada.user.id)
    assert.notStrictEqual(there.session?.id, here.session?.id)
    yield* ada.body(signOut)
    assert.isTrue(yield* isSignedIn(elsewhere))
  })

  rule("accepts a token once, and no unknown one", function* () {
    const token = yield* generated(yield* signedUp(email))
    yield* browser().body(oneTimeTokenVerify, { token })
    for (const spent of [token, "", "x", `${token}x`, token.slice(1), "nul\0", "\ud800"])
      assert.strictEqual(yield* refused(spent), "invalid_token")
    assert.lengthOf(yield* rows(OneTimeTokens), 0)
  })

  rule("answers a missing or ill-typed token like an unknown one, with 401", function* () {
    for (const input of [null, [], {}, { token: null }, { token: 7 }, { token: ["x"] }, { token: "unknown" }]) {
      const error = yield* Effect.flip(browser().call(oneTimeTokenVerify, input))
      assert.deepStrictEqual([error._tag, Endpoint.statusOf(oneTimeTokenVerify, error)], ["invalid_token", 401], JSON.stringify(input))
    }
    assert.strictEqual(InvalidToken.status, 400)
  })

  rule("accepts no token of another kind", function* () {
    const ada = yield* signedUp(email)
    yield* ada.body(requestPasswordReset, { email })
    assert.strictEqual(yield* refused(yield* mailedToken), "invalid_token")
    const [session = ""] = ada.jar.credential?.split(".") ?? []
    assert.strictEqual(yield* refused(session), "invalid_token")
    const token = yield* generated(ada)
    assert.strictEqual(yield* browser().code(resetPassword, { token, new_password: password }), "invalid_token")
    yield* browser().body(oneTimeTokenVerify, { token })
  })

  rule("accepts a token for a minute, and removes an expired one", function* () {
    const ada = yield* signedUp(email)
    const late = yield* generated(ada)
    yield* TestClock.adjust("1 second")
    const timely = yield* generated(ada)
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(yield* refused(late), "invalid_token")
    assert.lengthOf(yield* rows(OneTimeTokens), 1)
    yield* browser().body(oneTimeTokenVerify, { token: timely })
  })

  rule("accepts a token of a session that survives the end of all others", function* () {
    const ada = yield* signedUp(email)
    const token = yield* generated(ada)
    yield* signedIn(email)
    assert.deepStrictEqual(yield* ada.body(revokeOtherSessions), { revoked: 1 })
    yield* browser().body(oneTimeTokenVerify, { token })
  })

  rule("refuses a token of an ended session, however it ended", function* () {
    const ada = yield* signedUp(email)
    const endings = [
      (their: typeof ada) => their.body(signOut),
      (their: typeof ada) => their.body(revokeSessions),
      () => Effect.flatMap(signedIn(email), (other) => other.body(revokeOtherSessions)),
      (their: typeof ada) =>
        Effect.gen(function* () {
          const { session } = yield* their.body(getSession)
          const other = yield* signedIn(email)
          yield* other.body(revokeSession, { session_id: session?.id })
        }),
      (their: typeof ada) =>
        their.body(changePassword, { current_password: password, new_password: password, revoke_other_sessions: true }),
      (their: typeof ada) => their.body(deleteUser, { password }),
    ]
    for (const end of endings) {
      const their = yield* signedIn(email)
      const token = yield* generated(their)
      yield* end(their)
      assert.lengthOf(yield* rows(OneTimeTokens), 0)
      assert.strictEqual(yield* refused(token), "invalid_token")
    }
  })

  rule(
    "refuses a token of a session that expired",
    function* () {
      const ada = yield* signedUp(email)
      yield* TestClock.adjust("10 seconds")
      const [first, second] = [yield* generated(ada), yield* generated(ada)]
      yield* TestClock.adjust("9 seconds")
      yield* browser().body(oneTimeTokenVerify, { token: first })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* refused(second), "invalid_token")
    },
    { session: { expires_in: 20, update_age: 20 } },
  )

  rule("the new session is as old as the one that it comes from", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("86399 seconds")
    const elsewhere = browser()
    yield* elsewhere.body(oneTimeTokenVerify, { token: yield* generated(ada) })
    yield* elsewhere.body(changeEmail, { new_email: "one@example.com" })
    yield* TestClock.adjust("1 second")
    const further = browser()
    yield* further.body(oneTimeTokenVerify, { token: yield* generated(elsewhere) })
    assert.strictEqual(yield* further.code(changeEmail, { new_email: "two@example.com" }), "session_not_fresh")
  })

  rule(
    "a chain of hand-offs does not extend max_lifetime",
    function* () {
      let holder: ReturnType<typeof browser> = yield* signedUp(email)
      for (const _ of times(3, String)) {
        yield* TestClock.adjust("33 seconds")
        const next = browser()
        yield* next.body(oneTimeTokenVerify, { token: yield* generated(holder) })
        holder = next
      }
      const token = yield* generated(holder)
      const { session } = yield* onWire(getSession, yield* holder.body(getSession))
      assert.strictEqual(session.expires_at, "1970-01-01T00:01:40.000Z")
      assert.isTrue(yield* isSignedIn(holder))
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* isSignedIn(holder))
      assert.strictEqual(yield* refused(token), "invalid_token")
    },
    { session: { expires_in: 50, update_age: 1, max_lifetime: 100 } },
  )
})

describe("a token during its redemption", () => {
  /** A gate that refuses users with the name "closed". */
  const closed = Module.define({
    name: "closed",
    settings: Module.NoSettings,
    parts: () => ({ gates: [({ name }) => (name === "closed" ? Effect.fail(new Forbidden()) : Effect.void)], gateErrors: [Forbidden] }),
  }).build({})
  const rule = rulesOf([...core, built, closed])

  /** The result of a redemption if this happens between its reads and its commit. */
  const redeemedAround = Effect.fnUntraced(function* (token: string, meanwhile: Effect.Effect<unknown, unknown, WorldServices>) {
    const store = yield* Store
    const once = yield* Effect.cached(Effect.ignore(meanwhile).pipe(Effect.provide(yield* Effect.context<WorldServices>())))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    return yield* refused(token).pipe(Effect.provideService(Store, { ...store, commit }))
  })

  rule("passes the gates, in their final state", function* () {
    const ada = yield* signedUp(email)
    const close = ada.body(updateUser, { name: "closed" })
    assert.strictEqual(yield* redeemedAround(yield* generated(ada), close), "forbidden")
    assert.strictEqual(yield* refused(yield* generated(ada)), "forbidden")
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("is invalid if its session ends concurrently", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* redeemedAround(yield* generated(ada), ada.call(signOut)), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), 0)
  })
})

describe("concurrent one-time tokens", () => {
  rule("twenty redemptions of one token make one session", function* () {
    const ada = yield* signedUp(email)
    const token = yield* generated(ada)
    const browsers = times(20, () => browser())
    const tally = yield* atOnce(browsers.map((their) => their.call(oneTimeTokenVerify, { token })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 19 })
    assert.lengthOf(yield* rows(Sessions), 2)
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 1)
  })

  rule("twenty tokens of one session are all redeemed", function* () {
    const ada = yield* signedUp(email)
    const tokens = yield* Effect.all(
      times(20, () => generated(ada)),
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(yield* atOnce(tokens.map((token) => browser().call(oneTimeTokenVerify, { token }))), { ok: 20 })
    assert.lengthOf(yield* rows(Sessions), 21)
  })

  rule("the end of all sessions leaves no concurrently handed-off session, and no token", function* () {
    const ada = yield* signedUp(email)
    const tokens = yield* Effect.forEach(times(10, String), () => generated(ada))
    const browsers = times(10, () => browser())
    const redemptions = browsers.map((their, index) => their.call(oneTimeTokenVerify, { token: tokens[index] }))
    const more = times(10, () => ada.call(oneTimeTokenGenerate))
    yield* atOnce([...redemptions.slice(5), ada.call(revokeSessions), ...redemptions.slice(0, 5), ...more])
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 0)
    for (const table of [Sessions, OneTimeTokens]) assert.lengthOf(yield* rows(table), 0, table.name)
  })
})
