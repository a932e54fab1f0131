import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { rule } from "../../../rule.ts"
import {
  atOnce,
  browser,
  endpoints,
  isSignedIn,
  onWire,
  password,
  rows,
  secret,
  signedIn,
  signedUp,
  times,
  type WorldServices,
  withSettings,
} from "../../../world.ts"

const { signOut, getSession, listSessions, revokeSession, revokeSessions, revokeOtherSessions, updateUser, signInEmail } = endpoints
const email = "ada@example.com"
const noSession = { session: null, user: null }

const update_age = 86_400
const expires_in = 604_800
const max_lifetime = 2_592_000
const seconds = (count: number) => TestClock.adjust(count * 1000)
const secondsOf = (moment: DateTime.Utc | undefined) => (moment === undefined ? undefined : DateTime.toEpochMillis(moment) / 1000)

type Their = ReturnType<typeof browser>
const sessionOf = (their: Their) => Effect.map(their.body(getSession), ({ session }) => session)
const idOf = (their: Their) => Effect.map(sessionOf(their), (session) => session?.id ?? "none")

describe("get-session", () => {
  rule("returns the session and its user without secrets", function* () {
    const ada = yield* signedUp(email)
    const body = yield* onWire(getSession, yield* ada.body(getSession))
    assert.sameMembers(Object.keys(body.session), ["id", "user_id", "expires_at", "created_at", "updated_at"])
    assert.strictEqual(body.session.user_id, ada.user.id)
    assert.strictEqual(body.session.expires_at, "1970-01-08T00:00:00.000Z")
    assert.sameMembers(Object.keys(body.user), ["id", "email", "email_verified", "name", "image", "created_at", "updated_at"])
  })

  rule("returns null without a session", function* () {
    assert.deepStrictEqual(yield* browser().call(getSession), { body: noSession, session: "keep" })
  })
})

