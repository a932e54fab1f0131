import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Invitations, Members, Organizations, Teams } from "../../../../domain/organizations/tables.ts"
import { decided } from "../../../decided.ts"
import { endpoints as core, password, rows } from "../../../world.ts"
import { endpoints, founded, joined, type Person, person, rolesSeenBy, rule, staffed } from "./organizations.ts"

const { organizationAcceptInvitation, organizationInvite, organizationLeave, organizationUpdateRole, organizationRemoveMember } = endpoints
const { organizationCreate, organizationCreateTeam, organizationUpdate, organizationDelete, organizationSetActive } = endpoints

const deletion = (their: Person) => their.call(core.deleteUser, { password })
const isEmpty = Effect.fnUntraced(function* () {
  for (const table of [Organizations, Members, Invitations, Teams]) assert.lengthOf(yield* rows(table), 0, table.name)
})
const invited = Effect.fnUntraced(function* (owner: Person, their: Person, organization_id: string, role = "member") {
  const { invitation } = yield* owner.body(organizationInvite, { organization_id, email: their.user.email, role })
  return their.call(organizationAcceptInvitation, { invitation_id: invitation.id })
})

describe("an invitation during its acceptance", () => {
  // The inviter is not among the first two members.
  const offered = Effect.gen(function* () {
    const { owner, member, outsider, organization_id } = yield* staffed
    const theirs = { organization_id, user_id: member.user.id }
    yield* owner.body(organizationUpdateRole, { ...theirs, role: "admin" })
    return { owner, theirs, finish: yield* decided(yield* invited(member, outsider, organization_id, "admin")) }
  })

  rule("is refused when its sender is demoted concurrently", function* () {
    const { owner, theirs, finish } = yield* offered
    yield* owner.body(organizationUpdateRole, { ...theirs, role: "member" })
    assert.strictEqual(yield* finish, "invalid_invitation")
    assert.lengthOf(yield* rows(Members), 3)
  })

  rule("is refused when its sender is removed concurrently", function* () {
    const { owner, theirs, finish } = yield* offered
    yield* owner.body(organizationRemoveMember, theirs)
    assert.strictEqual(yield* finish, "invalid_invitation")
    assert.lengthOf(yield* rows(Members), 2)
  })

  rule("is refused when a new one replaces it concurrently", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const finish = yield* decided(yield* invited(owner, outsider, organization_id, "admin"))
    yield* owner.body(organizationInvite, { organization_id, email: outsider.user.email })
    assert.strictEqual(yield* finish, "invalid_invitation")
  })
})

describe("a user during their deletion", () => {
  rule("stays if they become the only owner concurrently", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const finish = yield* decided(deletion(admin))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "owner" })
    yield* owner.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "sole_owner")
    assert.deepStrictEqual(yield* rolesSeenBy(admin, organization_id), { admin: "owner", member: "member" })
  })

  rule("stays if they join an organization as its only owner concurrently", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const accept = yield* invited(owner, outsider, organization_id, "owner")
    const finish = yield* decided(deletion(outsider))
    yield* accept
    yield* owner.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "sole_owner")
  })

  rule("is deleted with an organization that they create concurrently", function* () {
    const ada = yield* person("ada")
    const finish = yield* decided(deletion(ada))
    yield* founded(ada)
    assert.strictEqual(yield* finish, "ok")
    yield* isEmpty()
  })

  rule("creates no organization afterwards", function* () {
    const ada = yield* person("ada")
    const finish = yield* decided(ada.call(organizationCreate, { name: "Acme", slug: "acme" }))
    yield* deletion(ada)
    assert.strictEqual(yield* finish, "unauthorized")
    yield* isEmpty()
  })

  rule("does not remove an organization that a user joins concurrently", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    const accept = yield* invited(ada, bob, organization_id)
    const finish = yield* decided(deletion(ada))
    yield* accept
    assert.strictEqual(yield* finish, "sole_owner")
    assert.deepStrictEqual(yield* rolesSeenBy(bob, organization_id), { ada: "owner", bob: "member" })
  })

  rule("does not remove an organization that one user joins while another leaves", function* () {
    const [ada, bob, cleo] = [yield* person("ada"), yield* person("bob"), yield* person("cleo")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id)
    const join = yield* decided(yield* invited(ada, cleo, organization_id))
    yield* bob.body(organizationLeave, { organization_id })
    const leave = yield* decided(deletion(ada))
    assert.strictEqual(yield* join, "ok")
    assert.strictEqual(yield* leave, "sole_owner")
    assert.deepStrictEqual(yield* rolesSeenBy(cleo, organization_id), { ada: "owner", cleo: "member" })
  })

  rule("removes an organization when its last other member leaves concurrently", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id, "owner")
    const finish = yield* decided(deletion(ada))
    yield* bob.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "ok")
    yield* isEmpty()
  })
})

