import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TeamMembers, Teams } from "../../../../domain/organizations/tables.ts"
import { atOnce, onWire, rows, times } from "../../../world.ts"
import { endpoints, founded, type Person, person, rule, staffed } from "./organizations.ts"

const { organizationCreateTeam, organizationListTeams, organizationUpdateTeam, organizationRemoveTeam } = endpoints
const { organizationAddTeamMember, organizationRemoveTeamMember, organizationListTeamMembers } = endpoints
const { organizationRemoveMember, organizationLeave, organizationDelete } = endpoints

const teamOf = (their: Person, organization_id: string, name = "Team") =>
  Effect.map(their.body(organizationCreateTeam, { organization_id, name }), ({ team }) => team)
const membersOf = (their: Person, team_id: string) =>
  Effect.map(their.body(organizationListTeamMembers, { team_id }), ({ members }) => members.map(({ user_id }) => user_id))

describe("create-team and list-teams", () => {
  rule("create teams and show them to members", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const [first, second] = [yield* teamOf(admin, organization_id, "First"), yield* teamOf(owner, organization_id, "First")]
    const { team } = yield* onWire(organizationCreateTeam, { team: first })
    assert.deepStrictEqual(team, { id: first.id, organization_id, name: "First", created_at: "1970-01-01T00:00:00.000Z" })
    assert.deepStrictEqual(yield* member.body(organizationListTeams, { organization_id }), { teams: [first, second] })
    const page = yield* member.body(organizationListTeams, { organization_id, limit: "1" })
    const rest = yield* member.body(organizationListTeams, { organization_id, limit: "1", cursor: page.next_cursor })
    assert.deepStrictEqual([page.teams, rest], [[first], { teams: [second], next_cursor: null }])
    assert.deepStrictEqual(yield* member.body(organizationListTeams, { organization_id, cursor: page.next_cursor }), rest)
  })

  rule("require a role with the permission", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    for (const their of [member, outsider])
      assert.strictEqual(yield* their.code(organizationCreateTeam, { organization_id, name: "Team" }), "forbidden")
    for (const input of [{ organization_id }, { organization_id: "none" }])
      assert.strictEqual(yield* outsider.code(organizationListTeams, input), "forbidden")
    for (const input of [{ organization_id }, { name: "Team" }, { organization_id, name: "" }, { organization_id, name: 7 }])
      assert.strictEqual(yield* admin.code(organizationCreateTeam, input), "invalid_request")
    assert.strictEqual(yield* member.code(organizationListTeams, {}), "invalid_request")
    assert.lengthOf(yield* rows(Teams), 0)
  })
})

describe("update-team", () => {
  rule("changes the name", function* () {
    const { admin, member, organization_id } = yield* staffed
    const team = yield* teamOf(admin, organization_id)
    const renamed = { ...team, name: "Renamed" }
    assert.deepStrictEqual(yield* admin.body(organizationUpdateTeam, { team_id: team.id, name: "Renamed" }), { team: renamed })
    assert.deepStrictEqual(yield* member.body(organizationListTeams, { organization_id }), { teams: [renamed] })
  })

  rule("requires a role with the permission", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    for (const their of [member, outsider])
      assert.strictEqual(yield* their.code(organizationUpdateTeam, { team_id, name: "Mine" }), "forbidden")
    assert.strictEqual(yield* admin.code(organizationUpdateTeam, { team_id: "none", name: "Mine" }), "team_not_found")
    for (const input of [{ team_id }, { name: "Mine" }, { team_id, name: " " }])
      assert.strictEqual(yield* admin.code(organizationUpdateTeam, input), "invalid_request")
  })
})

describe("remove-team", () => {
  rule("removes the team's members from it, but not from the organization", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const [first, second] = [yield* teamOf(admin, organization_id), yield* teamOf(admin, organization_id)]
    for (const { id } of [first, second])
      for (const { user } of [owner, member]) yield* admin.body(organizationAddTeamMember, { team_id: id, user_id: user.id })
    assert.deepStrictEqual(yield* admin.body(organizationRemoveTeam, { team_id: first.id }), { success: true })
    assert.deepStrictEqual(yield* rows(Teams), [second])
    assert.lengthOf(yield* rows(TeamMembers), 2)
    assert.strictEqual(yield* admin.code(organizationRemoveTeam, { team_id: first.id }), "team_not_found")
  })

  rule("requires a role with the permission", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    for (const their of [member, outsider]) assert.strictEqual(yield* their.code(organizationRemoveTeam, { team_id }), "forbidden")
    assert.strictEqual(yield* admin.code(organizationRemoveTeam, {}), "invalid_request")
  })
})

