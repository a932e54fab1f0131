import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { CallingApplication } from "../../../../domain/administration/principal.ts"
import { Store, StoreUnavailable } from "../../../../domain/ports/store.ts"
import { Caller, noCaller } from "../../../../domain/sessions/caller.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { core, Service, signedUp as signedUpTo, times, whileTimePasses } from "../../../world.ts"
import { builtWith } from "../idp/provider.ts"

const root = "root@example.com"
const text = { type: "string", maxLength: 40 }
const administration = admin.build(
  Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: { reader: ["users:read", "sessions:read"] } }),
)
const provider = builtWith({})
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const own = attributes.build(
  Schema.decodeUnknownSync(attributes.settings)({ plan: { schema: text }, risk: { schema: text, read: "private" } }),
)
const modules = [...core, own, administration, log, provider]
const rule = rulesOf(modules)
const { adminUsersShow, adminUsersCredentials, adminUsersSessions, adminUsersMemberships, adminUsersList, adminUsersUpdate, adminSetRole } =
  administration.endpoints
const { adminUsersConsents } = provider.endpoints
const { adminAuditList, auditList } = log.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`)

/** An administrator, one who reads no private attributes, and a user. */
const people = Effect.gen(function* () {
  const [owner, helper, ada] = [yield* signedUp("root"), yield* signedUp("helper"), yield* signedUp("ada")]
  yield* owner.body(adminSetRole, { user_id: helper.user.id, role: "reader" })
  return { owner, helper, ada, user_id: ada.user.id }
})

/** The records of reads, in the order in which they were stored. */
const recorded = Effect.gen(function* () {
  yield* (yield* Service).flush
  const all = yield* (yield* Store).list(Records, {}, { limit: 1000, order: "id" })
  return all.filter(({ type }) => type === "access.read" || type === "user.private_read")
})
const afterAMinute = Effect.andThen(TestClock.adjust("1 minute"), recorded)
const shown = Effect.map(afterAMinute, (all) => all.map(({ type, actor_id, subject_id, count }) => [type, actor_id, subject_id, count]))

describe("reads of a user by administrators", () => {
  rule("are one record a minute, for each administrator and each user", function* () {
    const { owner, helper, ada, user_id } = yield* people
    yield* Effect.forEach(times(3, String), () => owner.body(adminUsersShow, { user_id }), { concurrency: "unbounded" })
    yield* owner.body(adminUsersShow, { email: ada.user.email })
    yield* owner.body(adminUsersCredentials, { user_id })
    yield* TestClock.adjust("30 seconds")
    yield* owner.body(adminUsersSessions, { user_id })
    yield* owner.body(adminUsersMemberships, { user_id })
    yield* owner.body(adminUsersConsents, { user_id })
    yield* owner.body(adminUsersShow, { user_id: helper.user.id })
    yield* helper.body(adminUsersShow, { user_id })
    yield* TestClock.adjust("29999 millis")
    assert.deepStrictEqual(yield* recorded, [])
    yield* TestClock.adjust("1 millis")
    const [one, ...others] = yield* recorded
    assert.lengthOf(others, 0)
    assert.deepInclude(one, { type: "access.read", outcome: "success", count: 8, actor_kind: "admin", actor_id: owner.user.id })
    assert.deepInclude(one, { subject_kind: "user", subject_id: user_id, ip_address: "192.0.2.1" })
    assert.deepStrictEqual(one?.data["operations"], [
      "adminUsersConsents",
      "adminUsersCredentials",
      "adminUsersMemberships",
      "adminUsersSessions",
      "adminUsersShow",
    ])
    yield* owner.body(adminUsersShow, { user_id })
    assert.sameDeepMembers(yield* shown, [
      ["access.read", owner.user.id, user_id, 8],
      ["access.read", owner.user.id, helper.user.id, 1],
      ["access.read", helper.user.id, user_id, 1],
      ["access.read", owner.user.id, user_id, 1],
    ])
  })

  rule("are found by the user, and by administrators who look for the user", function* () {
    const { owner, user_id, ada } = yield* people
    yield* owner.body(adminUsersShow, { user_id })
    yield* afterAMinute
    const { entries } = yield* owner.body(adminAuditList, { subject_id: user_id, type: "access.read" })
    assert.deepStrictEqual(
      entries.map(({ actor, count }) => [actor, count]),
      [[{ kind: "admin", id: owner.user.id }, 1]],
    )
    const mine = (yield* ada.body(auditList)).entries.filter(({ type }) => type === "access.read")
    assert.deepInclude(mine[0], { by: "admin", ip_address: null, count: 1 })
  })

  rule("are those of programs too", function* () {
    const { user_id } = yield* people
    yield* (yield* Service)
      .call(adminUsersShow, { user_id })
      .pipe(Effect.provideService(Caller, noCaller), Effect.provideService(CallingApplication, "nightly"))
    const [one] = yield* afterAMinute
    assert.deepInclude(one, { actor_kind: "application", actor_id: "nightly", subject_id: user_id, count: 1 })
  })

  rule("are not refused ones, changes, which have a record of their own, and lists; but a search that finds one user", function* () {
    const { owner, helper, user_id } = yield* people
    yield* owner.code(adminUsersShow, { user_id: "unknown" })
    yield* helper.code(adminUsersUpdate, { user_id, changes: { name: "Ada" } })
    yield* owner.body(adminUsersUpdate, { user_id, changes: { name: "Ada" } })
    yield* owner.body(adminUsersList, {})
    yield* owner.body(adminUsersList, { name_prefix: "x" })
    assert.deepStrictEqual(yield* shown, [])
    yield* owner.body(adminUsersList, { name_prefix: "ada" })
    assert.deepStrictEqual(yield* shown, [["access.read", owner.user.id, user_id, 1]])
  })

  rule("are changes that change nothing", function* () {
    const { owner, user_id } = yield* people
    yield* owner.body(adminUsersUpdate, { user_id, changes: {} })
    assert.deepStrictEqual(yield* shown, [["access.read", owner.user.id, user_id, 1]])
  })

  rule("are stored when the service stops", function* () {
    const { owner, user_id } = yield* people
    const scope = yield* Scope.make()
    yield* Effect.provideService((yield* Service).background, Scope.Scope, scope)
    yield* owner.body(adminUsersShow, { user_id })
    yield* whileTimePasses(Scope.close(scope, Exit.void))
    assert.lengthOf(yield* recorded, 1)
  })

  rule("are kept, and counted on, while the store does not answer", function* () {
    const { owner, user_id } = yield* people
    const [store, { flush }] = [yield* Store, yield* Service]
    const away = Store.of({ ...store, commit: () => Effect.die(new StoreUnavailable({ cause: "gone" })) })
    yield* owner.body(adminUsersShow, { user_id })
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.provideService(flush, Store, away))))
    yield* owner.body(adminUsersCredentials, { user_id })
    const [one, ...others] = yield* recorded
    assert.deepInclude(one, { subject_id: user_id, count: 2 })
    assert.deepStrictEqual(one?.data["operations"], ["adminUsersCredentials", "adminUsersShow"])
    assert.lengthOf(others, 0)
  })
})

describe("reads of private attributes", () => {
  rule("have a record of their own, for those who see the values", function* () {
    const { owner, helper, user_id } = yield* people
    yield* owner.body(adminUsersUpdate, { user_id, changes: { attributes: { plan: "pro", risk: "high" } } })
    yield* shown
    yield* owner.body(adminUsersShow, { user_id })
    yield* owner.body(adminUsersShow, { user_id: helper.user.id })
    yield* helper.body(adminUsersShow, { user_id })
    yield* owner.body(adminUsersList, {})
    yield* owner.edge("users")
    const all = yield* afterAMinute
    const own = all.filter(({ type, data }) => type === "user.private_read" && data["operations"]?.length === 3)
    assert.deepStrictEqual(
      own.map(({ actor_kind, actor_id, subject_id, count, data }) => [actor_kind, actor_id, subject_id, count, data["operations"]]),
      [["admin", owner.user.id, user_id, 3, ["adminUsersList", "adminUsersShow", "users"]]],
    )
    assert.lengthOf(
      all.filter(({ type, actor_id }) => type === "user.private_read" && actor_id === helper.user.id),
      0,
    )
  })

  rule("in a list of more than 20 users are one record with the number of users", function* () {
    const { owner, user_id } = yield* people
    const others = yield* Effect.forEach(
      times(20, (at) => `user${at}`),
      signedUp,
    )
    const ids = [user_id, ...others.map(({ user }) => user.id)]
    const given = (id: string) => owner.body(adminUsersUpdate, { user_id: id, changes: { attributes: { risk: "high" } } })
    yield* Effect.forEach(ids.slice(1), given)
    yield* shown
    yield* owner.body(adminUsersList, {})
    assert.sameMembers(
      (yield* afterAMinute).slice(-20).map(({ subject_id }) => subject_id),
      ids.slice(1),
    )
    yield* given(user_id)
    yield* shown
    yield* owner.body(adminUsersList, {})
    yield* owner.body(adminUsersList, {})
    const last = (yield* afterAMinute).at(-1)
    assert.deepInclude(last, { type: "user.private_read", subject_kind: "user", subject_id: null, count: 42, actor_id: owner.user.id })
  })
})
