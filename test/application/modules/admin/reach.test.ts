import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Tallies } from "../../../../domain/storage/tally.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { signedUp as signedUpTo } from "../../../world.ts"
import { limits } from "../organization/organizations.ts"

// What a role for one organization reaches.

const root = "root@example.com"
const built = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    roles: { all: ["users:delete", "users:roles", "audit:read"], auditor: ["audit:read"] },
    suspension: true,
    required_actions: true,
  }),
)
const organizations = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
const modules = [...everything.filter(({ name }) => name !== "admin" && name !== "organization"), built, organizations]
const service = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminMe, adminRolesAssign, adminRolesWithdraw, adminUsersCredentials, adminUsersShow, adminUsersVerifyEmail } = built.endpoints
const { adminOrganizationsInvitations, adminOrganizationsList, adminOrganizationsMembers, adminOrganizationsShow } = organizations.endpoints
const { adminOrganizationsManageUser, organizationCreate, organizationInvite } = organizations.endpoints
const { organizationAcceptInvitation, organizationLeave } = organizations.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`, service)
type Person = Effect.Success<ReturnType<typeof signedUp>>

const founded = Effect.fnUntraced(function* (founder: Person, member: Person, slug: string) {
  const { organization } = yield* founder.body(organizationCreate, { name: slug, slug })
  const { invitation } = yield* founder.body(organizationInvite, { organization_id: organization.id, email: member.user.email })
  yield* member.body(organizationAcceptInvitation, { invitation_id: invitation.id })
  yield* founder.body(organizationInvite, { organization_id: organization.id, email: `invited-${slug}@example.com` })
  return organization.id
})

/** Two organizations, and a helper who supports the first one. */
const staffed = Effect.gen(function* () {
  const [owner, helper] = [yield* signedUp("root"), yield* signedUp("helper")]
  const [ada, bob, eve, mallory] = yield* Effect.forEach(["ada", "bob", "eve", "mallory"], signedUp)
  const acme = yield* founded(ada!, bob!, "acme")
  const other = yield* founded(eve!, mallory!, "other")
  yield* owner.body(adminRolesAssign, { user_id: helper.user.id, role: "support", organization_id: acme })
  const passwordOf = (their: Person) =>
    Effect.map(owner.body(adminUsersCredentials, { user_id: their.user.id }), ({ accounts }) => accounts[0]!.id)
  const passwords = { bob: yield* passwordOf(bob!), eve: yield* passwordOf(eve!) }
  return { owner, helper, bob: bob!, eve: eve!, acme, other, passwords }
})
type World = Effect.Success<typeof staffed>

/** The organization manages the account of its member, which the helper may change. */
const managed = Effect.fnUntraced(function* ({ owner, helper, bob, acme }: World) {
  yield* owner.body(adminUsersVerifyEmail, { user_id: bob.user.id })
  yield* owner.body(adminOrganizationsManageUser, { organization_id: acme, user_id: bob.user.id, domain: "example.com" })
  yield* owner.body(adminRolesAssign, { user_id: helper.user.id, role: "user_manager", organization_id: acme })
})

/** The inputs that change an account, without the user. */
const changing = (world: World, name: "bob" | "eve"): Readonly<Record<string, object>> => ({
  update: { changes: { name } },
  "set-email": { email: `another-${name}@example.com` },
  "send-verification": {},
  "verify-email": {},
  "set-password": { password: "another correct horse" },
  "send-reset": {},
  require: { actions: [] },
  suspend: { reason: "lost" },
  resume: {},
  "reset-factors": { reason: "lost" },
  "remove-credential": { credential_id: world.passwords[name], force: true },
})

/** In an order in which all succeed. */
const verbs = [
  ...["update", "set-email", "send-verification", "verify-email", "set-password", "send-reset", "require"],
  ...["suspend", "resume", "reset-factors", "remove-credential"],
]
const ofAccounts = verbs.map((verb) => [
  `/admin/users/${verb}`,
  (world: World) => ({
    inside: { ...changing(world, "bob")[verb], user_id: world.bob.user.id },
    outside: { ...changing(world, "eve")[verb], user_id: world.eve.user.id },
    unknown: { ...changing(world, "eve")[verb], user_id: "unknown" },
  }),
])

/** For each endpoint that a role for one organization admits to: what is in reach, and what is not. */
const table: Readonly<Record<string, (world: World) => { readonly inside: object; readonly outside: object; readonly unknown: object }>> = {
  "/admin/users/show": ({ bob, eve }) => ({
    inside: { user_id: bob.user.id },
    outside: { user_id: eve.user.id },
    unknown: { user_id: "unknown" },
  }),
  ...Object.fromEntries(
    ["/admin/organizations/show", "/admin/organizations/members", "/admin/organizations/invitations"].map((path) => [
      path,
      ({ acme, other }: World) => ({
        inside: { organization_id: acme },
        outside: { organization_id: other },
        unknown: { organization_id: "unknown" },
      }),
    ]),
  ),
  ...Object.fromEntries(ofAccounts),
}

/** Lists leave out what is outside. */
const lists = ["/admin/organizations/list"]

/** These answer with what the caller reaches. */
const forAll = ["/admin/me", "/admin/search"]

const all = Object.values<AnyEndpoint>(service.endpoints)
const permitting = all.filter(({ access }) => typeof access === "object")
const limited = permitting.filter(({ access }) => typeof access === "object" && access.within === true)

/** Everything that a caller gets of a refusal. */
const refusalOf = (their: Person, endpoint: AnyEndpoint, input: unknown) =>
  Effect.map(Effect.flip(their.call(endpoint, input)), ({ _tag, message, status, fields = {}, member = "" }) =>
    JSON.stringify([_tag, message, status, fields, member]),
  )

describe("a role for one organization", () => {
  it("admits to the endpoints of the table, whose files read by reach.ts", () => {
    assert.sameMembers(
      limited.map(({ path }) => path),
      [...Object.keys(table), ...lists],
    )
    const folder = join(import.meta.dirname, "../../../../application/modules")
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
    const declaring = sources.map((path) => readFileSync(join(folder, path), "utf8")).filter((source) => source.includes("within: true"))
    assert.isAtLeast(declaring.length, 2)
    const reading = /from "([./]+domain\/administration\/reach|\.{1,2}\/versions|\.\/shown)\.ts"/
    assert.include(readFileSync(join(folder, "admin/versions.ts"), "utf8"), "reachedUser(")
    assert.include(readFileSync(join(folder, "organization/administration/shown.ts"), "utf8"), "reachedOrganization(")
    for (const source of declaring) {
      assert.match(source, reading)
      // Only an address that the caller may give is looked up.
      assert.notMatch(source.replace("find(Users, { email })", ""), /\b(find|list|page|findEach|listForEach)\((Users|Organizations)\b/)
    }
  })

  rule("reads what is inside; what is outside answers exactly as what does not exist", function* () {
    const world = yield* staffed
    const { helper, owner } = world
    yield* managed(world)
    for (const [path, of] of Object.entries(table)) {
      const endpoint = limited.find((each) => each.path === path)!
      const { inside, outside, unknown } = of(world)
      yield* helper.body(endpoint, inside)
      yield* owner.body(endpoint, outside)
      const refusals = [yield* refusalOf(helper, endpoint, outside), yield* refusalOf(helper, endpoint, unknown)]
      assert.deepStrictEqual(refusals, [yield* refusalOf(owner, endpoint, unknown), refusals[0]], endpoint.path)
    }
    const byAddress = [yield* refusalOf(helper, adminUsersShow, { email: "another-eve@example.com" })]
    assert.deepStrictEqual(byAddress, [yield* refusalOf(helper, adminUsersShow, { email: "nobody@example.com" })])
  })

  rule("admits to nothing else, also not with a role of more permissions", function* () {
    const { owner, helper, acme, bob } = yield* staffed
    yield* owner.body(adminRolesAssign, { user_id: helper.user.id, role: "all", organization_id: acme })
    yield* owner.body(adminRolesAssign, { user_id: helper.user.id, role: "admin", organization_id: acme })
    const others = permitting.filter((endpoint) => !limited.includes(endpoint) && !forAll.includes(endpoint.path))
    for (const endpoint of others) {
      const refusals = yield* Effect.forEach([bob.user.id, "unknown"], (user_id) => refusalOf(helper, endpoint, { user_id, changes: {} }))
      assert.match(refusals[0]!, /^\["forbidden"/, endpoint.path)
      assert.strictEqual(refusals[0], refusals[1], endpoint.path)
    }
    const role = { user_id: helper.user.id, role: "auditor", organization_id: acme }
    assert.strictEqual(yield* owner.code(adminRolesAssign, role), "invalid_request")
  })

  rule("shows in GET /admin/me what it reaches, and until when", function* () {
    const { owner, helper, acme } = yield* staffed
    const permissions = ["users:read", "organizations:read", "members:read", "invitations:read"] as const
    const here = { kind: "user", id: helper.user.id, permissions: [] } as const
    const proved = { proved_at: DateTime.makeUnsafe(0), needs_step_up: [] }
    const organizations = [{ organization_id: acme, permissions: [...permissions] }]
    assert.deepStrictEqual(yield* helper.body(adminMe), { ...here, organizations, until: null, ...proved })
    const again = { user_id: helper.user.id, role: "support", organization_id: acme, expires_at: "1970-01-01T00:01:00Z" }
    yield* owner.body(adminRolesAssign, again)
    assert.isNotNull((yield* helper.body(adminMe)).until)
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual(yield* helper.code(adminMe), "forbidden")
    assert.strictEqual(yield* helper.code(adminOrganizationsShow, { organization_id: acme }), "forbidden")
  })

  rule("lists the organization only, whatever the filter", function* () {
    const { owner, helper, acme, other } = yield* staffed
    const listed = (their: Person, input: object) =>
      Effect.map(their.body(adminOrganizationsList, input), ({ organizations, next_cursor }) => [
        organizations.map(({ id }) => id),
        next_cursor,
      ])
    assert.deepStrictEqual(yield* listed(owner, {}), [[other, acme], null])
    for (const input of [{}, { limit: 1 }, { slug: "acme" }, { name_prefix: "AC" }])
      assert.deepStrictEqual(yield* listed(helper, input), [[acme], null], JSON.stringify(input))
    for (const input of [{ slug: "other" }, { name_prefix: "other" }, { slug: "unknown" }])
      assert.deepStrictEqual(yield* listed(helper, input), [[], null], JSON.stringify(input))
    const tally = { id: "organization", count: 70_000, as_of: yield* DateTime.now, counted: 0, place: null, leased_until: null }
    yield* Effect.orDie((yield* Store).commit([insert(Tallies, tally)]))
    for (const [input, count] of [
      [{}, 1],
      [{ slug: "acme" }, 1],
      [{ slug: "other" }, 0],
    ] as const)
      assert.deepStrictEqual((yield* helper.body(adminOrganizationsList, { ...input, total: true })).total, { count, capped: false })
  })

  rule("lists members with their roles, and open invitations without their secrets, of the organization only", function* () {
    const { helper, acme } = yield* staffed
    const { members } = yield* helper.body(adminOrganizationsMembers, { organization_id: acme })
    assert.deepStrictEqual(
      members.map(({ email, role }) => [email, role]),
      [
        ["ada@example.com", "owner"],
        ["bob@example.com", "member"],
      ],
    )
    const { invitations } = yield* helper.body(adminOrganizationsInvitations, { organization_id: acme })
    assert.deepStrictEqual(
      invitations.map(({ email }) => email),
      ["invited-acme@example.com"],
    )
    assert.notProperty(invitations[0], "id")
    const { user, roles } = yield* helper.body(adminUsersShow, { email: "bob@example.com" })
    assert.deepStrictEqual([user.email, roles], ["bob@example.com", []])
  })

  rule("ends with the role, and with the membership of whom it reads", function* () {
    const { owner, helper, acme, bob } = yield* staffed
    yield* bob.body(organizationLeave, { organization_id: acme })
    assert.strictEqual(yield* helper.code(adminUsersShow, { user_id: bob.user.id }), "user_not_found")
    yield* owner.body(adminRolesWithdraw, { user_id: helper.user.id, role: "support", organization_id: acme })
    for (const endpoint of limited) assert.strictEqual(yield* helper.code(endpoint, {}), "forbidden")
  })
})
