import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { typedIn } from "../../../../application/modules/admin/search/typed.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import { Usernames } from "../../../../application/modules/username/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { insert, Store, update } from "../../../../domain/ports/store.ts"
import { defaultMetadata } from "../../../../domain/users/admin-metadata.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { modules as everything } from "../../../everything.ts"
import { counted } from "../../../round-trips.ts"
import { rulesOf } from "../../../rule.ts"
import { storedUser } from "../../../stored-user.ts"
import { signedUp as signedUpTo, times } from "../../../world.ts"
import { builtWith } from "../idp/provider.ts"
import { limits } from "../organization/organizations.ts"

// The one field by which administrators search users, and the search of everything.

const root = "root@operator.example"
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: { reader: ["users:read"], app: ["clients:read"] }, jobs: true }),
)
const organizations = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
const idp = builtWith({ clients: [{ client_id: "wiki", client_secret: "the secret of the wiki", client_name: "Analytical wiki" }] })
const own = [built, organizations, idp]
const modules = everything.map((module) => own.find(({ name }) => name === module.name) ?? module)
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminJobsCreate, adminRolesAssign, adminSearch, adminUsersList } = built.endpoints
const { adminClientsCreate } = idp.endpoints

type Own = Effect.Success<ReturnType<typeof signedUpTo>>