describe("a session", () => {
  rule("is refreshed by a use after update_age, with a new cookie", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age - 1)
    const early = yield* ada.call(getSession)
    assert.strictEqual(early.session, "keep")
    assert.strictEqual(secondsOf(early.body.session?.expires_at), expires_in)

    yield* seconds(1)
    const { credential } = ada.jar
    const due = yield* ada.call(getSession)
    assert.strictEqual(secondsOf(due.body.session?.expires_at), update_age + expires_in)
    assert.strictEqual(secondsOf(due.body.session?.updated_at), update_age)
    assert.isObject(due.session)
    assert.strictEqual(ada.jar.credential, credential)
    assert.strictEqual((yield* ada.call(getSession)).session, "keep")
  })

  rule("is left as it is by a read with extend=false, also when it is due", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age)
    const before = yield* rows(Sessions)
    for (const extend of ["false", false] as const) {
      const { body, session } = yield* ada.call(getSession, { extend })
      assert.strictEqual(session, "keep")
      assert.strictEqual(secondsOf(body.session?.expires_at), expires_in)
      assert.strictEqual(body.user?.email, email)
      assert.deepStrictEqual(yield* rows(Sessions), before)
    }
    assert.isObject((yield* ada.call(getSession, { extend: "true" })).session)
    assert.notDeepEqual(yield* rows(Sessions), before)
    assert.deepStrictEqual(yield* browser().body(getSession, { extend: "false" }), noSession)
  })

  rule("is read with extend until it ends", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(expires_in - 1)
    assert.isNotNull((yield* ada.body(getSession, { extend: "false" })).session)
    yield* seconds(1)
    assert.deepStrictEqual(yield* ada.body(getSession, { extend: "false" }), noSession)
  })

  rule("is refreshed by every endpoint that requires one", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age)
    const { credential } = ada.jar
    const reply = yield* ada.call(listSessions)
    assert.deepStrictEqual(reply.session, { session: (yield* rows(Sessions))[0]!, user: ada.user, credential: credential! })
    assert.strictEqual(secondsOf(reply.body.sessions[0]?.expires_at), update_age + expires_in)
    yield* seconds(update_age)
    assert.isObject((yield* ada.call(updateUser, { name: "Ada" })).session)
  })

  rule("is not refreshed by an endpoint that ends it", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age)
    assert.strictEqual((yield* ada.call(revokeSessions)).session, "clear")
  })

  rule("is refreshed once by concurrent uses", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age)
    assert.deepStrictEqual(yield* atOnce(times(10, () => ada.call(listSessions))), { ok: 10 })
    const [row, ...more] = yield* rows(Sessions)
    assert.strictEqual(secondsOf(row?.expires_at), update_age + expires_in)
    assert.lengthOf(more, 0)
  })

  rule("stays revoked when it is used during its revocation", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(update_age)
    const { credential } = ada.jar
    yield* atOnce([ada.call(getSession), ada.call(signOut), ada.call(listSessions), ada.call(getSession)])
    assert.lengthOf(yield* rows(Sessions), 0)
    ada.jar.credential = credential
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("ends expires_in after its last refresh", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    yield* seconds(expires_in - 1)
    assert.isTrue(yield* isSignedIn(ada))
    yield* seconds(1)
    assert.deepStrictEqual(yield* bob.body(getSession), noSession)
    assert.strictEqual(yield* bob.code(listSessions), "unauthorized")
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("ends max_lifetime after its start, however much it is used", function* () {
    const ada = yield* signedUp(email)
    for (let day = 1; day < 30; day++) {
      yield* seconds(86_400)
      assert.isTrue(yield* isSignedIn(ada))
    }
    assert.strictEqual(secondsOf((yield* sessionOf(ada))?.expires_at), max_lifetime)
    yield* seconds(86_399)
    assert.isTrue(yield* isSignedIn(ada))
    yield* seconds(1)
    assert.deepStrictEqual(yield* ada.body(getSession), noSession)
  })

  rule(
    "follows the settings",
    function* () {
      const ada = yield* signedUp(email)
      yield* seconds(9)
      assert.isObject((yield* ada.call(getSession)).session)
      yield* seconds(9)
      assert.strictEqual(secondsOf((yield* sessionOf(ada))?.expires_at), 25)
      yield* seconds(7)
      assert.isFalse(yield* isSignedIn(ada))
    },
    { session: { expires_in: 10, update_age: 0, max_lifetime: 25 } },
  )

  rule("never outlives a max_lifetime that was lowered after it began", function* () {
    const ada = yield* signedUp(email)
    const lowered = withSettings({ session: { max_lifetime: 20 } })
    yield* seconds(19)
    assert.isTrue(yield* lowered(isSignedIn(ada)))
    yield* seconds(1)
    assert.isFalse(yield* lowered(isSignedIn(ada)))
  })
})

describe("a credential", () => {
  rule("is refused when it is forged, edited or cut", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    const good = ada.jar.credential ?? ""
    const [token = "", tag = ""] = good.split(".")
    const [, tagOfBob = ""] = bob.jar.credential?.split(".") ?? []
    const swap = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
    // The last of 43 base64url characters has two unused bits, so the same bytes have further spellings.
    const spellings = times(26, (index) => tag.slice(0, -1) + String.fromCharCode(97 + index))
    const spelled = spellings.filter((text) => text !== tag && Buffer.from(text, "base64url").equals(Buffer.from(tag, "base64url")))
    const row = (yield* rows(Sessions)).find(({ user_id }) => user_id === ada.user.id)
    const bad = [
      ...["", ".", "..", token, tag, `.${tag}`, `${token}.`, `${good}.`, `${good}.${tag}`, `${good}=`, ` ${good}`, `${good} `],
      ...[swap(good, 0), swap(good, 20), swap(good, good.length - 1), swap(good, token.length + 1), good.slice(0, -1), good.slice(1)],
      ...[
        `${token}.${tagOfBob}`,
        ...spelled.map((text) => `${token}.${text}`),
        `${tag}.${token}`,
        `${row?.token_hash}.${tag}`,
        `${row?.id}.${tag}`,
      ],
      ...["\0", "\ud800.\ud800", "🔑.🔑", "x".repeat(10_000), `${token}.${"A".repeat(10_000)}`, "__proto__.constructor"],
    ]
    for (const credential of bad) {
      const thief = browser()
      thief.jar.credential = credential
      assert.deepStrictEqual(yield* thief.body(getSession), noSession, credential)
      assert.strictEqual(yield* thief.code(listSessions), "unauthorized")
    }
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("is valid while its secret is listed, and no longer", function* () {
    const ada = yield* signedUp(email)
    const [newer, older] = [Redacted.make("a newer secret, also long enough to be one"), Redacted.make(secret)]
    const under = (...secrets: ReadonlyArray<Redacted.Redacted<string>>) => Effect.provide(Layer.orDie(Keys.layer(secrets)))

    assert.isTrue(yield* under(newer, older)(isSignedIn(ada)))
    assert.isFalse(yield* under(newer)(isSignedIn(ada)))
    const bob = yield* under(newer, older)(signedIn(email))
    assert.isTrue(yield* under(newer)(isSignedIn(bob)))
    assert.isTrue(yield* under(older, newer)(isSignedIn(bob)))
    assert.isFalse(yield* isSignedIn(bob))
  })

  rule("differs from the stored value", function* () {
    const ada = yield* signedUp(email)
    const stored = JSON.stringify(yield* rows(Sessions))
    for (const part of ada.jar.credential?.split(".") ?? []) assert.notInclude(stored, part)
  })
})

describe("sign-out", () => {
  rule("ends this session alone and clears the cookie", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const { credential } = ada.jar
    assert.deepStrictEqual(yield* ada.call(signOut), { body: { success: true }, session: "clear" })
    ada.jar.credential = credential
    assert.isFalse(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(elsewhere))
  })

  rule("succeeds without a session and changes nothing", function* () {
    const stale = browser()
    stale.jar.credential = "long.gone"
    for (const their of [browser(), stale])
      assert.deepStrictEqual(yield* their.call(signOut), { body: { success: true }, session: "clear" })
  })
})

