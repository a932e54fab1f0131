import { Effect, Option, Schema } from "effect"
import { hasOrganizations, type Membership, membershipWith } from "../../../../domain/organizations/membership.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { check, type Write } from "../../../../domain/ports/store.ts"
import { InvalidGrant } from "../errors.ts"

/** The scope by which a user signs in for one of their organizations, if the module `organization` is enabled. */
export const organizationScope = "organization"

/** The claims about the organization of a sign-in. */
export const OrganizationClaims = {
  org_id: Schema.optionalKey(Schema.String),
  org_name: Schema.optionalKey(Schema.String),
  /** The user's role in the organization. */
  org_role: Schema.optionalKey(Schema.String),
}

/** The claims for a token with this scope. */
export const organizationClaims = (membership: Membership | null, scope: string) => {
  if (membership === null || !scope.split(" ").includes(organizationScope)) return {}
  const { member, organization } = membership
  return { org_id: organization.row.id, org_name: organization.row.name, org_role: member.row.role }
}

/** The membership that a code or a token is bound to: null without one; none if it has ended, or the module is no longer enabled. */
export const boundMembership = Effect.fnUntraced(function* boundMembership(member_id: string | null) {
  if (member_id === null) return Option.some<Membership | null>(null)
  return (yield* hasOrganizations) ? yield* membershipWith(member_id) : Option.none<Membership | null>()
})

/** The membership that a grant is bound to. Fails with `invalid_grant` if it has ended. Commit the grant with `membershipChecks`. */
export const heldMembership = Effect.fnUntraced(function* heldMembership(member_id: string | null) {
  const membership = yield* boundMembership(member_id)
  if (Option.isSome(membership)) return membership.value
  return yield* new InvalidGrant({ message: "The user is no longer a member of the organization." })
})

/** Make a commit conflict if the membership has changed or ended since it was read. */
export const membershipChecks = (membership: Membership | null): ReadonlyArray<Write> =>
  membership === null ? [] : [check(Organizations, membership.organization), check(Members, membership.member)]
