import { assert } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { capacity, perSession, perUser } from "../../../../application/service/streams/streaming.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, emptyJar, endpoints, password, Service, signedIn, signedUp, times } from "../../../world.ts"
import { arrived, opened, poll, refusal } from "../../service/open-stream.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
const modules = [...core, administration, log]
const rule = rulesOf(modules)

/** Adds copies of a record of this type to the log. */
const added = Effect.fnUntraced(function* (count: number, type = "session.opened") {
  const { commit, list } = yield* Store
  const [row] = yield* list(Records, { type }, { limit: 1 })
  const copies = yield* Effect.all(times(count, () => Effect.map(newId, (id) => insert(Records, { ...row!, id }))))
  yield* Effect.orDie(commit(copies))
})

rule("streams the sessions of the caller that begin and end, and no events of other users", function* () {
  const ada = yield* signedUp("ada@example.com")
  const stream = yield* opened("sessionEvents", ada)
  assert.deepStrictEqual(yield* arrived(stream), [])
  yield* signedIn("ada@example.com")
  yield* signedUp("eve@example.com")
  assert.deepStrictEqual(yield* arrived(stream), ["session.opened"])
  yield* ada.body(endpoints.revokeOtherSessions)
  const [event] = yield* arrived(stream, ({ value }) => value)
  assert.deepInclude(event, { type: "session.revoked", is_current: false, by: "user" })
  assert.deepStrictEqual(Object.keys(event as object).toSorted(), ["at", "by", "id", "is_current", "session_id", "type"])
})

rule("ends with the caller's own session, after the event that says so", function* () {
  const ada = yield* signedUp("ada@example.com")
  const other = yield* signedIn("ada@example.com")
  const stream = yield* opened("sessionEvents", ada)
  yield* other.body(endpoints.revokeSessions)
  const shown = yield* arrived(stream, ({ value }) => (value as { readonly is_current: boolean }).is_current)
  assert.sameMembers(shown.slice(0, -1), [true, false])
  assert.strictEqual(shown.at(-1), "unauthorized")
})

rule("ends when the session expires", function* () {
  const stream = yield* opened("sessionEvents", yield* signedUp("ada@example.com"))
  yield* TestClock.adjust("7 days")
  assert.deepStrictEqual(yield* arrived(stream), ["unauthorized"])
})

rule("is refused without a session, and beyond the number of streams of a session", function* () {
  assert.strictEqual(yield* refusal(opened("sessionEvents", { jar: emptyJar() })), "unauthorized")
  const ada = yield* signedUp("ada@example.com")
  const streams = yield* Effect.all(
    times(perSession, () => opened("sessionEvents", ada)),
    { concurrency: "unbounded" },
  )
  assert.strictEqual(yield* refusal(opened("sessionEvents", ada)), "rate_limited")
  yield* opened("sessionEvents", yield* signedIn("ada@example.com"))
  yield* streams[0]!.close
  yield* opened("sessionEvents", ada)
  const results = yield* Effect.all(
    times(3, () => Effect.result(opened("sessionEvents", ada))),
    { concurrency: "unbounded" },
  )
  assert.deepStrictEqual(
    results.map(({ _tag }) => _tag),
    times(3, () => "Failure"),
  )
})

rule("is refused beyond the number of streams of a user, whatever the session", function* () {
  yield* signedUp("ada@example.com")
  for (let session = 0; session * perSession < perUser; session++) {
    const browser = yield* signedIn("ada@example.com")
    for (let count = 0; count < perSession; count++) yield* opened("sessionEvents", browser)
  }
  assert.strictEqual(yield* refusal(opened("sessionEvents", yield* signedIn("ada@example.com"))), "rate_limited")
  yield* opened("sessionEvents", yield* signedUp("bob@example.com"))
})

rule("streams all records to administrators, filtered by type", function* () {
  const root = yield* signedUp("root@example.com")
  const all = yield* opened("adminAuditEvents", root)
  const some = yield* opened("adminAuditEvents", root, { types: ["user.created", "session.revoked"] })
  yield* signedUp("ada@example.com")
  assert.deepStrictEqual((yield* arrived(all)).toSorted(), ["credential.added", "session.opened", "sign_in.succeeded", "user.created"])
  assert.deepStrictEqual(yield* arrived(some), ["user.created"])
  const other = yield* signedUp("bob@example.com")
  assert.strictEqual(yield* refusal(opened("adminAuditEvents", other)), "forbidden")
  assert.strictEqual(yield* refusal(opened("adminAuditEvents", other, { types: ["unknown"] })), "forbidden")
  assert.strictEqual(yield* refusal(opened("adminAuditEvents", root, { types: ["unknown"] })), "invalid_request")
})

