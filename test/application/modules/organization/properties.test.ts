import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { ActiveOrganizations, Invitations, Members, Organizations, TeamMembers, Teams } from "../../../../domain/organizations/tables.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { storeName } from "../../../stores.ts"
import type { WorldServices } from "../../../world.ts"
import { browser, endpoints as core, password, rows, world } from "../../../world.ts"
import { endpoints, modules } from "./organizations.ts"

// Random concurrent operations never violate an invariant of the stored rows.

const names = ["ada", "bob", "cleo", "dan"] as const
const place = fc.nat({ max: 7 })
const who = fc.nat({ max: names.length - 1 })

/** Leaving, demotions and returning are drawn more often, since the invariants depend on them. */
const kinds = {
  create: 1,
  rename: 1,
  delete: 1,
  leave: 4,
  remove: 3,
  role: 5,
  invite: 5,
  accept: 6,
  reject: 1,
  cancel: 1,
  createTeam: 1,
  removeTeam: 1,
  addToTeam: 3,
  removeFromTeam: 1,
  setActive: 1,
  deleteUser: 2,
  signUp: 3,
}
type Kind = keyof typeof kinds
const step = fc.record({
  kind: fc.constantFrom(...Object.entries(kinds).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))),
  actor: who,
  target: who,
  /** An index into the existing organizations, teams or invitations. */
  place,
  role: fc.constantFrom("member", "admin", "owner", "owner"),
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })

type Browser = ReturnType<typeof browser>

/** The state before a round: the rows, and how often each invitation was accepted. */
interface Stage {
  readonly people: ReadonlyArray<Browser>
  readonly users: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
  readonly invitations: ReadonlyArray<string>
  readonly accepted: Map<string, number>
}

const pick = (from: ReadonlyArray<string>, place: number) => (from.length === 0 ? "none" : from[place % from.length]!)
const emailOf = (index: number) => `${names[index]}@example.com`

const act = ({ kind, actor, target, place, role }: Step, stage: Stage): Effect.Effect<unknown, unknown, WorldServices> => {
  const their = stage.people[actor]!
  const organization_id = pick(stage.organizations, place)
  const [team_id, invitation_id] = [pick(stage.teams, place), pick(stage.invitations, place)]
  const user_id = stage.users[target] ?? "none"
  const slug = `org${place % 2}`
  switch (kind) {
    case "create":
      return their.call(endpoints.organizationCreate, { name: "Org", slug })
    case "rename":
      return their.call(endpoints.organizationUpdate, { organization_id, slug })
    case "delete":
      return their.call(endpoints.organizationDelete, { organization_id })
    case "leave":
      return their.call(endpoints.organizationLeave, { organization_id })
    case "remove":
      return their.call(endpoints.organizationRemoveMember, { organization_id, user_id })
    case "role":
      return their.call(endpoints.organizationUpdateRole, { organization_id, user_id, role })
    case "invite":
      return their.call(endpoints.organizationInvite, { organization_id, email: emailOf(target), role })
    case "accept":
      return Effect.tap(their.call(endpoints.organizationAcceptInvitation, { invitation_id }), () =>
        Effect.sync(() => stage.accepted.set(invitation_id, (stage.accepted.get(invitation_id) ?? 0) + 1)),
      )
    case "reject":
      return their.call(endpoints.organizationRejectInvitation, { invitation_id })
    case "cancel":
      return their.call(endpoints.organizationCancelInvitation, { invitation_id })
    case "createTeam":
      return their.call(endpoints.organizationCreateTeam, { organization_id, name: "Team" })
    case "removeTeam":
      return their.call(endpoints.organizationRemoveTeam, { team_id })
    case "addToTeam":
      return their.call(endpoints.organizationAddTeamMember, { team_id, user_id })
    case "removeFromTeam":
      return their.call(endpoints.organizationRemoveTeamMember, { team_id, user_id })
    case "setActive":
      return their.call(endpoints.organizationSetActive, { organization_id })
    case "deleteUser":
      return their.call(core.deleteUser, { password })
    case "signUp":
      return their.call(core.signUpEmail, { email: emailOf(actor), password })
  }
}

const distinct = (values: ReadonlyArray<unknown>, what: string) =>
  assert.deepStrictEqual(values.length, new Set(values.map(String)).size, what)

