import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { ActiveOrganizations, Invitations, Members, Organizations, TeamMembers } from "../../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { finishRemovals, Removals } from "../../../../domain/storage/removals.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, endpoints as core, password, rows, signedUp, times } from "../../../world.ts"
import { auth, endpoints, founded, joined, modules, type Person, person, rolesSeenBy, rule, staffed } from "./organizations.ts"

const { deleteUser } = core
const { organizationInvite, organizationAcceptInvitation, organizationLeave, organizationUpdateRole, organizationCreate } = endpoints
const { organizationCreateTeam, organizationAddTeamMember, organizationSetActive } = endpoints

/** Organizations without an owner, and dangling references. */
const broken = Effect.gen(function* () {
  const members = yield* rows(Members)
  const [users, organizations] = [new Set((yield* rows(Users)).map(({ id }) => id)), (yield* rows(Organizations)).map(({ id }) => id)]
  const isOwned = (id: string) => members.some(({ organization_id, role }) => organization_id === id && role === "owner")
  return {
    unowned: organizations.filter((id) => !isOwned(id)),
    strays: members.filter(({ user_id, organization_id }) => !users.has(user_id) || !organizations.includes(organization_id)),
  }
})
const whole = { unowned: [], strays: [] }

/** An invitation as it is stored. */
const offer = Effect.fnUntraced(function* (inviter: Person, invitee: Person, organization_id: string) {
  const created_at = yield* DateTime.now
  const offered = {
    organization_id,
    email: invitee.user.email,
    role: "member",
    status: "pending" as const,
    token_hash: null,
    admitted_at: null,
    initiator: null,
    inviter_id: inviter.user.id,
  }
  return { ...offered, id: "an offer", reference: "a reference", created_at, expires_at: DateTime.add(created_at, { days: 1 }) }
})

describe("delete-user", () => {
  rule("removes the user's memberships, teams, active organization and invitations", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const { team } = yield* owner.body(organizationCreateTeam, { organization_id, name: "Team" })
    yield* owner.body(organizationAddTeamMember, { team_id: team.id, user_id: admin.user.id })
    yield* admin.body(organizationSetActive, { organization_id })
    yield* admin.body(organizationInvite, { organization_id, email: "new@example.com" })
    yield* admin.body(deleteUser, { password })
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "owner", member: "member" })
    for (const table of [TeamMembers, ActiveOrganizations]) assert.lengthOf(yield* rows(table), 0, table.name)
    assert.deepStrictEqual(new Set((yield* rows(Invitations)).map(({ inviter_id }) => inviter_id)), new Set([owner.user.id]))
  })

  rule("is refused to the last owner with other members, and changes nothing", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    yield* founded(owner, "alone")
    const refusal = yield* Effect.flip(owner.call(deleteUser, { password }))
    assert.deepStrictEqual([refusal._tag, refusal.status], ["sole_owner", 400])
    assert.lengthOf(yield* rows(Organizations), 2)
    assert.strictEqual(yield* owner.code(deleteUser, { password: "wrong" }), "invalid_credentials")
    for (const their of [admin, member]) yield* their.body(organizationLeave, { organization_id })
    yield* owner.body(deleteUser, { password })
    for (const table of [Organizations, Members, Invitations]) assert.lengthOf(yield* rows(table), 0, table.name)
  })

  rule("of the owner of 501 organizations is one short commit; the organizations are removed in batches afterwards", function* () {
    const ada = yield* person("ada")
    const bob = yield* person("bob")
    const created_at = yield* DateTime.now
    const owned = times(501, (index) => `organization ${index}`)
    const { commit } = yield* Store
    yield* Effect.orDie(commit(owned.map((id) => insert(Organizations, { id, name: id, slug: id, created_at }))))
    const membership = { user_id: ada.user.id, role: "owner", created_at }
    yield* Effect.orDie(commit(owned.map((id) => insert(Members, { id: `member of ${id}`, organization_id: id, ...membership }))))
    yield* Effect.orDie((yield* Store).commit([insert(Invitations, yield* offer(ada, bob, "organization 7"))]))
    yield* ada.body(deleteUser, { password })
    assert.lengthOf(yield* rows(Members), 0)
    assert.strictEqual(yield* bob.code(organizationAcceptInvitation, { invitation_id: "an offer" }), "invalid_invitation")
    const again = yield* person("ada")
    assert.deepStrictEqual((yield* again.body(endpoints.organizationList)).organizations, [])

    yield* finishRemovals(auth.tables)
    for (const table of [Organizations, Invitations, Removals]) assert.lengthOf(yield* rows(table), 0, table.name)
    assert.lengthOf(yield* rows(Users), 2)
  })

  rule("of a last owner with other members is refused however many organizations the user owns, and removes none", function* () {
    const { owner } = yield* staffed
    const created_at = yield* DateTime.now
    const founding = times(30, (index) => {
      const id = `organization ${index}`
      return [
        insert(Organizations, { id, name: id, slug: id, created_at }),
        insert(Members, { id: `member ${index}`, organization_id: id, user_id: owner.user.id, role: "owner", created_at }),
      ]
    })
    yield* Effect.orDie((yield* Store).commit(founding.flat()))
    assert.strictEqual(yield* owner.code(deleteUser, { password }), "sole_owner")
    assert.deepStrictEqual([(yield* rows(Organizations)).length, (yield* rows(Removals)).length], [31, 0])
  })

  rule("is allowed to an owner where another is left", function* () {
    const { owner, admin, organization_id } = yield* staffed
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "owner" })
    yield* owner.body(deleteUser, { password })
    assert.deepStrictEqual(yield* rolesSeenBy(admin, organization_id), { admin: "owner", member: "member" })
  })

  rule("removes every organization of which the user is the only member", function* () {
    const ada = yield* person("ada")
    for (const slug of times(12, (index) => `org${index}`)) yield* founded(ada, slug)
    const { organization_id } = yield* staffed
    yield* ada.body(deleteUser, { password })
    assert.deepStrictEqual(
      (yield* rows(Organizations)).map(({ id }) => id),
      [organization_id],
    )
  })
})

