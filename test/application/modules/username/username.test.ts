import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Usernames, username } from "../../../../application/modules/username/index.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { decode } from "../../../../domain/settings.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf, verifying } from "../../../rule.ts"
import {
  atOnce,
  browser,
  core,
  credential,
  endpoints,
  HashCount,
  isSignedIn,
  onWire,
  password,
  rows,
  signedUp,
  times,
  withoutPassword,
} from "../../../world.ts"

const built = username.build({})
const { usernameSet, usernameShow, usernameAvailable, signInUsername } = built.endpoints
const rule = rulesOf([...core, built])

const { getSession, deleteUser, changePassword } = endpoints
const email = "ada@example.com"

/** Invalid names. `toLowerCase` would map the Kelvin sign to k. */
const impossible = [
  "",
  "ab",
  "a".repeat(33),
  "ada lovelace",
  " ada",
  "ada\n",
  "ada-l",
  "ada.l",
  "ada@example.com",
  "ädä",
  "аda",
  "\u212Aelvin",
  "\u0130da",
  "\uFF41da",
  "e\u0301ve",
  "ada\0",
  "ada\ud800",
  "🔑🔑🔑",
]

/** A user with a username. */
const named = Effect.fnUntraced(function* (address: string, name: string) {
  const their = yield* signedUp(address)
  yield* their.body(usernameSet, { username: name })
  return their
})

const isAvailable = (name: string) => Effect.map(browser().body(usernameAvailable, { username: name }), ({ available }) => available)

it.effect("usernames require passwords", () =>
  Effect.gen(function* () {
    const faults = (enabled: boolean) => Effect.map(decode({ email_password: { enabled } }), (core) => username.faults({}, core))
    assert.lengthOf(yield* faults(true), 0)
    assert.lengthOf(yield* faults(false), 1)
  }),
)

describe("username/set", () => {
  rule("stores the name and its spelling", function* () {
    const ada = yield* signedUp(email)
    assert.deepStrictEqual(yield* ada.body(usernameSet, { username: "Ada_L" }), { username: "Ada_L" })
    const [row, ...more] = yield* rows(Usernames)
    assert.deepStrictEqual([row?.user_id, row?.username, row?.display_username], [ada.user.id, "ada_l", "Ada_L"])
    assert.match(row?.id ?? "", /^[0-9a-f-]{36}$/)
    assert.lengthOf(more, 0)
  })

  rule("replaces the name at once, and frees the old one", function* () {
    const ada = yield* named(email, "ada")
    const [before] = yield* rows(Usernames)
    yield* TestClock.adjust("1 second")
    yield* ada.body(usernameSet, { username: "countess" })
    const [after, ...more] = yield* rows(Usernames)
    assert.lengthOf(more, 0)
    assert.deepStrictEqual([after?.id, after?.created_at], [before?.id, before?.created_at])
    assert.notDeepEqual(after?.updated_at, before?.updated_at)
    assert.strictEqual(yield* browser().code(signInUsername, { username: "ada", password }), "invalid_credentials")
    yield* browser().body(signInUsername, { username: "countess", password })
    yield* named("bob@example.com", "ada")
  })

  rule("accepts the user's own name again, also in another case", function* () {
    const ada = yield* named(email, "ada")
    for (const written of ["ada", "ADA", "Ada"]) {
      assert.deepStrictEqual(yield* ada.body(usernameSet, { username: written }), { username: written })
      assert.deepStrictEqual(
        (yield* rows(Usernames)).map((row) => [row.username, row.display_username]),
        [["ada", written]],
      )
    }
  })

  rule("refuses another user's name, in any case", function* () {
    yield* named(email, "Ada")
    const bob = yield* named("bob@example.com", "bob")
    for (const taken of ["Ada", "ada", "ADA"]) assert.strictEqual(yield* bob.code(usernameSet, { username: taken }), "username_taken")
    assert.sameMembers(
      (yield* rows(Usernames)).map((row) => row.username),
      ["ada", "bob"],
    )
  })

  rule("accepts 3 to 32 of a to z, 0 to 9 and _", function* () {
    const ada = yield* signedUp(email)
    for (const fitting of ["abc", "a".repeat(32), "___", "007", "A_9"]) yield* ada.body(usernameSet, { username: fitting })
    for (const wrong of impossible) assert.strictEqual(yield* ada.code(usernameSet, { username: wrong }), "invalid_username", wrong)
  })

  rule("distinguishes a missing or ill-typed name from an impossible one", function* () {
    const ada = yield* signedUp(email)
    for (const input of [null, [], {}, { username: null }, { username: 7 }, { username: ["ada"] }])
      assert.strictEqual(yield* ada.code(usernameSet, input), "invalid_request", JSON.stringify(input))
  })

  rule("requires a session before the name is validated", function* () {
    for (const input of [{}, { username: "ada" }, { username: "!" }])
      assert.strictEqual(yield* browser().code(usernameSet, input), "unauthorized")
  })

  rule("frees the name when its user is deleted", function* () {
    const ada = yield* named(email, "ada")
    yield* ada.body(deleteUser, { password })
    assert.lengthOf(yield* rows(Usernames), 0)
    assert.isTrue(yield* isAvailable("ada"))
  })
})