describe("team members", () => {
  rule("can be added and removed, also repeatedly", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    for (const { user } of [member, owner, member])
      assert.deepStrictEqual(yield* admin.body(organizationAddTeamMember, { team_id, user_id: user.id }), { success: true })
    const body = yield* member.body(organizationListTeamMembers, { team_id })
    const expected = [{ user_id: member.user.id }, { user_id: owner.user.id }]
    assert.deepStrictEqual(yield* onWire(organizationListTeamMembers, body), { members: expected })
    const page = yield* member.body(organizationListTeamMembers, { team_id, limit: "1" })
    const rest = yield* member.body(organizationListTeamMembers, { team_id, limit: "1", cursor: page.next_cursor })
    assert.deepStrictEqual(yield* onWire(organizationListTeamMembers, rest), { members: [expected[1]], next_cursor: null })
    for (const _ of [1, 2])
      assert.deepStrictEqual(yield* admin.body(organizationRemoveTeamMember, { team_id, user_id: member.user.id }), { success: true })
    assert.deepStrictEqual(yield* membersOf(admin, team_id), [owner.user.id])
  })

  rule("are members of the organization", function* () {
    const { admin, outsider, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    const reply = yield* Effect.flip(admin.call(organizationAddTeamMember, { team_id, user_id: outsider.user.id }))
    assert.strictEqual(reply._tag, "not_a_member")
    assert.strictEqual(yield* admin.code(organizationAddTeamMember, { team_id, user_id: "none" }), "not_a_member")
    for (const user_id of [outsider.user.id, "none"])
      assert.strictEqual(yield* admin.code(organizationRemoveTeamMember, { team_id, user_id }), "forbidden")
    assert.lengthOf(yield* rows(TeamMembers), 0)
  })

  rule("lose their teams when they leave the organization, and do not regain them", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const other = yield* founded(admin, "other")
    const [here, there] = [yield* teamOf(owner, organization_id), yield* teamOf(admin, other.id)]
    for (const { user } of [admin, member]) yield* owner.body(organizationAddTeamMember, { team_id: here.id, user_id: user.id })
    yield* admin.body(organizationAddTeamMember, { team_id: there.id, user_id: admin.user.id })
    yield* admin.body(organizationLeave, { organization_id })
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: member.user.id })
    assert.deepStrictEqual(yield* membersOf(owner, here.id), [])
    assert.deepStrictEqual(yield* membersOf(admin, there.id), [admin.user.id])
  })

  rule("are changed with the permission, and visible to members", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    const input = { team_id, user_id: member.user.id }
    for (const endpoint of [organizationAddTeamMember, organizationRemoveTeamMember]) {
      for (const their of [member, outsider]) assert.strictEqual(yield* their.code(endpoint, input), "forbidden")
      assert.strictEqual(yield* admin.code(endpoint, { ...input, team_id: "none" }), "team_not_found")
      for (const partial of [{ team_id }, { user_id: member.user.id }])
        assert.strictEqual(yield* admin.code(endpoint, partial), "invalid_request")
    }
    assert.strictEqual(yield* outsider.code(organizationListTeamMembers, { team_id }), "forbidden")
    assert.strictEqual(yield* member.code(organizationListTeamMembers, { team_id: "none" }), "team_not_found")
    assert.strictEqual(yield* member.code(organizationListTeamMembers, {}), "invalid_request")
  })
})

describe("concurrently", () => {
  rule("ten additions of one member add one", function* () {
    const { admin, member, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(admin, organization_id)
    const calls = times(10, () => admin.call(organizationAddTeamMember, { team_id, user_id: member.user.id }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 10 })
    assert.lengthOf(yield* rows(TeamMembers), 1)
  })

  rule("a user is not added to a team of an organization that they leave concurrently", function* () {
    const { owner, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(owner, organization_id)
    for (const name of ["a", "b", "c"]) {
      const their = yield* person(name)
      const { invitation } = yield* owner.body(endpoints.organizationInvite, { organization_id, email: their.user.email })
      yield* their.body(endpoints.organizationAcceptInvitation, { invitation_id: invitation.id })
      yield* atOnce([
        ...times(4, () => owner.call(organizationAddTeamMember, { team_id, user_id: their.user.id })),
        their.call(organizationLeave, { organization_id }),
      ])
      assert.lengthOf(yield* rows(TeamMembers), 0)
    }
  })

  rule("a removed team leaves no rows", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const { id: team_id } = yield* teamOf(owner, organization_id)
    const adding = times(4, () => owner.call(organizationAddTeamMember, { team_id, user_id: member.user.id }))
    yield* atOnce([...adding, admin.call(organizationRemoveTeam, { team_id }), ...adding])
    assert.lengthOf(yield* rows(TeamMembers), 0)
  })

  rule("the teams of a deleted organization leave no rows", function* () {
    const owner = yield* person("owner")
    for (const round of times(8, String)) {
      const { id: organization_id } = yield* founded(owner, `org${round}`)
      const creating = times(6, () => owner.call(organizationCreateTeam, { organization_id, name: "Team" }))
      yield* atOnce([...creating.slice(0, 4), owner.call(organizationDelete, { organization_id }), ...creating.slice(4)])
      assert.lengthOf(yield* rows(Teams), 0)
    }
  })
})
