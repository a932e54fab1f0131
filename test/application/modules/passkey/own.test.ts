import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Passkeys } from "../../../../application/modules/passkey/table.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { authenticator } from "../../../passkeys.ts"
import { verified } from "../../../two-factor.ts"
import * as World from "../../../world.ts"
import { added, answered, auth, browser, email, endpoints, rule, signedIn, signedUp, withPasskey } from "./passkeys.ts"

const { passkeyList, passkeyRename, passkeyDelete, passkeyAuthenticateVerify } = endpoints
const { unlinkAccount, deleteUser, listAccounts } = World.endpoints
const { atOnce, emails, linked, onWire, password, rows } = World

/** The result of registering another passkey. */
const refusedOne = Effect.fnUntraced(function* (their: ReturnType<typeof browser>) {
  const response = authenticator().create(yield* their.body(endpoints.passkeyRegisterOptions))
  return yield* their.code(endpoints.passkeyRegisterVerify, { response })
})

describe("list", () => {
  rule("lists the user's own, the oldest first, without internal fields", function* () {
    const ada = yield* signedUp()
    assert.deepStrictEqual(yield* ada.body(passkeyList), { passkeys: [] })
    yield* added(ada, authenticator(), "first")
    yield* TestClock.adjust("1 minute")
    yield* added(ada, authenticator({ transports: ["internal", "hybrid"] }))
    yield* withPasskey("bob@example.com")
    const { passkeys } = yield* onWire(passkeyList, yield* ada.body(passkeyList))
    const unused = { last_used_at: null, backed_up: true, authenticator: null }
    assert.deepStrictEqual(
      passkeys.map(({ id: _, ...shown }: { id: string }) => shown),
      [
        { name: "first", created_at: "1970-01-01T00:00:00.000Z", transports: ["usb"], ...unused },
        { name: null, created_at: "1970-01-01T00:01:00.000Z", transports: ["hybrid", "internal"], ...unused },
      ],
    )
  })
})

rule("list, rename and delete require a session", function* () {
  const { passkey_id } = yield* withPasskey()
  const anonymous = browser()
  assert.strictEqual(yield* anonymous.code(passkeyList), "unauthorized")
  assert.strictEqual(yield* anonymous.code(passkeyRename, { passkey_id, name: "x" }), "unauthorized")
  assert.strictEqual(yield* anonymous.code(passkeyDelete, { passkey_id }), "unauthorized")
})

rule("rename and delete find only the user's own", function* () {
  const ada = yield* withPasskey()
  const bob = yield* withPasskey("bob@example.com")
  for (const passkey_id of [bob.passkey_id, ada.registered.id, "", "unknown", "\0", "\ud800"]) {
    assert.strictEqual(yield* ada.code(passkeyRename, { passkey_id, name: "mine" }), "passkey_not_found", passkey_id)
    assert.strictEqual(yield* ada.code(passkeyDelete, { passkey_id }), "passkey_not_found", passkey_id)
  }
  for (const passkey_id of [undefined, null, 7, {}, []]) {
    assert.strictEqual(yield* ada.code(passkeyRename, { passkey_id, name: "mine" }), "invalid_request", String(passkey_id))
    assert.strictEqual(yield* ada.code(passkeyDelete, { passkey_id }), "invalid_request", String(passkey_id))
  }
  assert.lengthOf((yield* bob.body(passkeyList)).passkeys, 1)
})

describe("rename", () => {
  rule("sets a name of 1 to 100 characters, and changes nothing else", function* () {
    const { body, code, passkey_id } = yield* withPasskey()
    const { passkeys } = yield* body(passkeyList)
    for (const name of ["x", "x".repeat(100), "名前 <b>"]) {
      const { passkey } = yield* body(passkeyRename, { passkey_id, name })
      assert.deepStrictEqual([passkey], [{ ...passkeys[0], name }])
      assert.deepStrictEqual((yield* onWire(passkeyList, yield* body(passkeyList))).passkeys, [
        (yield* onWire(passkeyRename, { passkey })).passkey,
      ])
    }
    for (const name of [undefined, null, "", "x".repeat(101), "\0", 7])
      assert.strictEqual(yield* code(passkeyRename, { passkey_id, name }), "invalid_request", String(name))
  })

  rule("keeps a concurrent sign-in's counter and the new name", function* () {
    const { body, passkey_id, theirs } = yield* withPasskey()
    const their = browser()
    const response = yield* answered(their, theirs)
    const tally = yield* atOnce([their.call(passkeyAuthenticateVerify, { response }), body(passkeyRename, { passkey_id, name: "renamed" })])
    assert.deepStrictEqual(tally, { ok: 2 })
    const [{ name, counter } = assert.fail()] = yield* rows(Passkeys)
    assert.deepStrictEqual([name, counter], ["renamed", 1])
  })
})