const id = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`
const at = (index: number) => DateTime.makeUnsafe(Date.UTC(2020, 0, 1) + 1000 * index)
const user = (index: number, changes: Partial<StoredUser> = {}) =>
  storedUser({ id: id(index), email: `u${index}@example.com`, created_at: at(index), ...changes })
const stored = (...writes: ReadonlyArray<ReturnType<typeof insert>>) => Store.use(({ commit }) => Effect.orDie(commit(writes)))

const username = (index: number, name: string) =>
  insert(Usernames, { id: `n${index}`, user_id: id(index), username: name, display_username: name, created_at: at(0), updated_at: at(0) })
const account = (index: number, provider_id: string, account_id: string, order = 0) =>
  insert(Accounts, {
    ...{ id: `a${index}-${order}`, user_id: id(index), provider_id, account_id, password_hash: null },
    ...{ created_at: at(order), updated_at: at(order) },
  })
const member = (index: number, organization_id: string) =>
  insert(Members, { id: `m${organization_id}${index}`, user_id: id(index), organization_id, role: "member", created_at: at(0) })
const acme = (number: string, name: string, slug: string) =>
  insert(Organizations, { id: number, name, slug, created_at: at(Number(number)) })

/** The ids on all pages. */
const paged = Effect.fnUntraced(function* (owner: Own, input: object) {
  const ids: Array<string> = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = yield* owner.body(adminUsersList, { ...input, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.users.map((user) => user.id))
    cursor = page.next_cursor
  }
  return ids
})

const people = [
  user(1, { name: "Ada Lovelace", email: "ada@sub.example.org" }),
  user(2, { name: "Loretta", email: "l@xn--mnchen-3ya.example" }),
  user(3, { name: "Grace  LOVELL " }),
  user(4, { name: "love-struck Lovegood" }),
  user(5, { name: "Bob" }),
  user(6, { name: "Éva Ávila" }),
  user(7),
]

describe("what is typed", () => {
  it.each([
    [" 01990000-0000-7000-8000-00000000000A", "id", "01990000-0000-7000-8000-00000000000a"],
    ["01990000-0000-7000-8000-00000000000", "name", "01990000-0000-7000-8000-00000000000"],
    ["@Example", "domain", "example"],
    ["@münchen.example", "domain", "xn--mnchen-3ya.example"],
    ["@", "domain", ""],
    ["+49 (170) 12-34", "phone", "+491701234"],
    ["+", "phone", "+"],
    ["+49x", "name", "+49x"],
    ["Ada@Ex", "address", "ada@ex"],
    ["l@münchen.example", "address", "l@xn--mnchen-3ya.example"],
    [" Ada Lo", "name", "ada lo"],
  ] as const)("%j", (typed, kind, text) => {
    assert.deepStrictEqual(typedIn(typed), { kind, text })
  })
})

describe("GET /admin/users/list by one text", () => {
  rule("finds by every index, on pages of any size", function* () {
    const owner = yield* signedUpTo(root, auth)
    const names = [username(5, "lovebird"), username(3, "lovely"), username(7, "loves")]
    const numbers = [account(5, "phone", "+491701111"), account(3, "phone", "+491702222"), account(7, "github", "+49170")]
    yield* stored(...people.map((each) => insert(Users, each)), ...names, ...numbers)
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
      [id(3).toUpperCase(), [3]],
      [id(99), []],
      ["ada@sub", [1]],
      ["ADA@sub.example.org", [1]],
      ["@sub.", [1]],
      ["@example.com", [7, 6, 5, 4, 3]],
      ["@münchen.example", [2]],
      ["@ample.com", []],
      ["+49 170", [5, 3]],
      ["+491702222", [3]],
      ["+50", []],
      // The newest by name, then by user name.
      ["LOVE", [4, 3, 1, 5, 7]],
      ["lovely", [3]],
      ["love-struck L", [4]],
      ["lo", [4, 3, 2, 1, 5, 7]],
      ["lace", []],
      ["áv", [6]],
      ["%", []],
    ]
    for (const [search, expected] of cases)
      for (const limit of search === "LOVE" ? [1, 2, 50] : [50])
        assert.deepStrictEqual(yield* paged(owner, { search, limit }), expected.map(id), `${search} ${limit}`)
    assert.includeMembers(
      yield* paged(owner, { search: "@" }),
      people.map((each) => each.id),
    )
    const { total } = yield* owner.body(adminUsersList, { search: "lo", limit: 1, total: true })
    assert.deepStrictEqual(total, { count: 6, capped: false })
  })

  rule("narrows what it finds by the other filters", function* () {
    const owner = yield* signedUpTo(root, auth)
    const banned = insert(AdminMetadatas, { ...defaultMetadata, user_id: id(3), banned: true, updated_at: at(0) })
    const groups = [acme("1", "Acme", "acme"), acme("2", "Other", "other"), member(1, "1"), member(4, "1"), member(5, "1"), member(3, "2")]
    yield* stored(...people.map((each) => insert(Users, each)), banned, username(5, "lovebird"), ...groups)
    const cases: ReadonlyArray<readonly [object, ReadonlyArray<number>]> = [
      [{ search: "lo", banned: true }, [3]],
      [{ search: "lo", banned: false }, [4, 2, 1, 5]],
      [{ search: "love", organization_id: "1" }, [4, 1, 5]],
      [{ search: "love", created_from: "2020-01-01T00:00:03Z" }, [4, 3, 5]],
      [{ search: "@", created_from: "2020-01-01T00:00:03Z", created_before: "2020-01-01T00:00:05Z" }, [4, 3]],
      [{ organization_id: "1" }, [1, 4, 5]],
      [{ organization_id: "1", order: "newest" }, [5, 4, 1]],
      [{ organization_id: "1", role: "user", banned: false, email_prefix: "u" }, [4, 5]],
      [{ organization_id: "unknown" }, []],
    ]
    for (const [filters, expected] of cases)
      for (const limit of [1, 50])
        assert.deepStrictEqual(yield* paged(owner, { ...filters, limit }), expected.map(id), JSON.stringify(filters))
    for (const other of [
      { order: "newest" },
      { email: "u1@example.com" },
      { email_prefix: "u" },
      { name_prefix: "a" },
      { user_id: id(1) },
      { provider_id: "github", account_id: "1" },
    ])
      assert.strictEqual(yield* owner.code(adminUsersList, { search: "love", ...other }), "invalid_request", JSON.stringify(other))
    for (const search of ["", "  ", "x".repeat(255)]) assert.strictEqual(yield* owner.code(adminUsersList, { search }), "invalid_request")
    const job = { operation: "unban", dry_run: true }
    assert.strictEqual(yield* owner.code(adminJobsCreate, { ...job, filter: { search: "x", email: root } }), "invalid_request")
    yield* owner.body(adminJobsCreate, { ...job, filter: { search: "love", organization_id: "1" } })
  })

  rule("does not find a user by a former name", function* () {
    const owner = yield* signedUpTo(root, auth)
    yield* stored(insert(Users, user(1, { name: "Ada Lovelace" })))
    const found = yield* Store.use(({ read }) => read(Users, { id: id(1) }))
    assert(found._tag === "Some")
    yield* Store.use(({ commit }) => Effect.orDie(commit([update(Users, found.value, { name: "Ada King", email: "ada@king.example" })])))
    const lists = yield* Effect.forEach(["love", "@example.com", "king", "@king"], (search) => paged(owner, { search }))
    assert.deepStrictEqual(lists, [[], [], [id(1)], [id(1)]])
  })
})

describe("the details of listed users", () => {
  const app = (index: number, confirmed_at: DateTime.Utc | null) =>
    insert(TwoFactors, {
      ...{ user_id: id(index), secret: `s${index}`, backup_codes: [], used_steps: [], failures: 0, locked_until: null },
      ...{ confirmed_at, created_at: at(0), updated_at: at(0) },
    })

  rule("are the ways in, the second factor and the last session", function* () {
    const owner = yield* signedUpTo(root, auth)
    const accounts = times(6, (order) => account(1, ["github", "google", "github", "apple", "phone", "passkey"][order]!, `${order}`, order))
    yield* stored(...times(3, (index) => insert(Users, user(index))), ...accounts, app(1, at(0)), app(2, null))
    const { details } = yield* owner.body(adminUsersList, { details: true, order: "oldest" })
    assert.deepStrictEqual(
      details?.map(({ ways_in, second_factor }) => [ways_in, second_factor]),
      [
        [["credential"], false],
        [[], false],
        [["github", "google", "apple", "phone"], true],
        [[], false],
      ],
    )
    assert.deepStrictEqual(
      details?.map(({ user_id, last_seen_at }) => [user_id, last_seen_at === null]),
      [
        [owner.user.id, false],
        [id(0), true],
        [id(1), true],
        [id(2), true],
      ],
    )
    assert.notProperty(yield* owner.body(adminUsersList), "details")

    const reader = yield* signedUpTo("reader@example.com", auth)
    yield* owner.body(adminRolesAssign, { user_id: reader.user.id, role: "reader" })
    const read = yield* reader.body(adminUsersList, { details: true })
    assert.isTrue(read.details?.every((each) => !("last_seen_at" in each)))
  })

  rule("take at most ten reads of the store, for a page of any size", function* () {
    const owner = yield* signedUpTo(root, auth)
    const rows = (index: number) => [insert(Users, user(index, { name: `Ada Even ${index}` })), account(index, "github", `${index}`)]
    yield* stored(...times(120, rows).flat())
    const filters = [
      {},
      { search: "@example" },
      { search: "ada" },
      { search: "ada e" },
      { role: "user" },
      { order: "email" },
      { email_verified: true },
    ]
    for (const filter of filters)
      for (const limit of [25, 50, 100]) {
        const [page, trips] = yield* counted(owner.body(adminUsersList, { ...filter, limit, details: true }))
        assert.deepStrictEqual([page.users.length, page.details?.length], [limit, limit])
        assert.isAtMost(trips.length, 10, `${JSON.stringify(filter)} ${limit}: ${trips}`)
      }
    // One more: the page on which the names end goes on with the user names.
    const [, last] = yield* counted(owner.body(adminUsersList, { search: "ada", limit: 500, details: true }))
    assert.isAtMost(last.length, 11)
  })
})

describe("GET /admin/search", () => {
  const everywhere = Effect.gen(function* () {
    const owner = yield* signedUpTo(root, auth)
    const analytical = [acme("1", "Analytical Engines", "engines"), acme("2", "Other", "analytical-others"), acme("3", "Third", "third")]
    const members = [member(1, "1"), member(2, "2"), member(3, "2")]
    const analysts = times(8, (index) => user(index, { name: `Analyst ${index}` }))
    yield* stored(...analysts.map((each) => insert(Users, each)), ...analytical, ...members)
    const created = { client_name: "Analytical shop", redirect_uris: ["https://shop.example.com/callback"] }
    const { client } = yield* owner.body(adminClientsCreate, created)
    const withRole = Effect.fnUntraced(function* (name: string, role: string, organization_id?: string) {
      const their = yield* signedUpTo(`${name}@example.com`, auth)
      yield* owner.body(adminRolesAssign, { user_id: their.user.id, role, ...(organization_id && { organization_id }) })
      return their
    })
    return { owner, shop: client.client_id, withRole }
  })
  const idsOf = (found: Effect.Success<ReturnType<typeof searching>>) =>
    Object.fromEntries(Object.entries(found).map(([kind, hits]) => [kind, hits?.map((hit) => hit.id)]))
  const searching = (their: Own, q: string) => their.body(adminSearch, { q })

  rule("finds at most five of each kind", function* () {
    const { owner, shop } = yield* everywhere
    const found = yield* searching(owner, "ANALY")
    const newest = [7, 6, 5, 4, 3].map(id)
    assert.deepStrictEqual(idsOf(found), { users: newest, organizations: ["2", "1"], clients: ["wiki", shop] })
    assert.deepStrictEqual(found.users?.[0], { id: id(7), name: "Analyst 7", detail: "u7@example.com" })
    assert.deepStrictEqual(found.organizations?.[1], { id: "1", name: "Analytical Engines", detail: "engines" })
    assert.deepStrictEqual(found.clients?.[1], { id: shop, name: "Analytical shop", detail: null })
  })

  rule("finds by id, address and slug, and nothing in the middle of a text", function* () {
    const { owner, shop } = yield* everywhere
    const cases: ReadonlyArray<readonly [string, object]> = [
      [id(3), { users: [id(3)] }],
      ["u3@example", { users: [id(3)] }],
      ["@EXAMPLE.com", { users: [7, 6, 5, 4, 3].map(id) }],
      ["engines", { organizations: ["1"] }],
      ["wiki", { clients: ["wiki"] }],
      [shop, { clients: [shop] }],
      ["nalyt", {}],
      ["ngines", {}],
    ]
    const nothing = { users: [], organizations: [], clients: [] }
    for (const [q, expected] of cases) assert.deepStrictEqual(idsOf(yield* searching(owner, q)), { ...nothing, ...expected }, q)
    for (const q of ["", "a", " a ", "x".repeat(255)]) assert.strictEqual(yield* owner.code(adminSearch, { q }), "invalid_request", q)
  })

  rule("leaves out the kinds that the caller may not read, and is refused to other users", function* () {
    const { withRole } = yield* everywhere
    const kinds = (their: Own) => Effect.map(searching(their, "analy"), (found) => Object.keys(found).toSorted())
    assert.deepStrictEqual(yield* kinds(yield* withRole("reader", "reader")), ["users"])
    assert.deepStrictEqual(yield* kinds(yield* withRole("app", "app")), ["clients"])
    assert.deepStrictEqual(yield* kinds(yield* withRole("helper", "support")), ["organizations", "users"])
    assert.strictEqual(yield* (yield* signedUpTo("bob@example.com", auth)).code(adminSearch, { q: "analy" }), "forbidden")
  })

  rule("leaves out what is out of reach of a role for one organization", function* () {
    const { withRole } = yield* everywhere
    const helper = yield* withRole("helper", "support", "2")
    const found = idsOf(yield* searching(helper, "analy"))
    assert.deepStrictEqual(found, { users: [id(3), id(2)], organizations: ["2"] })
    for (const q of [id(1), "u1@example.com", "1@", "engines", "third"])
      assert.deepStrictEqual(idsOf(yield* searching(helper, q)), { users: [], organizations: [] }, q)
    assert.deepStrictEqual(idsOf(yield* searching(helper, id(2))), { users: [id(2)], organizations: [] })

    const crowd = times(230, (index) => insert(Users, user(1000 + index, { name: `Crowd ${index}` })))
    yield* stored(...crowd, member(1000, "2"), member(1229, "2"))
    assert.deepStrictEqual(idsOf(yield* searching(helper, "crowd")), { users: [id(1229), id(1000)], organizations: [] })
  })
})
