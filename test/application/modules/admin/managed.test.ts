import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { ManagedUsers } from "../../../../domain/organizations/tables.ts"
import { decided } from "../../../decided.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, rows, signedUp as signedUpTo } from "../../../world.ts"
import { limits } from "../organization/organizations.ts"

// Users whose accounts an organization manages, and administrators of the organization only.

const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"], roles: {}, suspension: true }))
const places = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
const modules = [...everything.filter(({ name }) => name !== "admin" && name !== "organization"), built, places]
const service = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminMe, adminRolesAssign, adminRolesWithdraw, adminUsersSetEmail, adminUsersSetPassword, adminUsersSuspend } = built.endpoints
const { adminUsersUpdate, adminUsersVerifyEmail } = built.endpoints
const { adminOrganizationsManageUser, adminOrganizationsReleaseUser, organizationAcceptInvitation, organizationCreate } = places.endpoints
const { organizationDelete, organizationInvite, organizationLeave } = places.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`, service)
type Person = Effect.Success<ReturnType<typeof signedUp>>

const joined = Effect.fnUntraced(function* (founder: Person, member: Person, organization_id: string) {
  const { invitation } = yield* founder.body(organizationInvite, { organization_id, email: member.user.email })
  yield* member.body(organizationAcceptInvitation, { invitation_id: invitation.id })
})

/** Two organizations with bob in both, and a helper who manages users of the first one. */
const staffed = Effect.gen(function* () {
  const [owner, helper, ada, bob] = [yield* signedUp("root"), yield* signedUp("helper"), yield* signedUp("ada"), yield* signedUp("bob")]
  const [acme, other] = yield* Effect.forEach(["acme", "other"], (slug) =>
    Effect.map(ada.body(organizationCreate, { name: slug, slug }), ({ organization }) => organization.id),
  )
  yield* joined(ada, bob, acme!)
  yield* joined(ada, bob, other!)
  yield* owner.body(adminRolesAssign, { user_id: helper.user.id, role: "user_manager", organization_id: acme! })
  yield* owner.body(adminUsersVerifyEmail, { user_id: bob.user.id })
  const theirs = { organization_id: acme!, user_id: bob.user.id, domain: "example.com" }
  const manage = owner.body(adminOrganizationsManageUser, theirs)
  return { owner, helper, ada, bob, acme: acme!, other: other!, theirs, user_id: bob.user.id, manage }
})

const password = "another correct horse"
const renamed = (user_id: string) => ({ user_id, changes: { name: "Robert" } })

describe("an administrator of one organization", () => {
  rule("changes the accounts of users whom it manages, and of no other member", function* () {
    const { owner, helper, bob, acme, other, theirs, user_id, manage } = yield* staffed
    const changes: ReadonlyArray<readonly [AnyEndpoint, object]> = [
      [adminUsersUpdate, renamed(user_id)],
      [adminUsersSetPassword, { user_id, password }],
      [adminUsersSetEmail, { user_id, email: "robert@example.com", email_verified: true }],
      [adminUsersSuspend, { user_id, reason: "lost" }],
    ]
    const all = () => Effect.forEach(changes, ([endpoint, input]) => helper.code(endpoint, input))
    const none = changes.map(() => "forbidden")
    assert.deepStrictEqual(yield* all(), none)
    yield* owner.body(adminOrganizationsManageUser, { ...theirs, organization_id: other })
    assert.deepStrictEqual(yield* all(), none)
    yield* owner.body(adminOrganizationsReleaseUser, { organization_id: other, user_id })
    yield* manage
    for (const [endpoint, input] of changes) yield* helper.body(endpoint, input)
    yield* owner.body(adminOrganizationsReleaseUser, { organization_id: acme, user_id })
    assert.deepStrictEqual(yield* all(), none)
    assert.strictEqual(yield* bob.code(organizationLeave, { organization_id: acme }), "unauthorized")
    const { permissions, organizations } = yield* helper.body(adminMe)
    assert.deepStrictEqual([permissions, organizations[0]?.permissions.includes("users:credentials")], [[], true])
  })

  rule("gives them addresses under the domain only, and learns of no other address whether it is taken", function* () {
    const { owner, helper, user_id, manage } = yield* staffed
    yield* manage
    yield* signedUpTo("eve@elsewhere.example", service)
    const set = (email: string) => helper.code(adminUsersSetEmail, { user_id, email })
    for (const email of ["bob@elsewhere.example", "eve@elsewhere.example", "bob@sub.example.com", "bob@notexample.com", "root@example.com"])
      assert.strictEqual(yield* set(email), "forbidden")
    assert.strictEqual(yield* set("ada@example.com"), "email_taken")
    // An address under another domain ends it.
    yield* owner.body(adminUsersSetEmail, { user_id, email: "bob@elsewhere.example" })
    assert.strictEqual(yield* helper.code(adminUsersUpdate, renamed(user_id)), "forbidden")
    assert.strictEqual(yield* set("bob@example.com"), "forbidden")
  })

  rule("changes no user with more permissions, anywhere", function* () {
    const { owner, helper, acme, other, user_id, manage } = yield* staffed
    yield* manage
    const attempt = Effect.match(helper.call(adminUsersUpdate, renamed(user_id)), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })
    const held: Array<string> = []
    for (const place of [{}, { organization_id: other }, { organization_id: acme }]) {
      const role = { user_id, role: "support", ...place }
      yield* owner.body(adminRolesAssign, role)
      held.push(yield* attempt)
      yield* owner.body(adminRolesWithdraw, role)
    }
    assert.deepStrictEqual(held, ["forbidden", "forbidden", "ok"])
  })

  rule("has no right of a membership that ended, also after another one begins", function* () {
    const { helper, ada, bob, acme, user_id, manage } = yield* staffed
    yield* manage
    yield* bob.body(organizationLeave, { organization_id: acme })
    assert.strictEqual(yield* helper.code(adminUsersUpdate, renamed(user_id)), "user_not_found")
    yield* joined(ada, bob, acme)
    assert.strictEqual(yield* helper.code(adminUsersUpdate, renamed(user_id)), "forbidden")
  })

  const endings: Readonly<Record<string, (world: Effect.Success<typeof staffed>) => Effect.Effect<unknown, any, any>>> = {
    "the user is released": ({ owner, theirs }) => owner.body(adminOrganizationsReleaseUser, theirs),
    "the user leaves": ({ bob, acme }) => bob.body(organizationLeave, { organization_id: acme }),
    "the administrator loses the role": ({ owner, helper, acme }) =>
      owner.body(adminRolesWithdraw, { user_id: helper.user.id, role: "user_manager", organization_id: acme }),
    "the user gets a role": ({ owner, user_id }) => owner.body(adminRolesAssign, { user_id, role: "support" }),
    "the user gets another address": ({ owner, user_id }) => owner.body(adminUsersSetEmail, { user_id, email: "bob@elsewhere.example" }),
  }
  for (const [when, end] of Object.entries(endings))
    rule(`changes nothing when ${when} before the commit`, function* () {
      const world = yield* staffed
      yield* world.manage
      const finish = yield* decided(world.helper.call(adminUsersSetPassword, { user_id: world.user_id, password }))
      yield* end(world)
      assert.include(["forbidden", "user_not_found"], yield* finish)
    })
})

describe("POST /admin/organizations/manage-user", () => {
  rule("needs a member with a verified address under the domain, and an administrator for all organizations", function* () {
    const { owner, helper, ada, theirs, user_id } = yield* staffed
    const code = (more: object) => owner.code(adminOrganizationsManageUser, { ...theirs, ...more })
    assert.strictEqual(yield* code({ domain: "elsewhere.example" }), "invalid_request")
    for (const domain of ["ample.com", "com", "", "example.com.", "@example.com", "éxample.com"])
      assert.strictEqual(yield* code({ domain }), "invalid_request")
    assert.strictEqual(yield* code({ organization_id: "unknown" }), "organization_not_found")
    assert.strictEqual(yield* code({ user_id: "unknown" }), "user_not_found")
    assert.strictEqual(yield* code({ user_id: helper.user.id }), "not_a_member")
    // The founder's address is not verified.
    assert.strictEqual(yield* code({ user_id: ada.user.id }), "invalid_request")
    for (const endpoint of [adminOrganizationsManageUser, adminOrganizationsReleaseUser] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* helper.code(endpoint, theirs), "forbidden")
    const { managed } = yield* owner.body(adminOrganizationsManageUser, { ...theirs, domain: "EXAMPLE.com" })
    assert.deepStrictEqual([managed.domain, managed.user_id], ["example.com", user_id])
  })

  rule("lets one organization manage a user, until it releases or loses them", function* () {
    const { owner, ada, bob, acme, other, theirs, user_id, manage } = yield* staffed
    const second = { ...theirs, organization_id: other }
    const tally = yield* atOnce([manage, owner.call(adminOrganizationsManageUser, second)])
    assert.deepStrictEqual(tally, { ok: 1, invalid_request: 1 })
    const [row] = yield* rows(ManagedUsers)
    const [mine, their] = row?.organization_id === acme ? [acme, other] : [other, acme]
    // Another organization cannot release the user.
    yield* owner.body(adminOrganizationsReleaseUser, { organization_id: their, user_id })
    assert.lengthOf(yield* rows(ManagedUsers), 1)
    yield* bob.body(organizationLeave, { organization_id: mine })
    yield* owner.body(adminOrganizationsManageUser, { ...theirs, organization_id: their })
    yield* ada.body(organizationDelete, { organization_id: their })
    assert.lengthOf(yield* rows(ManagedUsers), 0)
  })

  rule("is recorded with the organization", function* () {
    const { owner, acme, theirs, user_id, manage } = yield* staffed
    yield* manage
    yield* owner.body(adminOrganizationsReleaseUser, theirs)
    const seen = (yield* rows(Records)).filter(({ type }) => type.startsWith("organization.user_"))
    assert.deepStrictEqual(
      seen.map(({ type, actor_kind, subject_id, organization_id }) => [type, actor_kind, subject_id, organization_id]),
      ["managed", "released"].map((what) => [`organization.user_${what}`, "admin", user_id, acme]),
    )
  })
})
