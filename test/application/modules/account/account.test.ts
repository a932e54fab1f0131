import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { rule } from "../../../rule.ts"
import {
  browser,
  emails,
  endpoints,
  isSignedIn,
  linked,
  onWire,
  password,
  rows,
  signedIn,
  signedUp,
  withoutPassword,
} from "../../../world.ts"

const { updateUser, deleteUser, listAccounts, unlinkAccount, getSession, requestPasswordReset, signInEmail, sendVerificationEmail } =
  endpoints
const email = "ada@example.com"

describe("update-user", () => {
  rule("changes the name and the picture independently", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("1 minute")
    const named = (yield* onWire(updateUser, yield* ada.body(updateUser, { name: "Ada" }))).user
    assert.deepStrictEqual([named.name, named.image, named.updated_at], ["Ada", null, "1970-01-01T00:01:00.000Z"])
    const pictured = (yield* ada.body(updateUser, { image: "https://example.com/a.png" })).user
    assert.deepStrictEqual([pictured.name, pictured.image], ["Ada", "https://example.com/a.png"])
    assert.deepStrictEqual((yield* ada.body(getSession)).user, pictured)
  })

  rule("ignores other members", function* () {
    const ada = yield* signedUp(email)
    const input = { name: "Ada", email: "root@example.com", email_verified: true, id: "root", role: "admin", created_at: 0 }
    const { user } = yield* ada.body(updateUser, input)
    assert.deepStrictEqual(user, { ...ada.user, name: "Ada" })
    assert.deepStrictEqual(yield* rows(Users), [
      { ...user, locale: null, last_verified_email: null, readdressed_at: null, is_guest: false, is_test: false, needs_invitation: false },
    ])
  })

  rule("stores text byte for byte, and changes nothing without input", function* () {
    const ada = yield* signedUp(email)
    for (const name of ["", "  Ada  ", "e\u0301", "\u202eadA", "<b>&\"'", "名前 👩‍👩‍👧", "line\nbreak", "__proto__"])
      assert.strictEqual((yield* ada.body(updateUser, { name })).user.name, name)
    assert.strictEqual((yield* ada.body(updateUser, {})).user.name, "__proto__")
  })

  rule("accepts a name of 256 characters and a picture's address of 2048, and no longer ones", function* () {
    const ada = yield* signedUp(email)
    const picture = "https://example.com/"
    for (const unit of ["x", "\u0301", "\u{1F511}"]) {
      const longest = { name: unit.repeat(256), image: picture + unit.repeat(2048 - picture.length) }
      const { user } = yield* ada.body(updateUser, longest)
      assert.deepStrictEqual({ name: user.name, image: user.image }, longest)
      assert.strictEqual(yield* ada.code(updateUser, { name: unit.repeat(257) }), "invalid_request")
      assert.strictEqual(yield* ada.code(updateUser, { image: longest.image + unit }), "invalid_request")
    }
    const input = { email: "bob@example.com", password, name: "x".repeat(257) }
    assert.strictEqual(yield* browser().code(endpoints.signUpEmail, input), "invalid_request")
    yield* browser().body(endpoints.signUpEmail, { ...input, name: "x".repeat(256) })
  })

  rule("refuses values that are not text", function* () {
    const ada = yield* signedUp(email)
    for (const input of [
      null,
      [],
      "x",
      { name: 7 },
      { name: ["x"] },
      { image: {} },
      { image: true },
      { name: "\0" },
      { image: "https://example.com/\ud800" },
    ])
      assert.strictEqual(yield* ada.code(updateUser, input), "invalid_request", JSON.stringify(input))
  })

  rule("refuses a picture that pages would run as a script or load with credentials", function* () {
    const ada = yield* signedUp(email)
    for (const image of ["javascript:alert(1)", "data:text/html,x", "//example.com/a.png", "https://ada:secret@example.com/a.png"])
      assert.strictEqual(yield* ada.code(updateUser, { image }), "invalid_request", image)
    for (const image of ["http://example.com/a.png", "https://example.com/a.png?size=2#top"])
      assert.strictEqual((yield* ada.body(updateUser, { image })).user.image, image)
  })

  rule("accepts a path as picture, and no text that browsers read as another host", function* () {
    const ada = yield* signedUp(email)
    for (const image of ["/uploads/a.png", "/a", "/", "/uploads/ä b.png".replace(" ", "%20"), "/a.png?size=2#top", "/a//b:c@d"]) {
      assert.strictEqual((yield* ada.body(updateUser, { image })).user.image, image)
      assert.strictEqual(new URL(image, "https://own.example").origin, "https://own.example")
    }
    for (const image of [
      "//evil.example/a",
      "/\\evil.example/a",
      "/\t/evil.example",
      "/\n/evil.example",
      "/a b",
      "uploads/a.png",
      "./a",
      " /a",
    ])
      assert.strictEqual(yield* ada.code(updateUser, { image }), "invalid_request", image)
  })

  rule("removes the picture by null or the empty text, and the name by null", function* () {
    const ada = yield* signedUp(email)
    for (const image of [null, ""]) {
      yield* ada.body(updateUser, { name: "Ada", image: "https://example.com/a.png" })
      const { user } = yield* ada.body(updateUser, { image })
      assert.deepStrictEqual([user.name, user.image], ["Ada", null])
    }
    assert.isNull((yield* ada.body(updateUser, { name: null })).user.name)
  })

  rule("keeps both changes when name and picture change concurrently", function* () {
    const ada = yield* signedUp(email)
    const picture = "https://example.com/a.png"
    yield* Effect.all([ada.body(updateUser, { name: "Ada" }), ada.body(updateUser, { image: picture })], { concurrency: "unbounded" })
    const { user } = yield* ada.body(getSession)
    assert.deepStrictEqual([user?.name, user?.image], ["Ada", picture])
  })
})