describe("list-sessions", () => {
  rule("lists the user's own, the oldest first, without tokens", function* () {
    const ada = yield* signedUp(email)
    yield* signedUp("bob@example.com")
    yield* seconds(1)
    const elsewhere = yield* signedIn(email)
    const { sessions } = yield* onWire(listSessions, yield* ada.body(listSessions))
    assert.deepStrictEqual(
      sessions.map(({ id }: { readonly id: string }) => id),
      [yield* idOf(ada), yield* idOf(elsewhere)],
    )
    assert.deepStrictEqual(sessions[1], {
      id: yield* idOf(elsewhere),
      expires_at: "1970-01-08T00:00:01.000Z",
      created_at: "1970-01-01T00:00:01.000Z",
      updated_at: "1970-01-01T00:00:01.000Z",
      ip_address: "192.0.2.1",
      user_agent: "test",
    })
  })

  rule("omits expired sessions", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(1)
    const elsewhere = yield* signedIn(email)
    yield* seconds(expires_in - 1)
    const { sessions } = yield* elsewhere.body(listSessions)
    assert.lengthOf(sessions, 1)
    assert.isFalse(yield* isSignedIn(ada))
  })
})

describe("revoke-session", () => {
  rule("ends another session of the user", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const session_id = yield* idOf(elsewhere)
    assert.deepStrictEqual(yield* ada.call(revokeSession, { session_id }), { body: { success: true }, session: "keep" })
    assert.isFalse(yield* isSignedIn(elsewhere))
    assert.isTrue(yield* isSignedIn(ada))
    assert.deepStrictEqual(yield* ada.body(revokeSession, { session_id }), { success: false })
  })

  rule("clears the cookie when it is the current one", function* () {
    const ada = yield* signedUp(email)
    const reply = yield* ada.call(revokeSession, { session_id: yield* idOf(ada) })
    assert.deepStrictEqual(reply, { body: { success: true }, session: "clear" })
    assert.lengthOf(yield* rows(Sessions), 0)
  })

  rule("returns false for another user's session, which stays valid, and for an unknown id", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    for (const session_id of [yield* idOf(bob), "unknown", "", "\0", "\ud800"])
      assert.deepStrictEqual(yield* ada.call(revokeSession, { session_id }), { body: { success: false }, session: "keep" })
    assert.isTrue(yield* isSignedIn(bob))
  })

  rule("refuses a missing or ill-typed id", function* () {
    const ada = yield* signedUp(email)
    for (const input of [null, {}, { session_id: null }, { session_id: 7 }, { session_id: ["x"] }])
      assert.strictEqual(yield* ada.code(revokeSession, input), "invalid_request", JSON.stringify(input))
  })

  rule("succeeds once among concurrent calls", function* () {
    const ada = yield* signedUp(email)
    const session_id = yield* idOf(yield* signedIn(email))
    const answers = yield* Effect.all(
      times(10, () => ada.body(revokeSession, { session_id })),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(
      answers.filter(({ success }) => success),
      1,
    )
  })
})