rule("ends without further events when the caller is no longer an administrator", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  const adminEndpoints = administration.endpoints
  yield* root.body(adminEndpoints.adminSetRole, { user_id: ada.user.id, role: "admin" })
  const again = yield* signedIn("ada@example.com")
  const stream = yield* opened("adminAuditEvents", again)
  yield* root.body(adminEndpoints.adminSetRole, { user_id: ada.user.id, role: "user" })
  yield* signedUp("eve@example.com")
  assert.deepStrictEqual(yield* arrived(stream), ["forbidden"])
})

rule("ends when the user is banned", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  const stream = yield* opened("sessionEvents", ada)
  yield* root.body(administration.endpoints.adminBanUser, { user_id: ada.user.id })
  assert.deepStrictEqual(yield* arrived(stream), ["session.revoked", "unauthorized"])
})

rule("resumes after an event, and sends the events of the ten seconds before it again", function* () {
  const ada = yield* signedUp("ada@example.com")
  const first = yield* opened("sessionEvents", ada)
  yield* TestClock.adjust("1 minute")
  const one = yield* signedIn("ada@example.com")
  const [id] = yield* arrived(first, (event) => event.id)
  yield* first.close
  yield* TestClock.adjust("20 seconds")
  yield* one.body(endpoints.signOut)
  const resumed = yield* opened("sessionEvents", ada, { after: id })
  yield* signedIn("ada@example.com")
  assert.deepStrictEqual(yield* arrived(resumed), ["session.revoked", "session.opened"])
  yield* TestClock.adjust("1 hour")
  assert.strictEqual(yield* refusal(opened("sessionEvents", ada, { after: id })), "invalid_request")
  assert.strictEqual(yield* refusal(opened("sessionEvents", ada, { after: "1" })), "invalid_request")
})

rule("ends a stream that is read too slowly, and forgets its events", function* () {
  const root = yield* signedUp("root@example.com")
  yield* signedUp("ada@example.com")
  const stream = yield* opened("adminAuditEvents", root, { types: ["session.opened"] })
  yield* added(capacity)
  yield* poll
  const overflow = yield* Effect.forkChild(stream.overflowed)
  yield* Effect.yieldNow
  assert.isUndefined(overflow.pollUnsafe())
  yield* added(1)
  const polling = yield* Effect.forkChild(poll)
  const { ping } = yield* Store
  while (polling.pollUnsafe() === undefined) {
    yield* ping
    assert.isUndefined(overflow.pollUnsafe())
    yield* TestClock.adjust("50 millis")
  }
  yield* Fiber.join(overflow)
  assert.deepStrictEqual(yield* arrived(stream), ["overloaded"])
})

rule("streams what another process commits, each event once, also with an id that is some seconds old", function* () {
  const ada = yield* signedUp("ada@example.com")
  const stream = yield* opened("sessionEvents", ada)
  const other = browser(AuthOf.make(modules))
  yield* other.body(endpoints.signInEmail, { email: "ada@example.com", password })
  assert.deepStrictEqual(yield* arrived(stream), ["session.opened"])
  const { commit, list } = yield* Store
  const id = yield* newId
  yield* TestClock.adjust("9 seconds")
  assert.deepStrictEqual(yield* arrived(stream), [])
  const [row] = yield* list(Records, { type: "session.opened" }, { limit: 1 })
  yield* commit([insert(Records, { ...row!, id })])
  const arrivedIn = (polls: number) => Effect.map(Effect.all(times(polls, () => arrived(stream))), (found) => found.flat())
  assert.deepStrictEqual(yield* arrivedIn(5), ["session.opened"])
  assert.deepStrictEqual(yield* arrivedIn(10), [])
})

rule("reads each log once for all streams, and nothing without a stream", function* () {
  const store = yield* Store
  const lists: Array<string> = []
  const counted = Store.of({
    ...store,
    list: (table, ...rest) =>
      Effect.andThen(
        Effect.sync(() => lists.push(table.name)),
        store.list(table, ...rest),
      ),
    listForEach: (table, ...rest) =>
      Effect.andThen(
        Effect.sync(() => lists.push(table.name)),
        store.listForEach(table, ...rest),
      ),
  })
  yield* Effect.provideService(poll, Store, counted)
  assert.deepStrictEqual(lists, [])
  for (const name of ["ada", "bob", "eve"]) {
    const user = yield* signedUp(`${name}@example.com`)
    yield* opened("sessionEvents", user)
    yield* opened("sessionEvents", user)
  }
  yield* Effect.provideService(poll, Store, counted)
  assert.deepStrictEqual(lists.toSorted(), ["audit_record", "session", "user"])
})

rule("ends when the service stops", function* () {
  const stream = yield* opened("sessionEvents", yield* signedUp("ada@example.com"))
  const { background } = yield* Service
  yield* Effect.scoped(background)
  assert.deepStrictEqual(yield* arrived(stream), ["stopped"])
})