describe("username/show", () => {
  rule("returns the spelling of the caller's own name, and null without one", function* () {
    const ada = yield* named(email, "Ada_L")
    const bob = yield* signedUp("bob@example.com")
    assert.deepStrictEqual(yield* ada.body(usernameShow), { username: "Ada_L" })
    assert.deepStrictEqual(yield* bob.body(usernameShow), { username: null })
    yield* ada.body(usernameSet, { username: "countess" })
    assert.deepStrictEqual(yield* ada.body(usernameShow), { username: "countess" })
    assert.strictEqual(yield* browser().code(usernameShow), "unauthorized")
  })
})

describe("username/available", () => {
  rule("is true only of names that can be set", function* () {
    yield* named(email, "Ada")
    for (const free of ["bob", "BOB", "abc", "a".repeat(32)]) assert.isTrue(yield* isAvailable(free), free)
    for (const taken of ["Ada", "ada", "ADA"]) assert.isFalse(yield* isAvailable(taken), taken)
    for (const wrong of impossible) assert.isFalse(yield* isAvailable(wrong), wrong)
  })

  rule("refuses a missing or ill-typed name", function* () {
    for (const input of [null, [], {}, { username: null }, { username: ["ada", "bob"] }])
      assert.strictEqual(yield* browser().code(usernameAvailable, input), "invalid_request", JSON.stringify(input))
  })
})