describe("revoke-sessions", () => {
  rule("ends all of the user's sessions, counts the valid ones and clears the cookie", function* () {
    const ada = yield* signedUp(email)
    yield* seconds(expires_in)
    const [first, second] = [yield* signedIn(email), yield* signedIn(email)]
    const bob = yield* signedUp("bob@example.com")
    assert.deepStrictEqual(yield* first.call(revokeSessions), { body: { revoked: 2 }, session: "clear" })
    for (const their of [ada, first, second]) assert.isFalse(yield* isSignedIn(their))
    assert.isTrue(yield* isSignedIn(bob))
  })
})

describe("revoke-other-sessions", () => {
  rule("ends all of the user's sessions but this one", function* () {
    const ada = yield* signedUp(email)
    const others = yield* Effect.all(times(3, () => signedIn(email)))
    const bob = yield* signedUp("bob@example.com")
    const before = yield* sessionOf(ada)
    assert.deepStrictEqual(yield* ada.call(revokeOtherSessions), { body: { revoked: 3 }, session: "keep" })
    for (const their of others) assert.isFalse(yield* isSignedIn(their))
    assert.deepStrictEqual(yield* sessionOf(ada), before)
    assert.isTrue(yield* isSignedIn(bob))
    assert.deepStrictEqual(yield* ada.body(revokeOtherSessions), { revoked: 0 })
  })

  rule("counts the valid ones", function* () {
    yield* signedUp(email)
    yield* seconds(expires_in)
    const ada = yield* signedIn(email)
    assert.deepStrictEqual(yield* ada.body(revokeOtherSessions), { revoked: 0 })
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("ends any number of them, and lists the newest", function* () {
    const ada = yield* signedUp(email)
    const own = yield* idOf(ada)
    const [row] = yield* rows(Sessions)
    const store = yield* Store
    const older = times(1100, (index) => ({
      ...row!,
      id: `older ${index}`,
      token_hash: `hash ${index}`,
      created_at: DateTime.subtract(row!.created_at, { seconds: index + 1 }),
    }))
    yield* Effect.orDie(store.commit(older.map((session) => insert(Sessions, session))))
    const { sessions } = yield* ada.body(listSessions)
    assert.deepStrictEqual([sessions.length, sessions[0]?.id, sessions.at(-1)?.id], [1000, "older 998", own])
    assert.deepStrictEqual(yield* ada.body(revokeOtherSessions), { revoked: 1100 })
    assert.deepStrictEqual(
      (yield* rows(Sessions)).map(({ id }) => id),
      [own],
    )
  })

  rule("ends one that was issued while it read the others", function* () {
    const ada = yield* signedUp(email)
    const store = yield* Store
    const late = browser()
    let asked = 0
    const services = yield* Effect.context<WorldServices>()
    const signIn = Effect.ignore(late.body(signInEmail, { email, password })).pipe(Effect.provide(services))
    const commit: StoreService["commit"] = (writes) => (asked++ > 0 ? store.commit(writes) : Effect.andThen(signIn, store.commit(writes)))
    yield* ada.body(revokeOtherSessions).pipe(Effect.provideService(Store, { ...store, commit }))
    assert.isNotNull(late.jar.credential)
    assert.isFalse(yield* isSignedIn(late))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("concurrent calls from two browsers leave one session", function* () {
    const all = [yield* signedUp(email), yield* signedIn(email)]
    const tally = yield* atOnce(all.map((their) => their.call(revokeOtherSessions)))
    assert.deepStrictEqual(tally, { ok: 1, unauthorized: 1 })
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("stops a concurrent sign-in that had read the user before", function* () {
    const ada = yield* signedUp(email)
    const others = times(5, () => browser())
    yield* atOnce([...others.map((their) => their.call(signInEmail, { email, password })), ada.call(revokeOtherSessions)])
    const alive = yield* Effect.filter(others, isSignedIn)
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(Sessions), alive.length + 1)
  })
})
