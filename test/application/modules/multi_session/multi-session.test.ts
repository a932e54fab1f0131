import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { multiSession } from "../../../../application/modules/multi_session/index.ts"
import * as Auth from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import { define } from "../../../../domain/errors.ts"
import * as SignedCookie from "../../../../domain/sessions/signed-cookie.ts"
import { Keys, tokenHash } from "../../../../domain/tokens/keys.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, isSignedIn, onWire, password, times } from "../../../world.ts"

const { signUpEmail, signInEmail, signOut, getSession, revokeSession, revokeSessions, deleteUser, changePassword } = endpoints

const built = multiSession.build({ max_sessions: 3 })
const { multiSessionList: list, multiSessionSetActive: setActive, multiSessionRevoke: revoke } = built.endpoints

/** Refuses users whose name is on the list. */
const kept = { out: "" }
const Banned = define("banned", 403, "Banned.")
const gate = Module.define({
  name: "gate",
  settings: Module.NoSettings,
  parts: () => ({ gates: [({ email }) => (email === kept.out ? new Banned() : Effect.void)], gateErrors: [Banned] }),
}).build({})

const modules = [...core, gate, built]
const rule = rulesOf(modules)
const day = TestClock.adjust("1 day")

type Their = ReturnType<typeof browser>

/** A browser whose user signs up under these names, one after the other. */
const shared = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const their = browser()
  for (const name of names) yield* join(their, name)
  return their
})
const join = (their: Their, name: string) => their.body(signUpEmail, { email: `${name}@example.com`, password })
const rejoin = (their: Their, name: string) => their.body(signInEmail, { email: `${name}@example.com`, password })

/** The list as names, the current one with a star. */
const names = Effect.fnUntraced(function* (their: Their) {
  const { sessions } = yield* their.body(list)
  return sessions.map(({ user, active }) => `${active ? "*" : ""}${user.email.split("@")[0]}`)
})
const idOf = Effect.fnUntraced(function* (their: Their, name: string) {
  const { sessions } = yield* their.body(list)
  return sessions.find(({ user }) => user.email === `${name}@example.com`)?.session_id ?? "none"
})
const whoIs = (their: Their) => Effect.map(their.body(getSession), ({ user }) => user?.email.split("@")[0] ?? null)
/** The credentials in the cookie, valid or not. */
const credentials = Effect.fnUntraced(function* ({ jar }: Their) {
  const [text = ""] = jar.cookies.multi_session?.split(".") ?? []
  if (text === "") return []
  const opened = yield* Keys.use(({ open }) => open("cookie/multi_session", text))
  return JSON.parse(Option.getOrThrow(opened)).credentials as ReadonlyArray<string>
})
const bindingName = "__Host-multi_session_browser"
/** A validly signed cookie of the service, bound to this browser. */
const writtenFor = Effect.fnUntraced(function* ({ jar }: Their, credentials: ReadonlyArray<string>, name = "multi_session") {
  const [text = ""] = jar.cookies[bindingName]?.split(".") ?? []
  const browser = yield* tokenHash("browser/multi_session_browser", JSON.parse(Buffer.from(text, "base64url").toString()))
  const schema = Schema.Struct({ browser: Schema.String, credentials: Schema.Array(Schema.String) })
  return yield* SignedCookie.makeSealed(name, schema, 60).write({ browser, credentials })
})
/** Another browser with the same cookies. */
const copyOf = ({ jar }: Their, changes: Partial<Their["jar"]> = {}) => {
  const copy = browser()
  Object.assign(copy.jar, { ...jar, ...changes })
  return copy
}