/** The invariants of the stored rows. */
const invariants = Effect.gen(function* () {
  const [users, organizations, members] = [yield* rows(Users), yield* rows(Organizations), yield* rows(Members)]
  const [invitations, teams, inTeams, active] = [
    yield* rows(Invitations),
    yield* rows(Teams),
    yield* rows(TeamMembers),
    yield* rows(ActiveOrganizations),
  ]
  const [userIds, organizationIds] = [new Set(users.map(({ id }) => id)), new Set(organizations.map(({ id }) => id))]
  const memberOf = new Map(members.map((member) => [member.id, member]))
  const teamOf = new Map(teams.map((team) => [team.id, team]))

  distinct(
    organizations.map(({ slug }) => slug),
    "slugs",
  )
  distinct(
    members.map(({ organization_id, user_id }) => [organization_id, user_id]),
    "members",
  )
  for (const { id } of organizations)
    assert.isTrue(
      members.some(({ organization_id, role }) => organization_id === id && role === "owner"),
      "an organization has no owner",
    )
  for (const { organization_id, user_id } of members)
    assert.isTrue(organizationIds.has(organization_id) && userIds.has(user_id), "a member without an organization or a user")
  for (const { organization_id, inviter_id } of invitations)
    assert.isTrue(organizationIds.has(organization_id) && userIds.has(inviter_id), "an invitation without an organization or an inviter")
  for (const { organization_id } of teams) assert.isTrue(organizationIds.has(organization_id), "a team of nothing")
  for (const { team_id, member_id, user_id } of inTeams) {
    const [team, member] = [teamOf.get(team_id), memberOf.get(member_id)]
    assert.isDefined(member, "a team member who is no member")
    assert.deepStrictEqual([team?.organization_id, member?.user_id], [member?.organization_id, user_id])
  }
  for (const { member_id, organization_id, user_id } of active) {
    const member = memberOf.get(member_id)
    assert.deepStrictEqual([member?.organization_id, member?.user_id], [organization_id, user_id], "active in a foreign organization")
  }
})

const stageOf = Effect.fnUntraced(function* (people: ReadonlyArray<Browser>, accepted: Map<string, number>) {
  const users = yield* rows(Users)
  const ids = names.map((_, index) => users.find(({ email }) => email === emailOf(index))?.id ?? "none")
  const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)
  const [organizations, teams] = [idsOf(yield* rows(Organizations)), idsOf(yield* rows(Teams))]
  return { people, users: ids, organizations, teams, invitations: idsOf(yield* rows(Invitations)), accepted }
})

/** Two owners and a member of one organization, with a team. */
const opening: ReadonlyArray<ReadonlyArray<Step>> = [
  [0, 1, 2, 3].map((actor) => ({ kind: "signUp", actor, target: 0, place: 0, role: "owner" })),
  [{ kind: "create", actor: 0, target: 0, place: 0, role: "owner" }],
  [{ kind: "invite", actor: 0, target: 1, place: 0, role: "owner" }],
  [{ kind: "accept", actor: 1, target: 0, place: 0, role: "owner" }],
  [{ kind: "createTeam", actor: 0, target: 0, place: 0, role: "owner" }],
]

const told = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<Step>>) {
  const people = names.map(() => browser())
  const accepted = new Map<string, number>()
  for (const round of [...opening, ...rounds]) {
    const stage = yield* stageOf(people, accepted)
    const exits = yield* Effect.all(
      round.map((step) => Effect.exit(act(step, stage))),
      { concurrency: "unbounded" },
    )
    for (const exit of exits) if (Exit.isFailure(exit) && exit.cause.reasons.some(({ _tag }) => _tag !== "Fail")) yield* exit
    yield* invariants
    for (const count of accepted.values()) assert.strictEqual(count, 1, "an invitation was accepted twice")
  }
})

const runs = { memory: 150, embedded: 6, postgres: 25, mongo: 8 }[storeName] ?? 25

describe("after any sequence of operations, several at once,", () => {
  it("each organization has an owner, and removed ones leave no rows", { timeout: 240_000 }, () =>
    fc.assert(
      fc.asyncProperty(story, (rounds) => Effect.runPromise(Effect.asVoid(told(rounds)).pipe(Effect.provide(world(modules))))),
      { numRuns: runs },
    ),
  )
})
