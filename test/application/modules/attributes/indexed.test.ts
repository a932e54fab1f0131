import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { fillIndexes } from "../../../../domain/attributes/indexes.ts"
import { movedAttributes } from "../../../../domain/attributes/moves.ts"
import { AttributeIndexes, AttributeValues, UserAttributes } from "../../../../domain/attributes/tables.ts"
import { insert, Store, type Write } from "../../../../domain/ports/store.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { storedUser } from "../../../stored-user.ts"
import { atOnce, browser, core, endpoints, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { workedBy } from "../admin/job-world.ts"

const root = "root@example.com"
const schemas = {
  plan: { enum: ["free", "pro", 1, "2", 2] },
  town: { type: "string", maxLength: 40 },
  level: { type: "number" },
  is_member: { type: "boolean" },
}
const declared = {
  plan: { schema: schemas.plan, indexed: true, sign_up: true },
  town: { schema: schemas.town, write: "user" },
  level: { schema: schemas.level, indexed: true },
  is_member: { schema: schemas.is_member, indexed: true },
  risk: { schema: { type: "integer" }, read: "private", indexed: true },
  handle: { schema: schemas.town, write: "user", unique: true, indexed: true },
}
const built = (settings: object) => attributes.build(Schema.decodeUnknownSync(attributes.settings)(settings))
const [own, before] = [built(declared), built({ ...declared, plan: { schema: schemas.plan }, handle: { schema: schemas.town } })]
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, jobs: true }))
const modules = [...core, own, administration]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminJobsCreate, adminJobsShow, adminRemoveUser, adminSetRole, adminUsersCreate, adminUsersList, adminUsersUpdate } =
  administration.endpoints