describe("delete-user", () => {
  rule("removes the user and their data, and no other user", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const bob = yield* signedUp("bob@example.com")
    yield* linked(ada.user.id, "idp_one")
    yield* browser().body(requestPasswordReset, { email })
    yield* browser().body(sendVerificationEmail, { email })

    assert.deepStrictEqual(yield* ada.call(deleteUser, { password }), { body: { success: true }, session: "clear" })
    assert.isFalse(yield* isSignedIn(elsewhere))
    assert.isTrue(yield* isSignedIn(bob))
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ id }) => id),
      [bob.user.id],
    )
    const theirs = [...(yield* rows(Sessions)), ...(yield* rows(Accounts)), ...(yield* rows(MailedTokens))]
    assert.deepStrictEqual(
      theirs.map(({ user_id }) => user_id),
      [bob.user.id, bob.user.id],
    )
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
    yield* signedUp(email)
  })

  rule("requires the password of a user who has one", function* () {
    const ada = yield* signedUp(email)
    for (const input of [{}, { password: null }, { password: 7 }, { password: [password] }])
      assert.strictEqual(yield* ada.code(deleteUser, input), "invalid_request", JSON.stringify(input))
    for (const wrong of ["", "a wrong password"])
      assert.strictEqual(yield* ada.code(deleteUser, { password: wrong }), "invalid_credentials")
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("accepts the password from an old session too", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("2 days")
    yield* ada.body(deleteUser, { password })
  })

  rule("requires a session that began less than fresh_age ago of a user without a password", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    for (const { user } of [ada, bob]) yield* withoutPassword(user.id)
    yield* TestClock.adjust("86399 seconds")
    yield* ada.body(deleteUser)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* bob.code(deleteUser), "session_not_fresh")
    assert.strictEqual(yield* bob.code(deleteUser, { password }), "session_not_fresh")
    assert.isTrue(yield* isSignedIn(bob))
  })
})

describe("list-accounts", () => {
  rule("lists the user's own accounts, the oldest first, without hashes", function* () {
    const ada = yield* signedUp(email)
    yield* signedUp("bob@example.com")
    yield* TestClock.adjust("1 minute")
    // Its id comes before the other's.
    yield* linked(ada.user.id, "+one")
    const body = yield* onWire(listAccounts, yield* ada.body(listAccounts))
    assert.notInclude(JSON.stringify(body), "hash")
    const [{ id, ...first }, second, ...more] = body.accounts
    assert.deepStrictEqual(first, { provider_id: "credential", account_id: ada.user.id, created_at: "1970-01-01T00:00:00.000Z" })
    assert.isString(id)
    assert.strictEqual(second.provider_id, "+one")
    assert.lengthOf(more, 0)
  })
})

describe("unlink-account", () => {
  rule("removes an account if another one remains", function* () {
    const ada = yield* signedUp(email)
    yield* linked(ada.user.id, "idp_one")
    assert.deepStrictEqual(yield* ada.call(unlinkAccount, { provider_id: "credential" }), { body: { success: true }, session: "keep" })
    assert.strictEqual(yield* browser().code(signInEmail, { email, password }), "invalid_credentials")
    assert.deepStrictEqual(
      (yield* ada.body(listAccounts)).accounts.map(({ provider_id }) => provider_id),
      ["idp_one"],
    )
    const [notice] = yield* emails
    assert.deepStrictEqual([notice?.to, notice?.subject], [email, "A way to sign in was removed from your Sallyport account"])
  })

  rule("requires a session that began within a day, however often it was used", function* () {
    const ada = yield* signedUp(email)
    yield* linked(ada.user.id, "idp_one")
    yield* TestClock.adjust("86399 seconds")
    assert.isTrue(yield* isSignedIn(ada))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* ada.code(unlinkAccount, { provider_id: "idp_one" }), "session_not_fresh")
    assert.strictEqual(yield* browser().code(unlinkAccount, { provider_id: "idp_one" }), "unauthorized")
    assert.lengthOf((yield* ada.body(listAccounts)).accounts, 2)
    const again = yield* signedIn(email)
    yield* again.body(unlinkAccount, { provider_id: "idp_one" })
  })

  rule("keeps the last account", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* ada.code(unlinkAccount, { provider_id: "credential" }), "last_account")
    yield* signedIn(email)
  })

  rule("finds only the user's own accounts", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    yield* linked(bob.user.id, "idp_one")
    for (const provider_id of ["idp_one", "unknown", "", "Credential", "\0", "\ud800"])
      assert.strictEqual(yield* ada.code(unlinkAccount, { provider_id }), "account_not_found", provider_id)
    assert.lengthOf((yield* bob.body(listAccounts)).accounts, 2)
  })

  rule("refuses a missing or ill-typed provider", function* () {
    const ada = yield* signedUp(email)
    for (const input of [null, {}, { provider_id: null }, { provider_id: 7 }, { provider_id: {} }])
      assert.strictEqual(yield* ada.code(unlinkAccount, input), "invalid_request", JSON.stringify(input))
  })
})