describe("a member who leaves", () => {
  rule("stays when the other owner has left concurrently", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id, "owner")
    const finish = yield* decided(ada.call(organizationLeave, { organization_id }))
    yield* bob.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "sole_owner")
  })

  rule("stays when they have become the only owner concurrently", function* () {
    const { owner, member, organization_id } = yield* staffed
    const finish = yield* decided(member.call(organizationLeave, { organization_id }))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: member.user.id, role: "owner" })
    yield* owner.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "sole_owner")
  })
})

describe("a caller who loses their role concurrently", () => {
  rule("changes nothing", function* () {
    const { owner, admin, member, outsider, organization_id } = yield* staffed
    const email = outsider.user.email
    const { team } = yield* admin.body(organizationCreateTeam, { organization_id, name: "Team" })
    const { invitation } = yield* admin.body(organizationInvite, { organization_id, email })
    const inTeam = { team_id: team.id, user_id: member.user.id }
    const calls = [
      admin.call(organizationUpdateRole, { organization_id, user_id: member.user.id, role: "admin" }),
      admin.call(organizationRemoveMember, { organization_id, user_id: member.user.id }),
      admin.call(organizationInvite, { organization_id, email }),
      admin.call(endpoints.organizationCancelInvitation, { invitation_id: invitation.id }),
      admin.call(organizationCreateTeam, { organization_id, name: "Another" }),
      admin.call(endpoints.organizationUpdateTeam, { team_id: team.id, name: "Renamed" }),
      admin.call(endpoints.organizationAddTeamMember, inTeam),
      admin.call(endpoints.organizationRemoveTeam, { team_id: team.id }),
    ]
    const finishes = yield* Effect.forEach(calls, decided)
    const before = yield* Effect.all([rows(Members), rows(Invitations), rows(Teams)])
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
    for (const finish of finishes) assert.strictEqual(yield* finish, "forbidden")
    const demoted = before[0].map((row) => (row.user_id === admin.user.id ? { ...row, role: "member" } : row))
    assert.deepStrictEqual(yield* Effect.all([rows(Members), rows(Invitations), rows(Teams)]), [demoted, before[1], before[2]])

    yield* owner.body(endpoints.organizationAddTeamMember, inTeam)
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "owner" })
    const removing = yield* decided(admin.call(endpoints.organizationRemoveTeamMember, inTeam))
    const renaming = yield* decided(admin.call(organizationUpdate, { organization_id, name: "Mine" }))
    const deleting = yield* decided(admin.call(organizationDelete, { organization_id }))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
    for (const finish of [removing, renaming, deleting]) assert.strictEqual(yield* finish, "forbidden")
    assert.strictEqual((yield* rows(Organizations))[0]?.name, "The acme")
  })

  rule("does nothing in the organization that they have left", function* () {
    const { admin, organization_id } = yield* staffed
    const finish = yield* decided(admin.call(organizationSetActive, { organization_id }))
    yield* admin.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* finish, "forbidden")
  })

  rule("cannot act on a member who is promoted above them concurrently", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const finish = yield* decided(admin.call(organizationRemoveMember, { organization_id, user_id: member.user.id }))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: member.user.id, role: "admin" })
    assert.strictEqual(yield* finish, "forbidden")
  })
})

describe("an address that is changed concurrently", () => {
  rule("accepts no invitation", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const finish = yield* decided(yield* invited(owner, outsider, organization_id))
    yield* outsider.body(core.changeEmail, { new_email: "new@example.com" })
    assert.strictEqual(yield* finish, "forbidden")
  })
})
