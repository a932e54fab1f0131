import { Effect, Option, Schema } from "effect"
import { withMemberAttributes } from "../../../domain/attributes/members.ts"
import { Forbidden } from "../../../domain/errors.ts"
import type { AccessControl } from "../../../domain/organizations/access-control.ts"
import { ownMemberships } from "../../../domain/organizations/membership.ts"
import { Invitation, Member, type Member as MemberOf, Organization, Team } from "../../../domain/organizations/organization.ts"
import { Invitations, Members, Organizations, TeamMembers, Teams } from "../../../domain/organizations/tables.ts"
import { findEach, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import * as GraphField from "../../service/graph-field.ts"
import { pageForEach } from "../../service/paging.ts"
import { activeOrganization, shownTo } from "./lists.ts"

const { id, email, name, image } = User.fields

/** The members of a user that other members of the organization may read. */
const MemberUser = Schema.Struct({ id, email, name, image }).annotate({
  identifier: "MemberUser",
  description: "A user as the other members of an organization see them.",
})

/** A parent that belongs to an organization, and the caller's membership in it. */
interface Seen<P> {
  readonly parent: P
  readonly caller: MemberOf
}

/** Restricts a load to members of the organization, regardless of the path to the parent. Reads all memberships at once. */
const amongMembers = <P extends object, Rest extends ReadonlyArray<unknown>, A, R>(
  organizationOf: (parent: P) => string,
  load: (seen: ReadonlyArray<Seen<P>>, ...rest: Rest) => Effect.Effect<ReadonlyArray<A>, never, R>,
) =>
  Effect.fnUntraced(function* loadForMembers(parents: ReadonlyArray<P>, ...rest: Rest) {
    const memberships = yield* ownMemberships(parents.map(organizationOf))
    const seen = parents.flatMap((parent) => {
      const caller = memberships.get(organizationOf(parent))
      return caller === undefined ? [] : [{ parent, caller }]
    })
    const loaded = yield* load(seen, ...rest)
    const results = new Map(seen.map(({ parent }, index) => [parent, loaded[index]!]))
    return parents.map((parent) => (results.has(parent) ? results.get(parent)! : new Forbidden()))
  })

const idOf = (organization: Organization) => organization.id
const organizationOf = (part: { readonly organization_id: string }) => part.organization_id
const idsOf = (seen: ReadonlyArray<Seen<{ readonly id: string }>>) => seen.map(({ parent }) => parent.id)

const OrganizationPlace = Schema.Struct({ member_id: Schema.String })

const organizationsOf = Effect.fnUntraced(function* organizationsOf(
  user_id: string,
  { limit, after }: GraphField.Page<typeof OrganizationPlace.Type>,
) {
  const from = after === undefined ? {} : { after: { id: after.member_id } }
  const memberships = yield* (yield* Store).list(Members, { user_id }, { limit, ...from })
  const organizations = yield* findEach(Organizations, memberships.map(organizationOf))
  return memberships.flatMap(({ id: member_id, organization_id }) => {
    const organization = organizations.get(organization_id)
    return organization === undefined ? [] : [{ ...organization, member_id }]
  })
})

const viewersOrganizations = GraphField.pagedBy({
  on: "viewer",
  name: "organizations",
  summary: "The user's organizations, in the order in which they joined.",
  output: Organization,
  place: OrganizationPlace,
  load: (viewers, page) => Effect.forEach(viewers, ({ user }) => organizationsOf(user.id, page)),
})

const viewersActiveOrganization = GraphField.make({
  on: "viewer",
  name: "activeOrganization",
  summary: "The user's active organization, or null.",
  output: Schema.NullOr(Organization),
  load: (viewers) => Effect.forEach(viewers, ({ user }) => Effect.map(activeOrganization(user.id), Option.getOrNull)),
})

const ownRole = GraphField.make({
  on: Organization,
  name: "role",
  summary: "The caller's role in the organization.",
  output: Schema.String,
  load: amongMembers(idOf, (seen) => Effect.succeed(seen.map(({ caller }) => caller.role))),
})

/** The lists with the attributes of their members, in one read for all lists. */
const withAttributesEach = Effect.fnUntraced(function* withAttributesEach<M extends Member>(lists: ReadonlyArray<ReadonlyArray<M>>) {
  const all = [...(yield* withMemberAttributes(lists.flat(), "user"))]
  return lists.map(({ length }) => all.splice(0, length))
})

const members = GraphField.paged({
  on: Organization,
  name: "members",
  summary: "The organization's members, the earliest first.",
  output: Member,
  place: ["id"],
  load: amongMembers(idOf, (seen, page: GraphField.Page<Pick<Member, "id">>) =>
    Effect.flatMap(
      Store.use(({ listForEach }) => listForEach(Members, "organization_id", idsOf(seen), page)),
      withAttributesEach,
    ),
  ),
})

const teams = GraphField.paged({
  on: Organization,
  name: "teams",
  summary: "The organization's teams, the earliest first.",
  output: Team,
  place: ["id"],
  load: amongMembers(idOf, (seen, page: GraphField.Page<Pick<Team, "id">>) =>
    Store.use(({ listForEach }) => listForEach(Teams, "organization_id", idsOf(seen), page)),
  ),
})

const InvitationPlace = Schema.Struct({ reference: Schema.String })

const invitations = (access: AccessControl) =>
  GraphField.pagedBy({
    on: Organization,
    name: "invitations",
    summary: "The organization's open invitations, the newest first.",
    output: Invitation,
    place: InvitationPlace,
    load: amongMembers(
      idOf,
      Effect.fnUntraced(function* loadInvitations(
        seen: ReadonlyArray<Seen<Organization>>,
        page: GraphField.Page<typeof InvitationPlace.Type>,
      ) {
        const options = { ...page, descending: true, where: { status: "pending" } } as const
        const open = yield* pageForEach(Invitations, "organization_id", idsOf(seen), options)
        return open.map((rows, index) => rows.map(shownTo(access, seen[index]!.caller)))
      }),
    ),
  })

const TeamMemberPlace = Schema.Struct({ team_member_id: Schema.String })

const teamMembers = GraphField.pagedBy({
  on: Team,
  name: "members",
  summary: "The members of the team, in the order in which they were added.",
  output: Member,
  place: TeamMemberPlace,
  load: amongMembers(
    organizationOf,
    Effect.fnUntraced(function* loadTeamMembers(
      seen: ReadonlyArray<Seen<Team>>,
      { limit, after }: GraphField.Page<typeof TeamMemberPlace.Type>,
    ) {
      const from = after === undefined ? {} : { after: { id: after.team_member_id } }
      const places = yield* (yield* Store).listForEach(TeamMembers, "team_id", idsOf(seen), { limit, ...from })
      const ids = places.flat().map(({ member_id }) => member_id)
      const members = yield* findEach(Members, ids)
      const found = places.map((rows) =>
        rows.flatMap(({ id: team_member_id, member_id }) => {
          const member = members.get(member_id)
          return member === undefined ? [] : [{ ...member, team_member_id }]
        }),
      )
      return yield* withAttributesEach(found)
    }),
  ),
})

const membersUser = GraphField.make({
  on: Member,
  name: "user",
  summary: "The user who is the member.",
  output: Schema.NullOr(MemberUser),
  load: amongMembers(
    organizationOf,
    Effect.fnUntraced(function* loadUsers(seen: ReadonlyArray<Seen<Member>>) {
      const ids = seen.map(({ parent }) => parent.user_id)
      const users = yield* findEach(Users, ids)
      return seen.map(({ parent }) => users.get(parent.user_id) ?? null)
    }),
  ),
})

/** The graph fields of organizations. Each checks the caller's membership, as each endpoint does. */
export const graphFields = (access: AccessControl) => [
  viewersOrganizations,
  viewersActiveOrganization,
  ownRole,
  members,
  invitations(access),
  teams,
  teamMembers,
  membersUser,
]
