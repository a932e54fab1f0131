import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { AdminGrants } from "../../../../application/modules/admin/grants-table.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { insert, put, Store } from "../../../../domain/ports/store.ts"
import { Tallies } from "../../../../domain/storage/tally.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { storedUser } from "../../../stored-user.ts"
import { core, linked, signedUp as signedUpTo, times } from "../../../world.ts"

const root = "root@example.com"
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {} }))
const modules = [...core, built]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminUsersList } = built.endpoints

type Own = Effect.Success<ReturnType<typeof signedUpTo>>

const id = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`
const at = (index: number) => DateTime.makeUnsafe(Date.UTC(2020, 0, 1) + 1000 * index)

/** Adds users whose time of creation grows with their index; three have the same time. */
const added = Effect.fnUntraced(function* (
  from: number,
  count: number,
  more: (index: number) => Partial<typeof Users.schema.Type> = () => ({}),
) {
  const users = times(count, (offset) => {
    const index = from + offset
    const name = index % 2 === 0 ? `Even ${index}` : `Odd ${index}`
    return storedUser({ id: id(index), email: `u${index}@example.com`, name, created_at: at(index - (index % 3)), ...more(index) })
  })
  yield* Effect.orDie((yield* Store).commit(users.map((user) => insert(Users, user))))
})
const given = (index: number, changes: Partial<typeof AdminMetadatas.schema.Type>) =>
  Effect.flatMap(Store, ({ commit }) =>
    Effect.orDie(commit([insert(AdminMetadatas, { ...defaultMetadata, user_id: id(index), updated_at: at(0), ...changes })])),
  )

/** The ids of all pages, and how many pages there were. */
const paged = Effect.fnUntraced(function* (owner: Own, input: object, between: Effect.Effect<unknown, any, any> = Effect.void) {
  const ids: Array<string> = []
  let pages = 0
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = yield* owner.body(adminUsersList, { ...input, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.users.map((user) => user.id))
    cursor = page.next_cursor
    pages++
    yield* between
  }
  return { ids, pages }
})

const descending = (indexes: ReadonlyArray<number>) =>
  indexes.toSorted((one, other) => other - (other % 3) - (one - (one % 3)) || other - one).map(id)

describe("GET /admin/users/list", () => {
  rule("shows all users once, in either order of time or by address", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(0, 20)
    const all = times(20, (index) => index)
    // The test clock begins in 1970.
    const newest = [...descending(all), owner.user.id]
    for (const limit of [1, 7, 20, 21, 500]) {
      assert.deepStrictEqual((yield* paged(owner, { limit })).ids, newest, String(limit))
      assert.deepStrictEqual((yield* paged(owner, { limit, order: "oldest" })).ids, newest.toReversed(), String(limit))
      const byEmail = yield* paged(owner, { limit, order: "email" })
      const emails = [root, ...all.map((index) => `u${index}@example.com`)].toSorted()
      assert.deepStrictEqual(
        byEmail.ids,
        emails.map((email) => (email === root ? owner.user.id : id(Number(/\d+/.exec(email)?.[0])))),
      )
    }
    assert.strictEqual((yield* paged(owner, { limit: 21 })).pages, 1)
    assert.strictEqual((yield* paged(owner, { limit: 7 })).pages, 3)
    assert.strictEqual((yield* owner.body(adminUsersList)).users.length, 21)
    for (const limit of [0, 501, "x"]) assert.strictEqual(yield* owner.code(adminUsersList, { limit }), "invalid_request")
  })

  rule("neither loses nor repeats a user while others are added", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(100, 30)
    for (const [order, from] of [
      ["newest", 1000],
      ["oldest", 2000],
      ["email", 3000],
    ] as const) {
      let next = from
      const more = Effect.suspend(() => added(next++, 1, (index) => ({ created_at: at(100 + (index % 30)) })))
      const { ids } = yield* paged(owner, { limit: 4, order, created_before: "2020-01-01T00:03:00Z" }, more)
      assert.strictEqual(new Set(ids).size, ids.length, order)
      assert.includeMembers([...ids], [...times(30, (index) => id(100 + index))], order)
    }
  })

  rule("selects the users with a role, also an assigned one, page by page", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(0, 40)
    for (const index of [1, 5, 9, 30]) yield* given(index, { role: "support" })
    const assigned = (index: number, changes: Partial<typeof AdminGrants.schema.Type> = {}) => ({
      ...{ id: `${index} ${changes.organization_id}`, user_id: id(index), role: "support", organization_id: "", expires_at: null },
      ...{ created_at: at(0), ...changes },
    })
    const grants = [
      ...[2, 5, 20, 31, 39].map((index) => assigned(index)),
      ...times(49, (organization) => assigned(20, { organization_id: `o${organization}` })),
      assigned(3, { role: "security" }),
      assigned(4, { expires_at: DateTime.makeUnsafe(0) }),
      assigned(6, { expires_at: at(0) }),
    ]
    yield* Effect.orDie((yield* Store).commit(grants.map((grant) => insert(AdminGrants, grant))))
    const expected = [1, 2, 5, 6, 9, 20, 30, 31, 39].map(id)
    for (const limit of [1, 2, 3, 4, 9, 10]) assert.deepStrictEqual((yield* paged(owner, { role: "support", limit })).ids, expected)
    assert.sameMembers((yield* paged(owner, { role: "support", order: "oldest" })).ids, expected)
    assert.deepStrictEqual((yield* paged(owner, { role: "user", name_prefix: "Even 2" })).ids.length, 6)
    const { roles } = yield* owner.body(adminUsersList, { role: "security" })
    assert.deepStrictEqual(
      roles.map(({ user_id, role, organization_id }) => [user_id, role, organization_id]),
      [[id(3), "security", null]],
    )
  })

  rule("selects by every filter, and by all of them together", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(0, 40, (index) => ({ email_verified: index < 10 }))
    yield* linked(id(3), "github")
    for (const index of [2, 4, 30]) yield* given(index, { role: "support" })
    yield* given(5, { banned: true })
    yield* given(6, { banned: true, ban_expires: DateTime.makeUnsafe(0) })
    yield* given(7, { role: "security", banned: true })
    const even = times(20, (index) => 2 * index)
    const cases: ReadonlyArray<readonly [object, ReadonlyArray<number>]> = [
      [{ user_id: id(3) }, [3]],
      [{ user_id: "unknown" }, []],
      [{ email: "U3@example.com" }, [3]],
      [{ email: "u3@example.com", email_verified: false }, []],
      [{ provider_id: "github", account_id: id(3) }, [3]],
      [{ provider_id: "github", account_id: id(4) }, []],
      [{ email_prefix: "U1" }, [1, ...times(10, (index) => 10 + index)]],
      [{ name_prefix: "EVEN" }, even],
      [{ name_prefix: "even", email_verified: "true" }, even.slice(0, 5)],
      [{ role: "support" }, [2, 4, 30]],
      [{ role: "support", order: "oldest" }, [2, 4, 30]],
      [{ role: "security", banned: true }, [7]],
      [{ role: "nobody" }, []],
      [{ banned: true }, [5, 7]],
      [{ banned: "true", name_prefix: "odd", order: "email" }, [5, 7]],
      [{ created_from: "2020-01-01T00:00:06Z", created_before: "2020-01-01T00:00:12Z" }, [6, 7, 8, 9, 10, 11]],
      [{ created_from: "2020-01-01T00:00:06Z", created_before: "2020-01-01T00:00:12Z", order: "oldest" }, [6, 7, 8, 9, 10, 11]],
      [{ created_from: "2020-01-01T00:00:06Z", role: "support" }, [30]],
    ]
    for (const [filters, expected] of cases)
      for (const limit of [2, 50]) {
        const { ids } = yield* paged(owner, { ...filters, limit })
        assert.sameMembers([...ids], expected.map(id), JSON.stringify(filters))
        assert.lengthOf(ids, expected.length, JSON.stringify(filters))
        const { total } = yield* owner.body(adminUsersList, { ...filters, limit, total: true })
        assert.deepStrictEqual(total, { count: expected.length, capped: false }, JSON.stringify(filters))
      }
    assert.sameMembers(
      (yield* paged(owner, { role: "user", banned: false, created_from: "2020-01-01T00:00:33Z" })).ids,
      [33, 34, 35, 36, 37, 38, 39].map(id),
    )
    for (const filters of [
      { email_prefix: "" },
      { provider_id: "github" },
      { account_id: "1" },
      { banned: "yes" },
      { created_from: "soon" },
    ])
      assert.strictEqual(yield* owner.code(adminUsersList, filters), "invalid_request", JSON.stringify(filters))
  })

  rule("has cursors that show nothing, for one list each", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(0, 10)
    const { next_cursor: cursor } = yield* owner.body(adminUsersList, { limit: 2, name_prefix: "even" })
    assert.isString(cursor)
    for (const text of [String(cursor), Buffer.from(String(cursor).split("!").at(-1)!, "base64url").toString("latin1")])
      assert.notMatch(text, /example|even|00000000/i)
    assert.lengthOf((yield* owner.body(adminUsersList, { limit: 5, name_prefix: "even", cursor })).users, 3)
    for (const other of [{}, { name_prefix: "odd" }, { name_prefix: "even", order: "newest" }, { name_prefix: "even", role: "user" }])
      assert.strictEqual(yield* owner.code(adminUsersList, { ...other, cursor }), "invalid_request", JSON.stringify(other))
    for (const forged of ["", "x", `${cursor}x`, String(cursor).slice(0, -2)])
      assert.strictEqual(yield* owner.code(adminUsersList, { name_prefix: "even", cursor: forged }), "invalid_request")
  })

  rule("reads at most a thousand users for a page, and counts to a thousand", function* () {
    const owner = yield* signedUpTo(root, auth)
    for (let from = 0; from < 2100; from += 700) yield* added(from, 700)
    const rare = { name_prefix: "odd 2001", order: "oldest", limit: 3 }
    const { ids, pages } = yield* paged(owner, rare)
    assert.deepStrictEqual([ids, pages], [[id(2001)], 3])
    assert.deepStrictEqual((yield* owner.body(adminUsersList, { total: true, limit: 1 })).total, { count: 1000, capped: true })
    assert.deepStrictEqual((yield* owner.body(adminUsersList, { ...rare, total: "true" })).total, { count: 0, capped: true })
    assert.isUndefined((yield* owner.body(adminUsersList)).total)
  })

  rule("has the last count as the total of all users, unless they are few enough to be read", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* added(0, 9)
    const total = (input: object) => Effect.map(owner.body(adminUsersList, { ...input, limit: 1, total: true }), (page) => page.total)
    const tally = { id: "user", as_of: at(0), counted: 0, place: null, leased_until: null }
    const counted = (count: number) => Effect.flatMap(Store, ({ commit }) => Effect.orDie(commit([put(Tallies, { ...tally, count })])))
    for (const stale of [0, 1000]) {
      yield* counted(stale)
      assert.deepStrictEqual(yield* total({}), { count: 10, capped: false })
    }
    yield* counted(1001)
    for (const input of [{}, { order: "email" }]) assert.deepStrictEqual(yield* total(input), { count: 1001, capped: false, as_of: at(0) })
    assert.deepStrictEqual(yield* total({ name_prefix: "odd" }), { count: 4, capped: false })
  })
})
