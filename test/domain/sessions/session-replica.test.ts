import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../domain/ports/store.ts"
import { SessionReplica, type SessionReplicaService } from "../../../domain/sessions/session-replica.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { rule } from "../../rule.ts"
import { browser, endpoints, isSignedIn, rows, signedUp } from "../../world.ts"

const { getSession, listSessions, revokeSessions, signOut, updateUser } = endpoints
const email = "ada@example.com"
const seconds = (count: number) => TestClock.adjust(count * 1000)

/** A replica that got every session until now, and nothing after. `reads` counts its hits. */
const copied = Effect.gen(function* () {
  const store = yield* Store
  const sessions = yield* rows(Sessions)
  const copies = new Map<string, Effect.Success<ReturnType<SessionReplicaService["read"]>>>()
  for (const { token_hash } of sessions) copies.set(token_hash, yield* store.readWithReferenced(Sessions, { token_hash }, "user_id"))
  let reads = 0
  const read: SessionReplicaService["read"] = (token_hash) =>
    Effect.sync(() => {
      const copy = copies.get(token_hash) ?? Option.none()
      if (Option.isSome(copy)) reads++
      return copy
    })
  return { on: Effect.provideService(SessionReplica, { read }), reads: () => reads }
})

describe("a replica of the sessions", () => {
  rule("is read by get-session, also without an extension of the session", function* () {
    const ada = yield* signedUp(email)
    const { on, reads } = yield* copied
    assert.strictEqual((yield* on(ada.body(getSession))).user?.email, email)
    assert.strictEqual((yield* on(ada.body(getSession, { extend: false }))).user?.email, email)
    assert.strictEqual(reads(), 2)
  })

  rule("is read by no other operation: a revoked session can neither read nor write there", function* () {
    const ada = yield* signedUp(email)
    const copy = browser(undefined, { ...ada.jar })
    const { on, reads } = yield* copied
    yield* ada.body(revokeSessions)
    assert.strictEqual((yield* on(Effect.flip(copy.body(listSessions))))._tag, "unauthorized")
    assert.strictEqual((yield* on(Effect.flip(copy.body(updateUser, { name: "Thief" }))))._tag, "unauthorized")
    yield* on(copy.body(signOut))
    assert.strictEqual(reads(), 0)
  })

  rule("is not asked without a valid signature", function* () {
    yield* signedUp(email)
    const { on, reads } = yield* copied
    assert.strictEqual(yield* on(isSignedIn(browser())), false)
    assert.strictEqual(reads(), 0)
  })

  rule("does not have a new session: the store is asked", function* () {
    const { on } = yield* copied
    const ada = yield* signedUp(email)
    assert.strictEqual((yield* on(ada.body(getSession))).user?.email, email)
  })

  rule("has an expired session that was extended in the meantime: the store is asked", function* () {
    const ada = yield* signedUp(email)
    const { on } = yield* copied
    yield* seconds(604_799)
    yield* ada.body(getSession)
    yield* seconds(1)
    assert.strictEqual((yield* on(ada.body(getSession))).user?.email, email)
  })

  rule("has a revoked session that is due for an extension: the extension finds it revoked", function* () {
    const ada = yield* signedUp(email)
    const copy = browser(undefined, { ...ada.jar })
    const { on } = yield* copied
    yield* ada.body(revokeSessions)
    assert.strictEqual((yield* on(copy.body(getSession))).user?.email, email)
    yield* seconds(86_400)
    assert.strictEqual((yield* on(copy.body(getSession))).user, null)
    assert.deepStrictEqual(yield* rows(Sessions), [])
  })
})
