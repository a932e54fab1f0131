import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { searchNames } from "../../../../application/modules/organization/administration/search-names.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { Invitations, Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { insert, Store, update } from "../../../../domain/ports/store.ts"
import { Tallies } from "../../../../domain/storage/tally.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, emails, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { limits } from "./organizations.ts"

// Organizations, members and invitations, as administrators of the service change them.

const root = "root@example.com"
const organizations = organization.build({
  access_control: standard,
  invitation_expires_in: 604_800,
  ...limits,
  max_per_user: 3,
  max_invitations: 2,
})
const worldOf = (settings: object) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, ...settings }))
  const modules = [...everything.filter(({ name }) => name !== "admin" && name !== "organization"), built, organizations]
  return { built, modules, auth: AuthOf.make(modules) }
}
const { built, modules, auth } = worldOf({})
const rule = rulesOf(modules)
const { adminSetRole } = built.endpoints
const {
  adminOrganizationsAddMember,
  adminOrganizationsCancelInvitation,
  adminOrganizationsCreate,
  adminOrganizationsDelete,
  adminOrganizationsInvitations,
  adminOrganizationsInvite,
  adminOrganizationsList,
  adminOrganizationsMembers,
  adminOrganizationsRemoveMember,
  adminOrganizationsResendInvitation,
  adminOrganizationsSetMemberRole,
  adminOrganizationsShow,
  adminOrganizationsUpdate,
  organizationAcceptInvitation,
  organizationShowInvitation,
  organizationInvite,
  organizationLeave,
  organizationListInvitations,
} = organizations.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`, auth)
type Person = Effect.Success<ReturnType<typeof signedUp>>

/** An organization that an administrator made for a user. */
const acme = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUp("root"), yield* signedUp("ada")]
  const { organization } = yield* owner.body(adminOrganizationsCreate, { name: "Acme", slug: "acme", user_id: ada.user.id })
  return { owner, ada, organization_id: organization.id }
})

const rolesIn = Effect.fnUntraced(function* (owner: Person, organization_id: string) {
  const { members } = yield* owner.body(adminOrganizationsMembers, { organization_id })
  return Object.fromEntries(members.map(({ email, role }) => [email.replace("@example.com", ""), role]))
})

describe("an administrator creates an organization", () => {
  rule("whose owner is the named user, and which works as any other", function* () {
    const { owner, ada, organization_id } = yield* acme
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { ada: "owner" })
    yield* ada.body(organizationInvite, { organization_id, email: "bob@example.com" })
    const again = { name: "Acme", slug: "ACME", user_id: ada.user.id }
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, again), "slug_taken")
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, { ...again, slug: "other", user_id: "unknown" }), "user_not_found")
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, { ...again, slug: "-" }), "invalid_request")
  })

  rule("within the limit of organizations of a user, and not for guests", function* () {
    const { owner, ada } = yield* acme
    const made = (slug: string) => ({ name: slug, slug, user_id: ada.user.id })
    for (const slug of ["two", "three"]) yield* owner.body(adminOrganizationsCreate, made(slug))
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, made("four")), "invalid_request")
    const eve = yield* signedUp("eve")
    const stored = Option.getOrThrow(yield* (yield* Store).read(Users, { id: eve.user.id }))
    yield* Effect.orDie((yield* Store).commit([update(Users, stored, { is_guest: true })]))
    const refusal = yield* Effect.flip(owner.call(adminOrganizationsCreate, { ...made("eve"), user_id: eve.user.id }))
    assert.deepInclude(refusal, { _tag: "invalid_request", member: "user_id" })
  })

  rule("once for a key, however often it is sent at once", function* () {
    const [owner, ada] = [yield* signedUp("root"), yield* signedUp("ada")]
    const input = { name: "Acme", slug: "acme", user_id: ada.user.id, idempotency_key: "once" }
    const answers = yield* Effect.all(
      times(20, () => owner.body(adminOrganizationsCreate, input)),
      { concurrency: "unbounded" },
    )
    assert.lengthOf([...new Set(answers.map((answer) => JSON.stringify(answer)))], 1)
    assert.lengthOf(yield* rows(Organizations), 1)
    assert.lengthOf(yield* rows(Members), 1)
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, { ...input, name: "Another" }), "idempotency_key_reused")
  })

  rule("of many with one slug at once, one", function* () {
    const [owner, ...people] = yield* Effect.forEach(["root", "ada", "bob", "eve"], signedUp)
    const calls = people.flatMap(({ user }) =>
      times(4, () => owner!.call(adminOrganizationsCreate, { name: "Acme", slug: "acme", user_id: user.id })),
    )
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, slug_taken: 11 })
    assert.lengthOf(yield* rows(Members), 1)
  })
})

describe("an administrator changes an organization", () => {
  rule("only with the version that was read, if one is given", function* () {
    const { owner, organization_id } = yield* acme
    const one = { organization_id }
    const { version } = yield* owner.body(adminOrganizationsShow, one)
    const changed = yield* owner.body(adminOrganizationsUpdate, { ...one, changes: { name: "Acme 1" }, expected_version: version })
    assert.deepInclude(changed.organization, { name: "Acme 1", slug: "acme" })
    const late = { ...one, changes: { slug: "late" }, expected_version: version }
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdate, late), "version_mismatch")
    assert.deepStrictEqual(yield* owner.body(adminOrganizationsShow, one), changed)
    const change = (index: number) =>
      owner.call(adminOrganizationsUpdate, { ...one, changes: { name: `name ${index}` }, expected_version: changed.version })
    assert.deepStrictEqual(yield* atOnce(times(10, change)), { ok: 1, version_mismatch: 9 })
  })

  rule("to a slug that no other one has, and of many at once one gets it", function* () {
    const { owner, ada, organization_id } = yield* acme
    const made = { name: "Other", slug: "other", user_id: ada.user.id }
    const other = (yield* owner.body(adminOrganizationsCreate, made)).organization.id
    const rename = (id: string, slug: string) => owner.call(adminOrganizationsUpdate, { organization_id: id, changes: { slug } })
    assert.deepStrictEqual(yield* atOnce([rename(organization_id, "other")]), { slug_taken: 1 })
    assert.deepStrictEqual(yield* atOnce([rename(organization_id, "new"), rename(other, "new")]), { ok: 1, slug_taken: 1 })
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdate, { organization_id: "unknown", changes: {} }), "organization_not_found")
  })

  rule("or deletes it with everything that belongs to it", function* () {
    const { owner, ada, organization_id } = yield* acme
    yield* ada.body(organizationInvite, { organization_id, email: "bob@example.com" })
    yield* owner.body(adminOrganizationsDelete, { organization_id })
    for (const table of [Organizations, Members, Invitations]) assert.lengthOf(yield* rows(table), 0, table.name)
    assert.strictEqual(yield* owner.code(adminOrganizationsDelete, { organization_id }), "organization_not_found")
  })
})

describe("where versions are required", () => {
  const strict = worldOf({ require_versions: true })

  rulesOf(strict.modules)("an organization and a role are changed with them only", function* () {
    const [owner, ada] = [yield* signedUpTo(root, strict.auth), yield* signedUpTo("ada@example.com", strict.auth)]
    const user_id = ada.user.id
    const { organization } = yield* owner.body(adminOrganizationsCreate, { name: "Acme", slug: "acme", user_id })
    const one = { organization_id: organization.id }
    const change = { ...one, changes: { name: "Other" } }
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdate, change), "version_required")
    const role = { ...one, user_id, role: "owner" }
    assert.strictEqual(yield* owner.code(adminOrganizationsSetMemberRole, role), "version_required")
    const { version } = yield* owner.body(adminOrganizationsShow, one)
    yield* owner.body(adminOrganizationsUpdate, { ...change, expected_version: version })
    const { members } = yield* owner.body(adminOrganizationsMembers, one)
    yield* owner.body(adminOrganizationsSetMemberRole, { ...role, expected_version: members[0]?.version ?? "" })
  })
})

describe("an administrator changes members", () => {
  rule("adds users with a role, once each", function* () {
    const { owner, organization_id } = yield* acme
    const bob = yield* signedUp("bob")
    const one = { organization_id, user_id: bob.user.id }
    assert.strictEqual(yield* owner.code(adminOrganizationsAddMember, { ...one, role: "emperor" }), "invalid_role")
    assert.strictEqual(yield* owner.code(adminOrganizationsAddMember, { ...one, user_id: "unknown" }), "user_not_found")
    assert.strictEqual(yield* owner.code(adminOrganizationsAddMember, { ...one, organization_id: "unknown" }), "organization_not_found")
    assert.deepStrictEqual(yield* atOnce(times(5, () => owner.call(adminOrganizationsAddMember, one))), { ok: 5 })
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { ada: "owner", bob: "member" })
    const refusal = yield* Effect.flip(owner.call(adminOrganizationsAddMember, { ...one, role: "admin" }))
    assert.deepInclude(refusal, { _tag: "invalid_request", member: "role" })
  })

  rule("gives another role, with the version of the member if one is given", function* () {
    const { owner, ada, organization_id } = yield* acme
    const bob = yield* signedUp("bob")
    const one = { organization_id, user_id: bob.user.id }
    assert.strictEqual(yield* owner.code(adminOrganizationsSetMemberRole, { ...one, role: "admin" }), "not_a_member")
    const { member } = yield* owner.body(adminOrganizationsAddMember, one)
    const change = { ...one, role: "admin", expected_version: member.version }
    const changed = yield* owner.body(adminOrganizationsSetMemberRole, change)
    assert.deepStrictEqual((yield* owner.body(adminOrganizationsMembers, { organization_id })).members[1], changed.member)
    assert.strictEqual(yield* owner.code(adminOrganizationsSetMemberRole, { ...change, role: "owner" }), "version_mismatch")
    assert.strictEqual(yield* owner.code(adminOrganizationsSetMemberRole, { ...one, role: "emperor" }), "invalid_role")
    const demotion = { organization_id, user_id: ada.user.id, role: "member" }
    assert.strictEqual(yield* owner.code(adminOrganizationsSetMemberRole, demotion), "sole_owner")
  })

  rule("removes members, but not the last owner", function* () {
    const { owner, ada, organization_id } = yield* acme
    const bob = yield* signedUp("bob")
    const [first, second] = [ada, bob].map(({ user }) => ({ organization_id, user_id: user.id }))
    assert.strictEqual(yield* owner.code(adminOrganizationsRemoveMember, second!), "not_a_member")
    yield* owner.body(adminOrganizationsAddMember, second!)
    assert.strictEqual(yield* owner.code(adminOrganizationsRemoveMember, first!), "sole_owner")
    yield* owner.body(adminOrganizationsSetMemberRole, { ...second!, role: "owner" })
    yield* owner.body(adminOrganizationsRemoveMember, first!)
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { bob: "owner" })
  })

  rule("of the last two owners, whom two administrators remove or demote at once, one stays", function* () {
    const { owner, ada, organization_id } = yield* acme
    const [second, bob] = [yield* signedUp("second"), yield* signedUp("bob")]
    yield* owner.body(adminSetRole, { user_id: second.user.id, role: "admin" })
    const ones = [ada, bob].map(({ user }) => ({ organization_id, user_id: user.id }))
    for (let round = 0; round < 10; round++) {
      for (const one of ones) {
        const { members } = yield* owner.body(adminOrganizationsMembers, { organization_id })
        const isMember = members.some(({ user_id }) => user_id === one.user_id)
        const given = { ...one, role: "owner" }
        yield* isMember ? owner.body(adminOrganizationsSetMemberRole, given) : owner.body(adminOrganizationsAddMember, given)
      }
      const lose = (their: Person, at: number) =>
        round % 2 === 0
          ? their.call(adminOrganizationsRemoveMember, ones[at]!)
          : their.call(adminOrganizationsSetMemberRole, { ...ones[at]!, role: "member" })
      assert.deepStrictEqual(yield* atOnce([lose(owner, 0), lose(second, 1)]), { ok: 1, sole_owner: 1 })
      assert.include(Object.values(yield* rolesIn(owner, organization_id)), "owner")
    }
  })

  rule("adds one to an organization whose last other member leaves, which then stays", function* () {
    const { owner, ada, organization_id } = yield* acme
    const [bob, eve] = [yield* signedUp("bob"), yield* signedUp("eve")]
    yield* owner.body(adminOrganizationsAddMember, { organization_id, user_id: bob.user.id })
    const adding = owner.call(adminOrganizationsAddMember, { organization_id, user_id: eve.user.id })
    assert.deepStrictEqual(yield* atOnce([adding, bob.call(organizationLeave, { organization_id })]), { ok: 2 })
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { ada: "owner", eve: "member" })
    assert.strictEqual(yield* ada.code(organizationLeave, { organization_id }), "sole_owner")
  })
})

describe("an administrator invites to an organization", () => {
  const invited = Effect.gen(function* () {
    const world = yield* acme
    const { invitation } = yield* world.owner.body(adminOrganizationsInvite, {
      organization_id: world.organization_id,
      email: "bob@example.com",
      role: "admin",
    })
    const one = { organization_id: world.organization_id, reference: invitation.reference }
    const accept = Effect.fnUntraced(function* (their: Person) {
      const [stored] = (yield* rows(Invitations)).filter(({ reference }) => reference === one.reference)
      return yield* their.body(organizationAcceptInvitation, { invitation_id: stored?.id ?? "" })
    })
    return { ...world, invitation, one, accept }
  })

  rule("without seeing the secret, and by a mail that does not name them", function* () {
    const { owner, ada, organization_id, invitation } = yield* invited
    assert.notProperty(invitation, "id")
    const { invitations } = yield* owner.body(adminOrganizationsInvitations, { organization_id })
    assert.deepStrictEqual(invitations, [invitation])
    assert.lengthOf((yield* ada.body(organizationListInvitations, { organization_id })).invitations, 1)
    const mail = (yield* emails).at(-1)
    assert.strictEqual(mail?.to, "bob@example.com")
    assert.include(mail?.text, "by an administrator")
    assert.notInclude(mail?.text, root)
    const [stored] = yield* rows(Invitations)
    const shown = yield* ada.body(organizationShowInvitation, { invitation_id: stored?.id ?? "" })
    assert.deepStrictEqual(shown.invitation.invited_by, { kind: "administrator", name: null, email: null })
    const input = { organization_id, email: "eve@example.com" }
    assert.strictEqual(yield* owner.code(adminOrganizationsInvite, { ...input, role: "emperor" }), "invalid_role")
    assert.strictEqual(yield* owner.code(adminOrganizationsInvite, { ...input, organization_id: "unknown" }), "organization_not_found")
    yield* owner.body(adminOrganizationsInvite, input)
    assert.strictEqual(yield* owner.code(adminOrganizationsInvite, { ...input, email: "late@example.com" }), "invalid_request")
  })

  rule("and the invited user joins, also if all who were members then have left", function* () {
    const { owner, ada, organization_id, accept } = yield* invited
    const [bob, eve] = [yield* signedUp("bob"), yield* signedUp("eve")]
    yield* owner.body(adminOrganizationsAddMember, { organization_id, user_id: eve.user.id, role: "owner" })
    yield* ada.body(organizationLeave, { organization_id })
    assert.strictEqual((yield* Effect.flip(accept(eve)))._tag, "forbidden")
    assert.notProperty(yield* rolesIn(owner, organization_id), "bob")
    yield* accept(bob)
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { eve: "owner", bob: "admin" })
  })

  rule("unless the administrator may invite no more", function* () {
    const { owner, organization_id } = yield* acme
    const [manager, bob] = [yield* signedUp("manager"), yield* signedUp("bob")]
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
    const { invitation } = yield* manager.body(adminOrganizationsInvite, { organization_id, email: "bob@example.com" })
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "support" })
    const [stored] = yield* rows(Invitations)
    const input = { invitation_id: stored?.id ?? "" }
    assert.strictEqual(yield* bob.code(organizationAcceptInvitation, input), "invalid_invitation")
    // Another administrator takes it over.
    yield* owner.body(adminOrganizationsResendInvitation, { organization_id, reference: invitation.reference })
    yield* bob.body(organizationAcceptInvitation, input)
    assert.deepStrictEqual(yield* rolesIn(owner, organization_id), { ada: "owner", bob: "member" })
  })

  rule("again, from which it begins anew, with the same id and another token", function* () {
    const { owner, organization_id, one, invitation, accept } = yield* invited
    const first = (yield* emails).at(-1)?.text
    yield* TestClock.adjust("6 days")
    const { invitation: renewed } = yield* owner.body(adminOrganizationsResendInvitation, one)
    assert.isTrue(DateTime.isGreaterThan(DateTime.makeUnsafe(renewed.expires_at), DateTime.makeUnsafe(invitation.expires_at)))
    const mailIn = (text: string | undefined) => {
      const [, invitation_id = "", token = ""] = /invitation_id=([\w-]+)&token=([\w-]+)/.exec(text ?? "") ?? []
      return { invitation_id, token }
    }
    const [old, fresh] = [mailIn(first), mailIn((yield* emails).at(-1)?.text)]
    assert.strictEqual(fresh.invitation_id, old.invitation_id)
    const offered = (mail: object) => Effect.map(owner.body(organizationShowInvitation, mail as typeof old), (body) => body.invitation)
    assert.deepStrictEqual([(yield* offered(old)).can_sign_up, (yield* offered(fresh)).can_sign_up], [false, true])
    yield* TestClock.adjust("6 days")
    yield* accept(yield* signedUp("bob"))
    assert.lengthOf(
      (yield* rows(Members)).filter((member) => member.organization_id === organization_id),
      2,
    )
  })

  rule("or cancels the invitation of a member", function* () {
    const { owner, ada, organization_id, one } = yield* invited
    const other = yield* owner.body(adminOrganizationsCreate, { name: "Other", slug: "other", user_id: ada.user.id })
    const elsewhere = { ...one, organization_id: other.organization.id }
    for (const endpoint of [adminOrganizationsCancelInvitation, adminOrganizationsResendInvitation] as ReadonlyArray<AnyEndpoint>) {
      assert.strictEqual(yield* owner.code(endpoint, elsewhere), "invalid_invitation")
      assert.strictEqual(yield* owner.code(endpoint, { ...one, reference: "unknown" }), "invalid_invitation")
    }
    const { invitation } = yield* ada.body(organizationInvite, { organization_id, email: "eve@example.com" })
    const [stored] = (yield* rows(Invitations)).filter(({ id }) => id === invitation.id)
    yield* owner.body(adminOrganizationsCancelInvitation, { organization_id, reference: stored?.reference ?? "" })
    const eve = yield* signedUp("eve")
    assert.strictEqual(yield* eve.code(organizationAcceptInvitation, { invitation_id: invitation.id }), "invalid_invitation")
  })
})

const at = (index: number) => DateTime.makeUnsafe(Date.UTC(2020, 0, 1) + 1000 * index)
const id = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`

