import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema, Stream } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { memberAttributes } from "../../../../application/modules/attributes/members.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { MemberAttributes } from "../../../../domain/attributes/members.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { ownedTables, rowsOfUser } from "../../../../domain/users/owned-rows.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, onWire, rows, signedUp as signedUpTo } from "../../../world.ts"
import { workedBy } from "../admin/job-world.ts"

const root = "root@example.com"
const text = (maxLength: number) => ({ type: "string", maxLength })
const own = memberAttributes.build(
  Schema.decodeUnknownSync(memberAttributes.settings)({
    grade: { schema: { enum: ["junior", "senior"] } },
    about: { schema: text(20_000), write: "user" },
    title: { schema: text(40), write: "user" },
    salary: { schema: { type: "integer" }, read: "admin" },
  }),
)
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, jobs: true, merges: true }))
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const modules = [...core, own, administration, organizations, log]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { organizationCreate, organizationDelete, organizationGetFull, organizationListMembers, organizationLeave } = organizations.endpoints
const { organizationRemoveMember, organizationUpdateMember, organizationUpdateRole } = organizations.endpoints
const { organizationInvite, organizationAcceptInvitation } = organizations.endpoints
const { adminOrganizationsAddMember, adminOrganizationsMembers, adminOrganizationsRemoveMember } = organizations.endpoints
const { adminOrganizationsSetMemberRole, adminOrganizationsUpdateMember } = organizations.endpoints
const { adminRemoveUser, adminSetRole, adminUsersMerge, adminUsersShow } = administration.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`, auth)
type Person = Effect.Success<ReturnType<typeof signedUp>>

/** An organization of Ada, whose member Bob gets attributes. */
const acme = Effect.gen(function* () {
  const [owner, ada, bob] = [yield* signedUp("root"), yield* signedUp("ada"), yield* signedUp("bob")]
  const { organization } = yield* ada.body(organizationCreate, { name: "Acme", slug: "acme" })
  const organization_id = organization.id
  const one = { organization_id, user_id: bob.user.id }
  yield* owner.body(adminOrganizationsAddMember, one)
  const change = (attributes: object) => ada.body(organizationUpdateMember, { ...one, attributes })
  const administer = (attributes: object, their: Pick<Person, "body"> = owner) =>
    their.body(adminOrganizationsUpdateMember, { ...one, changes: { attributes } })
  return { owner, ada, bob, organization_id, one, change, administer }
})
/** The last member in an answer, as it is on the wire. */
const last = (their: Pick<Person, "body">, endpoint: { readonly name: string }, input: object) =>
  Effect.gen(function* () {
    const complete = auth.endpoints[endpoint.name] ?? assert.fail(endpoint.name)
    const { members, member } = yield* onWire(complete, yield* their.body(complete, input))
    return member ?? members.at(-1)
  })
const shown = (...given: Parameters<typeof last>) => Effect.map(last(...given), ({ attributes }) => attributes)
const stored = Effect.map(rows(MemberAttributes), (all) =>
  Object.fromEntries(all.map(({ organization_id, user_id, values }) => [`${organization_id} ${user_id}`, values])),
)

describe("attributes of members", () => {
  rule("are what members and administrators may see and change", function* () {
    const { owner, ada, bob, organization_id, one, change, administer } = yield* acme
    assert.deepStrictEqual(yield* shown(bob, organizationListMembers, { organization_id }), {})
    yield* administer({ grade: "senior", salary: 3 })
    yield* change({ title: "Engineer" })
    const visible = { grade: "senior", title: "Engineer" }
    for (const their of [ada, bob])
      for (const endpoint of [organizationListMembers, organizationGetFull])
        assert.deepStrictEqual(yield* shown(their, endpoint, { organization_id }), visible, endpoint.path)
    assert.deepStrictEqual(yield* shown(ada, organizationUpdateMember, one), visible)
    const all = { grade: "senior", title: "Engineer", salary: 3 }
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsMembers, { organization_id }), all)
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsAddMember, one), all)
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsSetMemberRole, { ...one, role: "admin" }), all)
    yield* administer({ grade: null, title: null })
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsMembers, { organization_id }), { salary: 3 })
    assert.deepStrictEqual(yield* shown(bob, organizationListMembers, { organization_id }), {})
    const { invitation } = yield* ada.body(organizationInvite, { organization_id, email: root })
    assert.deepStrictEqual(yield* shown(owner, organizationAcceptInvitation, { invitation_id: invitation.id }), {})
  })

  rule("are changed with the role in one commit, by members who rank no lower", function* () {
    const { ada, bob, organization_id, one } = yield* acme
    const promotion = { ...one, role: "admin", attributes: { title: "Boss" } }
    const member = yield* last(ada, organizationUpdateMember, promotion)
    assert.deepInclude(member, { user_id: bob.user.id, role: "admin", attributes: { title: "Boss" } })
    yield* bob.body(organizationUpdateMember, { ...one, attributes: { title: "Chief" } })
    const above = { organization_id, user_id: ada.user.id, attributes: { title: "Other" } }
    assert.strictEqual(yield* bob.code(organizationUpdateMember, above), "forbidden")
    assert.strictEqual(yield* ada.code(organizationUpdateMember, { ...one, role: "emperor", attributes: { title: "x" } }), "invalid_role")
    const demotion = { organization_id, user_id: ada.user.id, role: "member", attributes: { title: "x" } }
    assert.strictEqual(yield* ada.code(organizationUpdateMember, demotion), "forbidden")
    yield* ada.body(organizationUpdateRole, { ...one, role: "member" })
    assert.deepStrictEqual(yield* stored, { [`${organization_id} ${bob.user.id}`]: { title: "Chief" } })
  })

  rule("are refused if they are unknown, invalid, too large, or another's to write", function* () {
    const { owner, ada, bob, organization_id, one } = yield* acme
    for (const attributes of [{ grade: "senior" }, { salary: 1 }, { unknown: 1 }, { title: 1 }, { title: "x".repeat(41) }, 1, []])
      assert.strictEqual(yield* ada.code(organizationUpdateMember, { ...one, attributes }), "invalid_request", JSON.stringify(attributes))
    const large = { about: "x".repeat(16_384) }
    assert.strictEqual(yield* ada.code(organizationUpdateMember, { ...one, attributes: large }), "invalid_request")
    for (const attributes of [{ grade: "chief" }, { unknown: 1 }, { salary: "1" }]) {
      assert.strictEqual(yield* owner.code(adminOrganizationsUpdateMember, { ...one, changes: { attributes } }), "invalid_request")
      assert.strictEqual(yield* owner.code(adminOrganizationsAddMember, { ...one, attributes }), "invalid_request")
    }
    const attributes = { title: "Engineer" }
    assert.strictEqual(yield* bob.code(organizationUpdateMember, { ...one, attributes }), "forbidden")
    assert.strictEqual(yield* bob.code(adminOrganizationsUpdateMember, { ...one, changes: { attributes } }), "forbidden")
    const absent = { organization_id, user_id: owner.user.id }
    assert.strictEqual(yield* ada.code(organizationUpdateMember, { ...absent, attributes }), "not_a_member")
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdateMember, { ...absent, changes: { attributes } }), "not_a_member")
    assert.deepStrictEqual(yield* stored, {})
  })

  rule("that change at once all stay, and change the version", function* () {
    const { owner, organization_id, one, change, administer } = yield* acme
    const second = yield* signedUp("second")
    yield* owner.body(adminSetRole, { user_id: second.user.id, role: "admin" })
    const { version } = yield* last(owner, adminOrganizationsMembers, { organization_id })
    const changes = [
      ...[administer({ grade: "junior" }), administer({ salary: 1 }, second)],
      ...[change({ title: "Engineer" }), change({ about: "Engines" })],
      owner.body(adminOrganizationsSetMemberRole, { ...one, role: "admin" }),
    ]
    assert.deepStrictEqual(yield* atOnce<any, any>(changes), { ok: 5 })
    const all = { grade: "junior", about: "Engines", title: "Engineer", salary: 1 }
    const present = yield* last(owner, adminOrganizationsMembers, { organization_id })
    assert.deepInclude(present, { role: "admin", attributes: all })
    const stale = { ...one, expected_version: version, changes: { attributes: { salary: 2 } } }
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdateMember, stale), "version_mismatch")
    const exact = { ...stale, expected_version: present.version }
    const both = [
      owner.call(adminOrganizationsUpdateMember, exact),
      second.call(adminOrganizationsUpdateMember, { ...exact, changes: { role: "member" } }),
    ]
    assert.deepStrictEqual(yield* atOnce<any, any>(both), { ok: 1, version_mismatch: 1 })
  })

  rule("of a new member are in the same commit, and the same request can be repeated", function* () {
    const { owner, organization_id } = yield* acme
    const eve = yield* signedUp("eve")
    const input = { organization_id, user_id: eve.user.id, attributes: { title: "Chief", salary: 9 } }
    const [added, again] = [yield* last(owner, adminOrganizationsAddMember, input), yield* last(owner, adminOrganizationsAddMember, input)]
    assert.deepStrictEqual(added.attributes, { title: "Chief", salary: 9 })
    assert.deepStrictEqual(again, added)
    const other = yield* Effect.flip(owner.call(adminOrganizationsAddMember, { ...input, attributes: { salary: 10 } } as typeof input))
    assert.deepInclude(other, { _tag: "invalid_request", member: "attributes" })
  })

  rule("go with the membership, the organization and the user", function* () {
    const { owner, ada, bob, organization_id, one, change } = yield* acme
    const ends = [
      bob.body(organizationLeave, { organization_id }),
      ada.body(organizationRemoveMember, one),
      owner.body(adminOrganizationsRemoveMember, one),
      owner.body(adminRemoveUser, { user_id: bob.user.id }),
    ]
    for (const end of ends) {
      yield* owner.body(adminOrganizationsAddMember, one)
      yield* change({ title: "Engineer" })
      assert.lengthOf(yield* rows(MemberAttributes), 1)
      yield* end
      assert.lengthOf(yield* rows(MemberAttributes), 0)
    }
    yield* ada.body(organizationUpdateMember, { organization_id, user_id: ada.user.id, attributes: { title: "Founder" } })
    yield* ada.body(organizationDelete, { organization_id })
    assert.lengthOf(yield* rows(MemberAttributes), 0)
  })

  rule("that are written while the member is removed leave no row", function* () {
    const { owner, ada, organization_id, one } = yield* acme
    for (let round = 0; round < 10; round++) {
      yield* owner.body(adminOrganizationsAddMember, one)
      const calls = [
        ada.call(organizationUpdateMember, { ...one, attributes: { title: `Engineer ${round}` } } as typeof one),
        owner.call(adminOrganizationsUpdateMember, { ...one, changes: { attributes: { salary: round } } as object }),
        round % 2 === 0 ? ada.call(organizationRemoveMember, one) : owner.call(adminOrganizationsRemoveMember, one),
      ]
      const { ok = 0, not_a_member = 0 } = yield* atOnce<any, any>(calls)
      assert.strictEqual(ok + not_a_member, 3)
      assert.deepStrictEqual(yield* stored, {})
    }
    yield* owner.body(adminOrganizationsAddMember, one)
    const removal = owner.call(adminRemoveUser, { user_id: one.user_id })
    const write = ada.call(organizationUpdateMember, { ...one, attributes: { title: "Engineer" } } as typeof one)
    const { ok = 0, not_a_member = 0 } = yield* atOnce<any, any>([write, removal])
    assert.strictEqual(ok + not_a_member, 2)
    assert.deepStrictEqual(yield* stored, {})
    assert.lengthOf((yield* owner.body(adminOrganizationsMembers, { organization_id })).members, 1)
  })

  rule("are in the export of the user, with the organization", function* () {
    const { organization_id, one, administer } = yield* acme
    yield* administer({ salary: 5 })
    const table = ownedTables(auth.tables).find(({ table }) => table === MemberAttributes) ?? assert.fail("not owned")
    const [row] = yield* Stream.runCollect(rowsOfUser(table, one.user_id))
    assert.deepInclude(row, { organization_id, values: { salary: 5 } })
    assert.includeMembers([...(MemberAttributes.data.personal ?? [])], ["organization_id", "values"])
  })

  rule("move with the memberships of a merged user, the absent ones of two memberships", function* () {
    const { owner, bob, organization_id, one, administer } = yield* acme
    const into = yield* signedUp("into")
    const created_at = DateTime.makeUnsafe(0)
    yield* Effect.orDie(
      (yield* Store).commit([
        insert(Organizations, { id: "engines", name: "Engines", slug: "engines", created_at }),
        insert(Members, { id: "a", organization_id: "engines", user_id: one.user_id, role: "member", created_at }),
      ]),
    )
    yield* administer({ title: "Engineer", salary: 5 })
    yield* owner.body(adminOrganizationsUpdateMember, {
      ...{ organization_id: "engines", user_id: one.user_id },
      changes: { attributes: { grade: "junior" } } as object,
    })
    yield* owner.body(adminOrganizationsAddMember, { organization_id, user_id: into.user.id, attributes: { salary: 6 } } as typeof one)
    const versionOf = (user_id: string) => Effect.map(owner.body(adminUsersShow, { user_id }), ({ version }) => version)
    const versions = { from_version: yield* versionOf(bob.user.id), into_version: yield* versionOf(into.user.id) }
    yield* owner.body(adminUsersMerge, { from: bob.user.id, into: into.user.id, ...versions })
    yield* workedBy(auth)
    assert.deepStrictEqual(yield* stored, {
      [`${organization_id} ${into.user.id}`]: { title: "Engineer", salary: 6 },
      [`engines ${into.user.id}`]: { grade: "junior" },
    })
  })

  rule("are in the audit log as a change, without names and values", function* () {
    const { change, administer, one, organization_id } = yield* acme
    yield* change({ title: "Engineer" })
    yield* administer({ salary: 471 })
    yield* administer({ salary: 471 })
    const updates = (yield* rows(Records)).filter(({ type }) => type === "organization.member_updated")
    assert.deepStrictEqual(
      updates.map(({ subject_id, organization_id, data: { fields } }) => ({ subject_id, organization_id, fields })),
      [0, 1].map(() => ({ subject_id: one.user_id, organization_id, fields: ["attributes"] })),
    )
  })
})

const plain = AuthOf.make([...core, administration, organizations])

rule("without declared attributes, the endpoints are as they are declared", function* () {
  assert.strictEqual(plain.endpoints["organizationUpdateMember"]?.input, organizationUpdateMember.input)
  assert.strictEqual(plain.endpoints["adminOrganizationsMembers"]?.output, adminOrganizationsMembers.output)
})