describe("remove-user", () => {
  const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"] }))
  const administered = [...modules, administration]
  const { adminRemoveUser } = administration.endpoints

  rulesOf(administered)("by an administrator follows the same rules", function* () {
    const root = yield* signedUp("root@example.com", AuthOf.make(administered))
    const { owner, admin, member, organization_id } = yield* staffed
    const removal = { user_id: owner.user.id }
    assert.strictEqual(yield* root.code(adminRemoveUser, removal), "sole_owner")
    yield* root.body(adminRemoveUser, { user_id: admin.user.id })
    yield* member.body(organizationLeave, { organization_id })
    yield* root.body(adminRemoveUser, removal)
    for (const table of [Organizations, Members, Invitations]) assert.lengthOf(yield* rows(table), 0, table.name)
  })
})

describe("concurrently", () => {
  const owners = Effect.gen(function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id, "owner")
    return { ada, bob, organization_id }
  })
  const deletion = (their: Person) => their.call(deleteUser, { password })

  rule("two owners are both deleted with the organization, since the second is alone", function* () {
    const { ada, bob } = yield* owners
    assert.deepStrictEqual(yield* atOnce([ada, bob].map(deletion)), { ok: 2 })
    for (const table of [Organizations, Members, Users]) assert.lengthOf(yield* rows(table), 0, table.name)
  })

  rule("with another member, one of two owners stays", function* () {
    const { ada, bob, organization_id } = yield* owners
    yield* joined(ada, yield* person("cleo"), organization_id)
    assert.deepStrictEqual(yield* atOnce([ada, bob].map(deletion)), { ok: 1, sole_owner: 1 })
    assert.deepStrictEqual(yield* broken, whole)
  })

  for (const round of [1, 2, 3]) {
    rule(`a deletion and a concurrent join (${round})`, function* () {
      const [ada, bob] = [yield* person("ada"), yield* person("bob")]
      const { id: organization_id } = yield* founded(ada)
      const { invitation } = yield* ada.body(organizationInvite, { organization_id, email: bob.user.email })
      const accepting = bob.call(organizationAcceptInvitation, { invitation_id: invitation.id })
      const tally = yield* atOnce(round === 1 ? [accepting, deletion(ada)] : [deletion(ada), accepting])
      const stayed = (yield* rows(Organizations)).length === 1
      assert.deepStrictEqual(tally, stayed ? { ok: 1, sole_owner: 1 } : { ok: 1, invalid_invitation: 1 })
      assert.lengthOf(yield* rows(Members), stayed ? 2 : 0)
      assert.deepStrictEqual(yield* broken, whole)
    })

    rule(`a deletion, a promotion and the promoter's leaving (${round})`, function* () {
      const { owner, admin, organization_id } = yield* staffed
      const promotion = owner.call(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "owner" })
      const handingOver = Effect.andThen(promotion, owner.call(organizationLeave, { organization_id }))
      yield* atOnce(round === 1 ? [handingOver, deletion(admin)] : [deletion(admin), handingOver])
      assert.deepStrictEqual(yield* broken, whole)
    })
  }

  rule("a deletion and organizations that the user creates leave none without an owner", function* () {
    const ada = yield* person("ada")
    const founding = times(6, (index) => ada.call(organizationCreate, { name: "Org", slug: `org${index}` }))
    yield* atOnce([...founding.slice(0, 3), deletion(ada), ...founding.slice(3)])
    assert.deepStrictEqual(yield* broken, whole)
    assert.lengthOf(yield* rows(Organizations), 0)
  })

  rule("a deletion and invitations that the user sends leave no invitation", function* () {
    const { owner, organization_id } = yield* staffed
    for (const round of times(8, String)) {
      const their = yield* person(`sender${round}`)
      yield* joined(owner, their, organization_id, "admin")
      const inviting = times(6, (index) => their.call(organizationInvite, { organization_id, email: `p${index}@example.com` }))
      yield* atOnce([...inviting.slice(0, 4), deletion(their), ...inviting.slice(4)])
      assert.isEmpty((yield* rows(Invitations)).filter(({ inviter_id }) => inviter_id === their.user.id))
    }
  })
})