/** Adds organizations whose time of creation grows with their index; three have the same time. */
const added = Effect.fnUntraced(function* (count: number) {
  const all = times(count, (index) => ({
    id: id(index),
    name: index % 2 === 0 ? `Even ${index}` : `ÖDD ${index}`,
    slug: `slug-${index}`,
    created_at: at(index - (index % 3)),
  }))
  yield* Effect.orDie((yield* Store).commit(all.map((row) => insert(Organizations, row))))
})

describe("GET /admin/organizations/list", () => {
  const paged = Effect.fnUntraced(function* (owner: Person, input: object) {
    const ids: Array<string> = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = yield* owner.body(adminOrganizationsList, { ...input, ...(cursor === undefined ? {} : { cursor }) })
      ids.push(...page.organizations.map((organization) => organization.id))
      cursor = page.next_cursor
    }
    return ids
  })
  const newest = (indexes: ReadonlyArray<number>) =>
    indexes.toSorted((one, other) => other - (other % 3) - (one - (one % 3)) || other - one).map(id)

  rule("shows all once, the newest first, by name or by slug", function* () {
    const owner = yield* signedUp("root")
    yield* added(20)
    const all = times(20, (index) => index)
    for (const limit of [1, 7, 20, 500]) {
      assert.deepStrictEqual(yield* paged(owner, { limit }), newest(all), String(limit))
      assert.deepStrictEqual(yield* paged(owner, { limit, name_prefix: " öd" }), newest(all.filter((index) => index % 2 === 1)))
      assert.deepStrictEqual(yield* paged(owner, { limit, name_prefix: "even 1" }), newest([10, 12, 14, 16, 18]))
    }
    assert.deepStrictEqual(yield* paged(owner, { slug: "SLUG-7" }), [id(7)])
    assert.deepStrictEqual(yield* paged(owner, { slug: "slug-7", name_prefix: "even" }), [])
    assert.deepStrictEqual(yield* paged(owner, { slug: "unknown" }), [])
  })

  rule("counts those who match, and without filters all, as they were last counted if they are many", function* () {
    const owner = yield* signedUp("root")
    yield* added(9)
    const total = (input: object) =>
      Effect.map(owner.body(adminOrganizationsList, { ...input, limit: 1, total: true }), (page) => page.total)
    assert.isUndefined((yield* owner.body(adminOrganizationsList, {})).total)
    assert.deepStrictEqual(yield* total({}), { count: 9, capped: false })
    const tally = { id: "organization", count: 70_000, as_of: at(0), counted: 0, place: null, leased_until: null }
    yield* Effect.orDie((yield* Store).commit([insert(Tallies, tally)]))
    assert.deepStrictEqual(yield* total({}), { count: 70_000, capped: false, as_of: at(0) })
    assert.deepStrictEqual(yield* total({ name_prefix: "even" }), { count: 5, capped: false })
    assert.deepStrictEqual(yield* total({ name_prefix: "even", slug: "slug-1" }), { count: 0, capped: false })
  })

  rule("takes a cursor for the list that it came from only", function* () {
    const owner = yield* signedUp("root")
    yield* added(3)
    const { next_cursor: cursor } = yield* owner.body(adminOrganizationsList, { limit: 1, name_prefix: "e" })
    for (const input of [{}, { name_prefix: "ö" }, { slug: "slug-1" }, { cursor: "unknown", name_prefix: "e" }])
      assert.strictEqual(yield* owner.code(adminOrganizationsList, { cursor: cursor!, ...input }), "invalid_request")
    assert.lengthOf((yield* owner.body(adminOrganizationsList, { cursor: cursor!, name_prefix: "e" })).organizations, 1)
  })
})