describe("list", () => {
  rule("is empty for a browser without sessions", function* () {
    assert.deepStrictEqual(yield* browser().call(list), { body: { sessions: [] }, session: "keep" })
  })

  rule("has the sessions in the order of their start, with the users' public shape", function* () {
    const their = yield* shared("ada", "bob")
    const { sessions } = yield* onWire(list, yield* their.body(list))
    assert.deepStrictEqual(yield* names(their), ["ada", "*bob"])
    assert.deepStrictEqual(Object.keys(sessions[0]), ["session_id", "user", "active"])
    assert.sameMembers(Object.keys(sessions[0].user), ["id", "email", "email_verified", "name", "image", "created_at", "updated_at"])
    assert.strictEqual(sessions[1].session_id, (yield* their.body(getSession)).session?.id)
  })

  rule("has every session of one user", function* () {
    const their = yield* shared("ada")
    yield* rejoin(their, "ada")
    assert.deepStrictEqual(yield* names(their), ["ada", "*ada"])
  })

  rule("has at most max_sessions: the oldest is removed", function* () {
    const their = yield* shared("ada", "bob", "cy")
    assert.deepStrictEqual(yield* names(their), ["ada", "bob", "*cy"])
    yield* join(their, "dee")
    assert.deepStrictEqual(yield* names(their), ["bob", "cy", "*dee"])
    assert.lengthOf(yield* credentials(their), 3)
  })

  rule("removes ended sessions before the oldest", function* () {
    const their = yield* shared("ada", "bob", "cy")
    const elsewhere = copyOf(their)
    yield* elsewhere.call(revoke, { session_id: yield* idOf(their, "bob") })
    yield* join(their, "dee")
    assert.deepStrictEqual(yield* names(their), ["ada", "cy", "*dee"])
  })

  rule("omits expired sessions from the second of their end", function* () {
    const their = yield* shared("ada")
    yield* day
    yield* join(their, "bob")
    yield* TestClock.adjust(6 * 86_400_000 - 1000)
    assert.deepStrictEqual(yield* names(their), ["ada", "*bob"])
    yield* TestClock.adjust(1000)
    assert.deepStrictEqual(yield* names(their), ["*bob"])
    assert.strictEqual(yield* their.code(setActive, { session_id: "none" }), "session_not_found")
  })

  rule("omits sessions that were revoked elsewhere, and sessions of deleted users", function* () {
    const their = yield* shared("ada", "bob", "cy")
    const ada = browser()
    yield* rejoin(ada, "ada")
    yield* ada.call(revokeSessions)
    const bob = browser()
    yield* rejoin(bob, "bob")
    yield* bob.call(deleteUser, { password })
    assert.deepStrictEqual(yield* names(their), ["*cy"])
  })

  rule("omits a signed-out session", function* () {
    const their = yield* shared("ada", "bob")
    yield* their.call(signOut)
    assert.deepStrictEqual(yield* names(their), ["ada"])
    assert.isNull(yield* whoIs(their))
    assert.lengthOf(yield* credentials(their), 1)
  })

  rule("does not refresh the session: listing is no use of it", function* () {
    const their = yield* shared("ada", "bob")
    yield* TestClock.adjust("6 days")
    assert.deepStrictEqual(yield* names(their), ["ada", "*bob"])
    yield* their.call(getSession)
    yield* day
    assert.deepStrictEqual(yield* names(their), ["*bob"])
  })

  rule("has the current session even if it began before this module was enabled", function* () {
    const their = yield* shared("ada")
    const before = copyOf(their, { cookies: {} })
    assert.deepStrictEqual(yield* names(before), ["*ada"])
    yield* join(before, "bob")
    assert.deepStrictEqual(yield* names(before), ["ada", "*bob"])
  })

  rule("ignores forged entries", function* () {
    const ada = yield* shared("ada")
    const mallory = yield* shared("mallory")
    const [text = "", signature = ""] = ada.jar.cookies.multi_session?.split(".") ?? []
    const [, others] = mallory.jar.cookies.multi_session?.split(".") ?? []
    const made = (yield* writtenFor(mallory, [...(yield* credentials(ada)), ...(yield* credentials(mallory))])).value.split(".")[0]
    for (const forged of [
      "",
      ".",
      text,
      `${text}.`,
      `${text}.${others}`,
      `${made}.${signature}`,
      `${text}.${signature}.`,
      `${text}.${signature}x`,
    ]) {
      const cookies = { ...mallory.jar.cookies, multi_session: forged }
      assert.deepStrictEqual(yield* names(copyOf(mallory, { credential: null, cookies })), [], forged)
    }
    assert.deepStrictEqual(yield* names(copyOf(ada, { credential: null })), ["ada"])
  })

  rule("ignores other cookies of this service and values without a valid signature", function* () {
    const their = yield* shared("ada")
    const [good = ""] = yield* credentials(their)
    const [token = ""] = good.split(".")
    const other = yield* writtenFor(their, [good], "other")
    const cookies = { ...their.jar.cookies, multi_session: other.value }
    assert.deepStrictEqual(yield* names(copyOf(their, { credential: null, cookies })), [])

    const mixed = yield* writtenFor(their, [`${token}.${"A".repeat(43)}`, "", "x.y", good])
    const held = { ...their.jar.cookies, multi_session: mixed.value }
    assert.deepStrictEqual(yield* names(copyOf(their, { credential: null, cookies: held })), ["ada"])
  })

  rule("reads no more than max_sessions entries, also after the limit was lowered", function* () {
    const their = yield* shared("ada", "bob", "cy")
    const lower = multiSession.build({ max_sessions: 2 })
    const copy = browser(Auth.make([...core, lower]))
    Object.assign(copy.jar, their.jar)
    const seen = Effect.suspend(() =>
      Effect.map(copy.body(lower.endpoints.multiSessionList), ({ sessions }) => sessions.map(({ user }) => user.email)),
    )
    assert.deepStrictEqual(yield* seen, ["bob@example.com", "cy@example.com"])

    copy.jar.credential = (yield* credentials(their))[0] ?? null
    assert.deepStrictEqual(yield* seen, ["cy@example.com", "ada@example.com"])
  })
})