describe("delete", () => {
  rule("removes the passkey with its account, and notifies the user", function* () {
    const { call, body, theirs, passkey_id } = yield* withPasskey()
    assert.deepStrictEqual(yield* call(passkeyDelete, { passkey_id }), { body: { success: true }, session: "keep" })
    assert.lengthOf(yield* rows(Passkeys), 0)
    assert.deepStrictEqual(
      (yield* body(listAccounts)).accounts.map(({ provider_id }) => provider_id),
      ["credential"],
    )
    const their = browser()
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response: yield* answered(their, theirs) }), "invalid_passkey")
    const notice = (yield* emails).at(-1)
    assert.deepStrictEqual([notice?.to, notice?.subject], [email, "A passkey was removed from your Sallyport account"])
  })

  rule("removes one beyond the first hundred accounts, and reports success only if it did", function* () {
    const ada = yield* signedUp()
    yield* verified(ada)
    yield* Effect.all(World.times(99, (index) => linked(ada.user.id, `idp_${index}`)))
    assert.strictEqual(yield* refusedOne(ada), "invalid_request")
    const [former] = yield* rows(Accounts)
    yield* Effect.orDie((yield* Store).commit([remove(Accounts, former!.id)]))
    yield* TestClock.adjust("1 minute")
    const { id } = yield* added(ada, authenticator())
    yield* TestClock.setTime(0)
    yield* Effect.all(World.times(50, (index) => linked(ada.user.id, `older_${index}`)))
    yield* TestClock.setTime(60_000)
    yield* ada.body(passkeyDelete, { passkey_id: id })
    assert.lengthOf(yield* rows(Passkeys), 0)
    assert.strictEqual(yield* ada.code(passkeyDelete, { passkey_id: id }), "passkey_not_found")
  })

  rule("keeps the only way to sign in, by every endpoint that removes one", function* () {
    const { body, code, passkey_id, theirs } = yield* withPasskey()
    yield* body(unlinkAccount, { provider_id: "credential" })
    const before = (yield* emails).length
    assert.strictEqual(yield* code(passkeyDelete, { passkey_id }), "last_account")
    assert.strictEqual(yield* code(unlinkAccount, { provider_id: "passkey" }), "last_account")
    yield* signedIn(theirs)
    assert.lengthOf(yield* emails, before)
  })

  rule("two that are removed concurrently: one stays", function* () {
    const ada = yield* signedUp()
    const ids = [(yield* added(ada, authenticator())).id, (yield* added(ada, authenticator())).id]
    yield* ada.body(unlinkAccount, { provider_id: "credential" })
    const tally = yield* atOnce(ids.map((passkey_id) => ada.call(passkeyDelete, { passkey_id })))
    assert.deepStrictEqual(tally, { ok: 1, last_account: 1 })
    assert.lengthOf(yield* rows(Passkeys), 1)
    assert.lengthOf(yield* rows(Accounts), 1)
  })

  rule("lets any user register the authenticator again", function* () {
    const { body, passkey_id, theirs } = yield* withPasskey()
    yield* body(passkeyDelete, { passkey_id })
    yield* added(yield* signedUp("bob@example.com"), theirs)
  })
})

rule("a passkey is removed with its account and with its user", function* () {
  const ada = yield* withPasskey()
  const bob = yield* withPasskey("bob@example.com")
  yield* ada.body(unlinkAccount, { provider_id: "passkey" })
  assert.deepStrictEqual(
    (yield* rows(Passkeys)).map(({ user_id }) => user_id),
    [bob.user.id],
  )
  yield* bob.body(deleteUser, { password })
  assert.lengthOf(yield* rows(Passkeys), 0)
})

rule("the graph has the viewer's passkeys", function* () {
  const ada = yield* withPasskey()
  yield* withPasskey("bob@example.com")
  const [edge = assert.fail()] = auth.graphFields.filter(({ name }) => name === "passkeys")
  const [user, { passkeys }] = [ada.user, yield* ada.body(passkeyList)]
  const viewer = { user } as never
  assert.deepStrictEqual(yield* edge.load([viewer], { limit: 10 }).pipe(Effect.map((lists) => lists[0])), passkeys)
  assert.lengthOf(passkeys, 1)
})