rule("the search names of organizations are derived in rounds, after which nothing is left", function* () {
  yield* added(5)
  yield* searchNames.run
  assert.deepStrictEqual(yield* (yield* Store).list(Organizations, { search_name: null }, { limit: 1 }), [])
})

rule("the audit log has what administrators change, with them as the actor", function* () {
  const { owner, organization_id } = yield* acme
  const bob = yield* signedUp("bob")
  const one = { organization_id, user_id: bob.user.id }
  yield* owner.body(adminOrganizationsUpdate, { organization_id, changes: { name: "Acme 1" } })
  yield* owner.body(adminOrganizationsAddMember, one)
  yield* owner.body(adminOrganizationsSetMemberRole, { ...one, role: "admin" })
  yield* owner.body(adminOrganizationsRemoveMember, one)
  const { invitation } = yield* owner.body(adminOrganizationsInvite, { organization_id, email: "eve@example.com" })
  yield* TestClock.adjust("1 second")
  yield* owner.body(adminOrganizationsResendInvitation, { organization_id, reference: invitation.reference })
  yield* owner.body(adminOrganizationsCancelInvitation, { organization_id, reference: invitation.reference })
  yield* owner.body(adminOrganizationsDelete, { organization_id })
  const records = (yield* rows(Records)).filter((record) => record.organization_id === organization_id)
  for (const { actor_kind, actor_id } of records) assert.deepStrictEqual([actor_kind, actor_id], ["admin", owner.user.id])
  assert.sameMembers(
    [...new Set(records.map(({ type }) => type))],
    [
      ...["organization.created", "organization.updated", "organization.deleted"],
      ...["organization.member_added", "organization.member_role_changed", "organization.member_removed"],
      ...["invitation.created", "invitation.resent", "invitation.cancelled"],
    ],
  )
})