describe("the cookie", () => {
  rule("is written for a new session, and not otherwise", function* () {
    const their = browser()
    const { cookies = [] } = yield* their.call(signUpEmail, { email: "ada@example.com", password })
    assert.deepStrictEqual(
      cookies.map(({ name, max_age }) => [name, max_age]),
      [
        ["multi_session", 34_560_000],
        [bindingName, 34_560_000],
      ],
    )
    for (const endpoint of [getSession, list]) assert.isUndefined((yield* their.call<any, any>(endpoint)).cookies)
    assert.isUndefined((yield* their.call(setActive, { session_id: yield* idOf(their, "ada") })).cookies)
  })

  rule("is kept when a session is refreshed", function* () {
    const their = yield* shared("ada", "bob")
    const { cookies } = their.jar
    yield* their.call(setActive, { session_id: yield* idOf(their, "ada") })
    yield* day
    assert.isObject((yield* their.call(getSession)).session)
    assert.deepStrictEqual(their.jar.cookies, cookies)
    assert.deepStrictEqual(yield* names(their), ["*ada", "bob"])
  })

  rule("has the session that a change of the password starts in place of another", function* () {
    const their = yield* shared("ada")
    yield* their.call(changePassword, { current_password: password, new_password: `${password}!`, revoke_other_sessions: true })
    assert.strictEqual(yield* whoIs(their), "ada")
    assert.include(yield* credentials(their), their.jar.credential)
    assert.include(yield* names(their), "*ada")
  })

  rule("is cleared with the last session", function* () {
    const their = yield* shared("ada")
    const { cookies } = yield* their.call(signOut)
    assert.deepStrictEqual(cookies, [
      { name: "multi_session", value: "", max_age: 0 },
      { name: bindingName, value: "", max_age: 0 },
    ])
  })

  rule("loses a session that ends in any other way in this browser", function* () {
    for (const end of [revokeSessions, deleteUser]) {
      const their = yield* shared(`a${end.path.length}`, `b${end.path.length}`)
      yield* their.call<any, any>(end, { password })
      assert.lengthOf(yield* credentials(their), 1)
    }
    const their = yield* shared("cy", "dee")
    yield* their.call(revokeSession, { session_id: yield* idOf(their, "dee") })
    assert.lengthOf(yield* credentials(their), 1)
  })
})