const signedUp = (address: string) => signedUpTo(address, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>

const commit = (writes: ReadonlyArray<Write>) => Effect.flatMap(Store, ({ commit }) => Effect.orDie(commit(writes)))
const round = (module = own) => fillIndexes(module.attributes)
const filled = Effect.gen(function* () {
  yield* round()
  yield* TestClock.adjust("10 seconds")
  yield* round()
})
const found = (their: Browser, filter: object) =>
  Effect.map(their.body(adminUsersList, filter), ({ users }) => users.map(({ email }) => email.split("@")[0]))
const added = (their: Browser, name: string, values: object) =>
  Effect.map(their.body(adminUsersCreate, { email: `${name}@example.com`, attributes: values }), ({ user }) => user.id)
const indexed = Effect.gen(function* () {
  const owner = yield* signedUp(root)
  yield* filled
  return owner
})

/** Users with attributes that were stored without an index. */
const older = Effect.fnUntraced(function* (count: number, valuesOf: (at: number) => Record<string, string | number>) {
  const updated_at = yield* DateTime.now
  const users = times(count, (at) => storedUser({ id: `id-${String(at).padStart(5, "0")}`, email: `user${at}@example.com` }))
  yield* commit(users.map((user) => insert(Users, user)))
  yield* commit(users.map(({ id }, at) => insert(UserAttributes, { user_id: id, values: valuesOf(at), updated_at })))
  return users.map(({ id }) => id)
})

describe("an indexed attribute", () => {
  rule("lists the users with a value, as it is now", function* () {
    const owner = yield* indexed
    const [ada, bob] = [
      yield* added(owner, "ada", { plan: "pro", level: 1.5, is_member: true }),
      yield* added(owner, "bob", { plan: "pro" }),
    ]
    yield* added(owner, "carl", { plan: 1, is_member: false, risk: 3 })
    const expected: ReadonlyArray<readonly [attribute: string, value: string, ...users: ReadonlyArray<string>]> = [
      ["plan", "pro", "ada", "bob"],
      ["plan", "free"],
      ["plan", "1", "carl"],
      ["plan", "2"],
      ["level", "1.5", "ada"],
      ["level", "15e-1", "ada"],
      ["is_member", "true", "ada"],
      ["is_member", "false", "carl"],
      ["risk", "3", "carl"],
    ]
    for (const [attribute, value, ...users] of expected) assert.deepStrictEqual(yield* found(owner, { attribute, value }), users)

    const pro = { attribute: "plan", value: "pro" }
    const change = (user_id: string, changes: object) => owner.body(adminUsersUpdate, { user_id, changes: { attributes: changes } })
    yield* change(ada, { level: 2 })
    assert.deepStrictEqual(yield* found(owner, { attribute: "level", value: "1.5" }), [])
    assert.deepStrictEqual(yield* found(owner, pro), ["ada", "bob"])
    yield* change(ada, { plan: "free" })
    yield* change(bob, { plan: null })
    assert.deepStrictEqual(yield* found(owner, pro), [])
    yield* owner.body(adminRemoveUser, { user_id: ada })
    assert.deepStrictEqual(yield* found(owner, { attribute: "plan", value: "free" }), [])
    assert.deepStrictEqual((yield* rows(AttributeValues)).map(({ attribute }) => attribute).toSorted(), ["is_member", "plan", "risk"])
  })

  rule("goes with all other filters and orders, page by page", function* () {
    const owner = yield* indexed
    for (const at of times(7, Number)) yield* added(owner, `user${at}`, { plan: at === 3 ? "free" : "pro" })
    const users = yield* rows(Users)
    const idOf = (name: string) => users.find(({ email }) => email === `${name}@example.com`)?.id ?? assert.fail(name)
    const pro = { attribute: "plan", value: "pro" }
    const names = ["user0", "user1", "user2", "user4", "user5", "user6"]
    const pages = Effect.fnUntraced(function* (filter: object) {
      const seen: Array<string | undefined> = []
      let cursor: string | undefined
      do {
        const page = yield* owner.body(adminUsersList, { ...filter, limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...page.users.map(({ email }) => email.split("@")[0]))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return seen
    })
    assert.deepStrictEqual(yield* pages(pro), names)
    assert.deepStrictEqual(yield* pages({ ...pro, order: "email" }), names)
    assert.deepStrictEqual(yield* pages({ ...pro, order: "oldest" }), names)
    assert.deepStrictEqual(yield* found(owner, { ...pro, user_id: idOf("user3") }), [])
    assert.deepStrictEqual(yield* found(owner, { ...pro, email: "user4@example.com" }), ["user4"])
    yield* commit([insert(AdminMetadatas, { ...defaultMetadata, user_id: idOf("user5"), banned: true, updated_at: yield* DateTime.now })])
    assert.deepStrictEqual(yield* found(owner, { ...pro, banned: true }), ["user5"])
    const { total } = yield* owner.body(adminUsersList, { ...pro, total: true })
    assert.deepStrictEqual(total, { count: 6, capped: false })
  })

  rule("is refused as a filter if it is not indexed, not the caller's to see, or has no such value", function* () {
    const owner = yield* indexed
    const helper = yield* signedUp("helper@example.com")
    yield* owner.body(adminSetRole, { user_id: helper.user.id, role: "user_manager" })
    const refused: ReadonlyArray<object> = [
      { attribute: "town", value: "Rome" },
      { attribute: "unknown", value: "1" },
      { attribute: "plan" },
      { value: "pro" },
      { attribute: "plan", value: "gold" },
      { attribute: "level", value: "high" },
      { attribute: "level", value: "" },
      { attribute: "is_member", value: "yes" },
      { attribute: "handle", value: "x".repeat(41) },
      { attribute: "handle", value: '"quoted'.repeat(9) },
    ]
    for (const filter of refused) {
      assert.strictEqual(yield* owner.code(adminUsersList, filter), "invalid_request", JSON.stringify(filter))
      assert.strictEqual(yield* owner.code(adminJobsCreate, { operation: "ban", filter }), "invalid_request")
    }
    const risk = { attribute: "risk", value: "3" }
    assert.strictEqual(yield* helper.code(adminUsersList, risk), "forbidden")
    assert.deepStrictEqual(yield* found(owner, risk), [])
  })

  rule("selects the users of a job", function* () {
    const owner = yield* indexed
    yield* added(owner, "ada", { plan: "pro" })
    yield* added(owner, "bob", { plan: "free" })
    const filter = { attribute: "plan", value: "pro" }
    const { job } = yield* owner.body(adminJobsCreate, { operation: "ban", filter })
    yield* workedBy(auth)
    assert.deepInclude((yield* owner.body(adminJobsShow, { job_id: job.id })).job, { state: "succeeded", succeeded: 1 })
    assert.deepStrictEqual(yield* found(owner, { banned: true }), ["ada"])
    const waiting = yield* owner.body(adminJobsCreate, { operation: "ban", filter })
    yield* round(before)
    yield* workedBy(auth)
    assert.deepInclude((yield* owner.body(adminJobsShow, { job_id: waiting.job.id })).job, { state: "failed", code: "index_building" })
    assert.strictEqual(yield* owner.code(adminJobsCreate, { operation: "ban", filter }), "index_building")
  })
})

describe("a new index", () => {
  rule("gets the users of before, and answers index_building until it has all", function* () {
    const ids = yield* older(230, (at) => ({ plan: at % 2 === 0 ? "pro" : "free" }))
    const owner = yield* signedUp(root)
    const pro = { attribute: "plan", value: "pro", limit: 500 }
    const isBuilding = Effect.map(owner.code(adminUsersList, pro), (code) => code === "index_building")
    assert.isTrue(yield* isBuilding)
    yield* round()
    yield* TestClock.adjust("9 seconds")
    yield* round()
    assert.isTrue(yield* isBuilding)
    assert.lengthOf(yield* rows(AttributeValues), 0)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* atOnce<any, any>(times(3, () => round())), { ok: 3 })
    const { users } = yield* owner.body(adminUsersList, pro)
    assert.deepStrictEqual(
      users.map(({ id }) => id),
      ids.filter((_, at) => at % 2 === 0),
    )
    assert.lengthOf(yield* rows(AttributeValues), 230)
  })

  rule("is dropped by a process with an earlier configuration, and begins again when that has ended", function* () {
    const owner = yield* indexed
    const former = AuthOf.make([...core, before, administration])
    yield* round(before)
    assert.sameMembers(
      (yield* rows(AttributeIndexes)).map(({ attribute }) => attribute),
      ["level", "is_member", "risk"],
    )
    const formerOwner = browser(former, owner.jar)
    yield* formerOwner.body(adminUsersCreate, { email: "ada@example.com", attributes: { plan: "pro", risk: 1 } })
    assert.lengthOf(yield* rows(AttributeValues), 1)
    const pro = { attribute: "plan", value: "pro" }
    yield* round()
    yield* TestClock.adjust("9 seconds")
    yield* round(before)
    yield* round()
    yield* TestClock.adjust("9 seconds")
    yield* round()
    assert.strictEqual(yield* owner.code(adminUsersList, pro), "index_building")
    yield* TestClock.adjust("1 second")
    yield* round()
    assert.deepStrictEqual(yield* found(owner, pro), ["ada"])
  })

  rule("has every user of a value that became unique later; they keep it, and no other user gets it", function* () {
    yield* older(3, (at) => ({ handle: at < 2 ? "same" : "other" }))
    const owner = yield* signedUp(root)
    yield* filled
    const same = { attribute: "handle", value: "same" }
    assert.deepStrictEqual(yield* found(owner, same), ["user0", "user1"])
    for (const user_id of ["id-00000", "id-00001"])
      yield* owner.body(adminUsersUpdate, { user_id, changes: { attributes: { town: "Rome" } } })
    assert.deepStrictEqual(yield* found(owner, same), ["user0", "user1"])
    const take = { user_id: "id-00002", changes: { attributes: { handle: "same" } } }
    assert.strictEqual(yield* owner.code(adminUsersUpdate, take), "invalid_request")
    assert.deepStrictEqual(yield* found(owner, { attribute: "handle", value: "other" }), ["user2"])
  })

  rule("misses no value that changes meanwhile", function* () {
    const ids = yield* older(40, () => ({ plan: "free", town: "Rome" }))
    const owner = yield* signedUp(root)
    yield* round()
    yield* TestClock.adjust("10 seconds")
    const changes = ids.map((user_id, at) =>
      owner.body(adminUsersUpdate, { user_id, changes: { attributes: { plan: at % 2 === 0 ? "pro" : null, handle: `h${at % 4}` } } }),
    )
    const outcomes = yield* atOnce<any, any>([...changes.slice(0, 20), round(), ...changes.slice(20), round()])
    assert.deepStrictEqual(outcomes, { ok: 6, invalid_request: 36 })
    const stored = yield* rows(UserAttributes)
    for (const value of ["free", "pro"]) {
      const { users } = yield* owner.body(adminUsersList, { attribute: "plan", value, limit: 100 })
      const expected = stored.filter(({ values }) => values["plan"] === value).map(({ user_id }) => user_id)
      assert.deepStrictEqual(
        users.map(({ id }) => id),
        expected.toSorted(),
      )
    }
    const plans = stored.filter(({ values }) => "plan" in values).length
    assert.lengthOf(yield* rows(AttributeValues), plans + 4)
  })
})

rule("values that move to another user move in the index", function* () {
  const owner = yield* indexed
  const from = yield* added(owner, "former", { plan: "pro", handle: "former", level: 1 })
  const into = yield* added(owner, "ada", { level: 2 })
  yield* commit(yield* movedAttributes({ from, into }))
  assert.deepStrictEqual(yield* found(owner, { attribute: "plan", value: "pro" }), ["ada"])
  assert.deepStrictEqual(yield* found(owner, { attribute: "handle", value: "former" }), ["ada"])
  assert.deepStrictEqual(yield* found(owner, { attribute: "level", value: "1" }), ["former"])
  yield* owner.body(adminUsersUpdate, { user_id: into, changes: { attributes: { plan: null } } })
  assert.deepStrictEqual(yield* found(owner, { attribute: "plan", value: "pro" }), [])
  assert.sameMembers(
    (yield* rows(AttributeValues)).map(({ attribute, user_id }) => `${attribute} ${user_id}`),
    [`handle ${into}`, `level ${into}`, `level ${from}`],
  )
})

rule("a visitor's value at the sign-up is indexed as well", function* () {
  const owner = yield* indexed
  yield* browser(auth).body(endpoints.signUpEmail, { email: "new@example.com", password, attributes: { plan: "free" } })
  assert.deepStrictEqual(yield* found(owner, { attribute: "plan", value: "free" }), ["new"])
})
