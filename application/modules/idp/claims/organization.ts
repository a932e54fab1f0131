import { Effect, Option, Schema } from "effect"
import { organizationValues } from "../../../../domain/attributes/organizations.ts"
import { hasOrganizations, type Membership, membershipWith } from "../../../../domain/organizations/membership.ts"
import { organizationScope } from "../../../../domain/organizations/organization.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { Policies } from "../../../../domain/policies.ts"
import { check, type Write } from "../../../../domain/ports/store.ts"
import { InvalidGrant } from "../errors.ts"

/** The claims about the organization of a sign-in. */
export const OrganizationClaims = {
  org_id: Schema.optionalKey(Schema.String),
  org_name: Schema.optionalKey(Schema.String),
  /** The user's role in the organization. */
  org_role: Schema.optionalKey(Schema.String),
  /** The attributes of the organization that clients see. */
  org_attributes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
}

/** The attributes of organizations that clients see. */
const shownAttributes = Effect.map(Policies, ({ organizationAttributes }) =>
  organizationAttributes.filter(({ claims }) => claims === organizationScope),
)

/** The names of the claims about organizations that this service has. */
export const organizationClaimNames = Effect.gen(function* organizationClaimNames() {
  if (!(yield* hasOrganizations)) return []
  const { org_attributes: _, ...others } = OrganizationClaims
  return Object.keys((yield* shownAttributes).length > 0 ? OrganizationClaims : others)
})

/** The claims for a token with this scope. */
export const organizationClaims = Effect.fnUntraced(function* organizationClaims(membership: Membership | null, scope: string) {
  if (membership === null || !scope.split(" ").includes(organizationScope)) return {}
  const { member, organization } = membership
  const { id, name } = organization.row
  const claims = { org_id: id, org_name: name, org_role: member.row.role }
  const attributes = yield* shownAttributes
  if (attributes.length === 0) return claims
  const values = (yield* organizationValues(attributes, [id], "user")).get(id) ?? {}
  return { ...claims, org_attributes: values }
})

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