describe("the cookie, if another host reads or sets it", () => {
  /** The cookie without its binding cookie, among the cookies of an attacker's browser. */
  const stolen = ({ jar }: Their, own: Their["jar"]["cookies"] = {}) =>
    copyOf({ jar } as Their, { credential: null, cookies: { ...own, multi_session: jar.cookies.multi_session ?? "" } })

  rule("is useless in another browser", function* () {
    const ada = yield* shared("ada", "bob")
    const mallory = yield* shared("mallory")
    const session_id = yield* idOf(ada, "ada")
    for (const thief of [stolen(ada), stolen(ada, { [bindingName]: mallory.jar.cookies[bindingName] ?? "" })]) {
      assert.deepStrictEqual(yield* names(thief), [])
      assert.strictEqual(yield* thief.code(setActive, { session_id }), "session_not_found")
      assert.strictEqual(yield* thief.code(revoke, { session_id }), "session_not_found")
    }
    assert.deepStrictEqual(yield* names(ada), ["ada", "*bob"])
  })

  rule("contains no credential", function* () {
    const ada = yield* shared("ada", "bob")
    const cookie = ada.jar.cookies.multi_session ?? ""
    const texts = [cookie, ...cookie.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"))]
    for (const credential of yield* credentials(ada))
      for (const part of credential.split(".")) for (const text of texts) assert.notInclude(text, part)
  })

  rule("does not sign the victim in to the attacker's account", function* () {
    const mallory = yield* shared("mallory")
    const session_id = yield* idOf(mallory, "mallory")
    const ada = copyOf(yield* shared("ada"))
    ada.jar.cookies = { ...ada.jar.cookies, multi_session: mallory.jar.cookies.multi_session ?? "" }
    assert.deepStrictEqual(yield* names(ada), ["*ada"])
    assert.strictEqual(yield* ada.code(setActive, { session_id }), "session_not_found")
    yield* join(ada, "bob")
    assert.deepStrictEqual(yield* names(ada), ["ada", "*bob"])
  })

  rule("of an earlier version, with bare credentials, counts as empty", function* () {
    const ada = yield* shared("ada")
    const bare = yield* SignedCookie.make("multi_session", Schema.Array(Schema.String), 60).write(yield* credentials(ada))
    const cookies = { ...ada.jar.cookies, multi_session: bare.value }
    assert.deepStrictEqual(yield* names(copyOf(ada, { credential: null, cookies })), [])
  })
})

describe("set-active", () => {
  rule("makes a listed session the current one, and keeps the list", function* () {
    const their = yield* shared("ada", "bob", "cy")
    const session_id = yield* idOf(their, "ada")
    const { body, session } = yield* their.call(setActive, { session_id })
    assert.deepStrictEqual(body, { active: session_id })
    assert.isObject(session)
    assert.strictEqual(yield* whoIs(their), "ada")
    assert.deepStrictEqual(yield* names(their), ["*ada", "bob", "cy"])
    yield* their.call(setActive, { session_id })
    assert.deepStrictEqual(yield* names(their), ["*ada", "bob", "cy"])
  })

  rule("works without a current session", function* () {
    const their = yield* shared("ada", "bob")
    yield* their.call(signOut)
    yield* their.call(setActive, { session_id: yield* idOf(their, "ada") })
    assert.strictEqual(yield* whoIs(their), "ada")
  })

  rule("keeps a current session that began before this module was enabled", function* () {
    const before = copyOf(yield* shared("ada"), { cookies: {} })
    yield* before.call(setActive, { session_id: yield* idOf(before, "ada") })
    assert.deepStrictEqual(yield* names(copyOf(before, { credential: null })), ["ada"])
  })

  rule("is session_not_found for a session of another browser", function* () {
    const their = yield* shared("ada", "bob")
    const other = yield* shared("cy")
    for (const input of [
      { session_id: yield* idOf(other, "cy") },
      { session_id: "none" },
      { session_id: "" },
      {},
      { session_id: 1 },
      { session_id: null },
    ]) {
      assert.strictEqual(yield* their.code(setActive, input), "session_not_found", JSON.stringify(input))
      assert.strictEqual(yield* browser().code(setActive, input), "session_not_found")
    }
    assert.strictEqual(yield* whoIs(their), "bob")
    assert.isTrue(yield* isSignedIn(other))
  })

  rule("is session_not_found once the session has expired", function* () {
    const their = yield* shared("ada")
    const session_id = yield* idOf(their, "ada")
    yield* TestClock.adjust("6 days")
    yield* join(their, "bob")
    yield* day
    assert.strictEqual(yield* their.code(setActive, { session_id }), "session_not_found")
  })

  rule("is session_not_found once the session was revoked elsewhere", function* () {
    const their = yield* shared("ada", "bob")
    const session_id = yield* idOf(their, "ada")
    const ada = browser()
    yield* rejoin(ada, "ada")
    yield* ada.call(revokeSession, { session_id })
    assert.strictEqual(yield* their.code(setActive, { session_id }), "session_not_found")
  })

  rule("bypasses no gate", function* () {
    const their = yield* shared("ada", "bob")
    kept.out = "ada@example.com"
    const code = yield* Effect.ensuring(
      their.code(setActive, { session_id: yield* idOf(their, "ada") }),
      Effect.sync(() => {
        kept.out = ""
      }),
    )
    assert.strictEqual(code, "banned")
    assert.strictEqual(yield* whoIs(their), "bob")
  })
})

describe("revoke", () => {
  rule("ends a listed session and keeps the current one", function* () {
    const their = yield* shared("ada", "bob")
    const session_id = yield* idOf(their, "ada")
    const [credential = null] = yield* credentials(their)
    const { body, session } = yield* their.call(revoke, { session_id })
    assert.deepStrictEqual([body, session], [{ success: true }, "keep"])
    assert.deepStrictEqual(yield* names(their), ["*bob"])
    assert.lengthOf(yield* credentials(their), 1)
    assert.isFalse(yield* isSignedIn(copyOf(their, { credential })))
    assert.strictEqual(yield* their.code(revoke, { session_id }), "session_not_found")
  })

  rule("of the current session clears its cookie and keeps the others", function* () {
    const their = yield* shared("ada", "bob")
    const { session } = yield* their.call(revoke, { session_id: yield* idOf(their, "bob") })
    assert.strictEqual(session, "clear")
    assert.isNull(their.jar.credential)
    assert.deepStrictEqual(yield* names(their), ["ada"])
  })

  rule("of the last one clears the cookie", function* () {
    const their = yield* shared("ada")
    const { session, cookies } = yield* their.call(revoke, { session_id: yield* idOf(their, "ada") })
    assert.strictEqual(session, "clear")
    assert.deepStrictEqual(cookies, [
      { name: "multi_session", value: "", max_age: 0 },
      { name: bindingName, value: "", max_age: 0 },
    ])
  })

  rule("is session_not_found for a session of another browser, and ends none", function* () {
    const their = yield* shared("ada")
    const other = yield* shared("bob")
    for (const input of [{ session_id: yield* idOf(other, "bob") }, {}, { session_id: 7 }]) {
      assert.strictEqual(yield* their.code(revoke, input), "session_not_found")
    }
    assert.isTrue(yield* isSignedIn(other))
    assert.isTrue(yield* isSignedIn(their))
  })

  rule("succeeds once among concurrent calls", function* () {
    const their = yield* shared("ada", "bob")
    const session_id = yield* idOf(their, "ada")
    const calls = times(20, () => copyOf(their).call(revoke, { session_id }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, session_not_found: 19 })
    assert.deepStrictEqual(yield* names(their), ["*bob"])
  })
})