describe("sign-in/username", () => {
  rule("signs in by the name in any case", function* () {
    const ada = yield* named(email, "Ada")
    for (const written of ["ada", "Ada", "ADA"]) {
      const their = browser()
      const { body } = yield* their.call(signInUsername, { username: written, password })
      assert.deepStrictEqual(yield* onWire(signInUsername, body), yield* onWire(signInUsername, { user: ada.user }))
      assert.strictEqual((yield* their.body(getSession)).user?.id, ada.user.id)
    }
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("answers an unknown name, one without a password and a wrong password alike, for the same work", function* () {
    yield* named(email, "ada")
    const { user } = yield* named("social@example.com", "social")
    yield* withoutPassword(user.id)
    const count = yield* HashCount
    for (const name of ["ada", "social", "unknown", ...impossible]) {
      const before = { ...count }
      const { _tag, message, status } = yield* Effect.flip(browser().call(signInUsername, { username: name, password: "not the password" }))
      assert.deepStrictEqual(
        { _tag, message, status },
        { _tag: "invalid_credentials", message: "The sign-in name or the password is wrong.", status: 401 },
      )
      assert.deepStrictEqual({ ...count }, { hashed: before.hashed, verified: before.verified + 1 }, name)
    }
  })

  rule("refuses look-alikes of the name", function* () {
    yield* named(email, "kelvin")
    for (const written of ["\u212Aelvin", "kelvin ", "kelv\u0131n", "kelv\u0130n"])
      assert.strictEqual(yield* browser().code(signInUsername, { username: written, password }), "invalid_credentials", written)
  })

  rule("refuses missing and ill-typed members", function* () {
    for (const input of [null, [], {}, { username: "ada" }, { password }, { username: 7, password }, { username: "ada", password: null }])
      assert.strictEqual(yield* browser().code(signInUsername, input), "invalid_request", JSON.stringify(input))
  })

  rule("replaces an outdated hash, and only for the right password", function* () {
    const { user } = yield* named(email, "ada")
    const store = yield* Store
    yield* store.commit([update(Accounts, yield* credential(user.id), { password_hash: `old$${password}` })])
    const stored = Effect.map(credential(user.id), ({ row }) => row.password_hash)
    assert.strictEqual(yield* browser().code(signInUsername, { username: "ada", password: "wrong" }), "invalid_credentials")
    assert.strictEqual(yield* stored, `old$${password}`)
    yield* browser().body(signInUsername, { username: "ada", password })
    assert.strictEqual(yield* stored, `hash$${password}`)
  })

  rule("uses the current password", function* () {
    const ada = yield* named(email, "ada")
    yield* ada.body(changePassword, { current_password: password, new_password: "another fine password" })
    assert.strictEqual(yield* browser().code(signInUsername, { username: "ada", password }), "invalid_credentials")
    yield* browser().body(signInUsername, { username: "ada", password: "another fine password" })
  })

  rule(
    "requires a verified address where configured",
    function* () {
      const ada = yield* named(email, "ada")
      assert.strictEqual(yield* browser().code(signInUsername, { username: "ada", password }), "invalid_credentials")
      const store = yield* Store
      const held = yield* Effect.flatMap(store.read(Users, { id: ada.user.id }), Effect.fromOption)
      yield* store.commit([update(Users, held, { email_verified: true })])
      yield* browser().body(signInUsername, { username: "ada", password })
    },
    verifying,
  )

  rule(
    "counts failed attempts at a name, whether or not a user has it",
    function* () {
      yield* named(email, "ada")
      for (const [name, other] of [
        ["ada", "ADA"],
        ["unknown", "Unknown"],
      ] as const) {
        const wrong = times(12, (index) => browser().call(signInUsername, { username: index % 2 === 0 ? name : other, password: "wrong" }))
        assert.deepStrictEqual(yield* atOnce(wrong), { invalid_credentials: 10, rate_limited: 2 })
      }
      assert.strictEqual(yield* browser().code(signInUsername, { username: "ada", password }), "rate_limited")
      yield* TestClock.adjust("300 seconds")
      yield* browser().body(signInUsername, { username: "ada", password })
    },
    { rate_limit: { enabled: true } },
  )
})

describe("concurrent usernames", () => {
  rule("ten users who set one name: one has it", function* () {
    const users = yield* Effect.forEach(
      times(10, (index) => `${index}@example.com`),
      (address) => signedUp(address),
    )
    const tally = yield* atOnce(users.map((their) => their.call(usernameSet, { username: "ada" })))
    assert.deepStrictEqual(tally, { ok: 1, username_taken: 9 })
    const [row, ...more] = yield* rows(Usernames)
    assert.lengthOf(more, 0)
    const { user } = yield* browser().body(signInUsername, { username: "ada", password: password })
    assert.strictEqual(user.id, row?.user_id)
  })

  rule("ten users with names who set one other name: one has it, and the rest keep theirs", function* () {
    const users = yield* Effect.forEach(times(10, String), (digit) => named(`${digit}@example.com`, `name_${digit}`))
    const tally = yield* atOnce(users.map((their) => their.call(usernameSet, { username: "ada" })))
    assert.deepStrictEqual(tally, { ok: 1, username_taken: 9 })
    const names = (yield* rows(Usernames)).map((row) => row.username)
    assert.lengthOf(names, 10)
    assert.lengthOf(
      names.filter((name) => name === "ada"),
      1,
    )
  })

  rule("one user who sets ten names, some of them twice, has one", function* () {
    const ada = yield* signedUp(email)
    const wanted = times(20, (index) => `name_${index % 10}`)
    assert.deepStrictEqual(yield* atOnce(wanted.map((name) => ada.call(usernameSet, { username: name }))), { ok: 20 })
    const [row, ...more] = yield* rows(Usernames)
    assert.lengthOf(more, 0)
    assert.include(wanted, row?.username)
  })

  rule("two users who want each other's names both keep one", function* () {
    const ada = yield* named(email, "ada")
    const bob = yield* named("bob@example.com", "bob")
    const swaps = times(5, () => [ada.call(usernameSet, { username: "bob" }), bob.call(usernameSet, { username: "ada" })]).flat()
    const frees = [ada.call(usernameSet, { username: "free_a" }), bob.call(usernameSet, { username: "free_b" })]
    const tally = yield* atOnce([...swaps, ...frees])
    assert.strictEqual((tally["ok"] ?? 0) + (tally["username_taken"] ?? 0), 12)
    assert.sameMembers(
      (yield* rows(Usernames)).map((row) => row.user_id),
      [ada.user.id, bob.user.id],
    )
  })

  rule("a name that is set during its user's deletion is free afterwards", function* () {
    const ada = yield* signedUp(email)
    const sets = times(5, (index) => ada.call(usernameSet, { username: `name_${index}` }))
    yield* atOnce([...sets.slice(2), ada.call(deleteUser, { password }), ...sets.slice(0, 2)])
    assert.lengthOf(yield* rows(Usernames), 0)
  })
})
