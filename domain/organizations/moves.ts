import { Effect, Option } from "effect"
import type { Merging, Policies } from "../policies.ts"
import { insert, removeVersioned, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { type AccessControl, mayGrant } from "./access-control.ts"
import { memberOf } from "./membership.ts"
import type { Member } from "./organization.ts"
import { Members, Organizations, TeamMembers } from "./tables.ts"

/** The memberships of one commit, each of which can have many teams. */
const page = 10
const maxTeams = 1000

/** The writes that move what else a member has from one member, by id, to another one. */
type MovesOfMember = (
  from: string,
  into: Pick<Member, "id" | "organization_id" | "user_id">,
) => Effect.Effect<ReadonlyArray<Write>, never, Store | Policies>

/** The writes that move memberships of a user, and those in teams. Of two roles in an organization, the higher one stays. */
export const movedMemberships = (access: AccessControl, movesOfMember: MovesOfMember) =>
  Effect.fnUntraced(function* movedMemberships({ from, into }: Merging) {
    const members = yield* (yield* Store).list(Members, { user_id: from }, { limit: page, order: "id" })
    const writes = yield* Effect.forEach(members, ({ organization_id }) =>
      movedMembership(access, movesOfMember, organization_id, { from, into }),
    )
    return writes.flat()
  })

const movedMembership = Effect.fnUntraced(function* movedMembership(
  access: AccessControl,
  movesOfMember: MovesOfMember,
  organization_id: string,
  { from, into }: Merging,
) {
  const [member, organization] = [
    yield* memberOf(organization_id, from),
    yield* (yield* Store).read(Organizations, { id: organization_id }),
  ]
  if (Option.isNone(member) || Option.isNone(organization)) return []
  const own = yield* memberOf(organization_id, into)
  const joined = Option.isSome(own) ? promotion(access, own.value, member.value.row) : joining(member.value.row, yield* newId, into)
  const teams = yield* movedTeams(member.value.row.id, { id: joined.id, user_id: into })
  const moved = yield* movesOfMember(member.value.row.id, { id: joined.id, organization_id, user_id: into })
  // A concurrent loss of the last other owner writes the organization as well, and is retried.
  const guard = member.value.row.role === access.creator_role ? [update(Organizations, organization.value, {})] : []
  return [...guard, removeVersioned(Members, member.value), joined.write, ...teams, ...moved]
})

const joining = (member: Member, id: string, user_id: string) => ({ id, write: insert(Members, { ...member, id, user_id }) })

const promotion = (access: AccessControl, own: Versioned<Member>, { role }: Member) => ({
  id: own.row.id,
  write: update(Members, own, mayGrant(access, own.row.role, role) ? {} : { role }),
})

/** A member of another id in the teams of a member in which they are not yet. */
const movedTeams = Effect.fnUntraced(function* movedTeams(member_id: string, to: { readonly id: string; readonly user_id: string }) {
  const { list } = yield* Store
  const [theirs, own] = [
    yield* list(TeamMembers, { member_id }, { limit: maxTeams }),
    yield* list(TeamMembers, { member_id: to.id }, { limit: maxTeams }),
  ]
  const added = theirs.filter(({ team_id }) => !own.some((one) => one.team_id === team_id))
  return yield* Effect.forEach(added, ({ team_id }) =>
    Effect.map(newId, (id): Write => insert(TeamMembers, { id, team_id, member_id: to.id, user_id: to.user_id })),
  )
})
