import { Effect, Option, Schema } from "effect"
import { hasOrganizations, type Membership, memberOf, membershipsOf, membershipWith } from "../../../../domain/organizations/membership.ts"
import { organizationScope } from "../../../../domain/organizations/organization.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { Conflict, Store } from "../../../../domain/ports/store.ts"
import { lowercased } from "../../../../domain/values/text.ts"
import type * as Tables from "../tables.ts"
import { type AuthorizationRequest, refused } from "./authorization-request.ts"

type Request = Pick<AuthorizationRequest, "scope" | "organization" | "organizations">

/** Limit on the organizations among which a user chooses. For further ones, the client sends the parameter `organization`. */
const maxListed = 1000

const selectionRequired = refused("interaction_required", "The user has to choose an organization first.")
const noOrganization = refused("access_denied", "The user is not a member of an organization that this request accepts.")

/** The organization with this id, else the one with this slug. */
const organizationNamed = Effect.fnUntraced(function* organizationNamed(name: string) {
  const { read } = yield* Store
  const byId = yield* read(Organizations, { id: name })
  return Option.isSome(byId) ? byId : yield* read(Organizations, { slug: lowercased(name) })
})

/** The user's membership in the organization that the client names; none for an organization that does not exist. */
const namedMembership = Effect.fnUntraced(function* namedMembership(name: string, user_id: string) {
  const organization = yield* organizationNamed(name)
  if (Option.isNone(organization)) return []
  const member = yield* memberOf(organization.value.row.id, user_id)
  return Option.toArray(Option.map(member, ({ row }) => ({ member: row, organization: organization.value.row })))
})

/** The memberships of a user that a request accepts: in the named organization, or in those of the claim `org_id`, or all. */
export const candidatesOf = Effect.fnUntraced(function* candidatesOf({ organization, organizations }: Request, user_id: string) {
  const memberships = organization === undefined ? yield* membershipsOf(user_id, maxListed) : yield* namedMembership(organization, user_id)
  return memberships.filter((each) => organizations.length === 0 || organizations.includes(each.organization.id))
})

/**
 * The membership in the organization of a sign-in; null without the scope `organization`. The only accepted one needs no choice. Fails if
 * the user has to choose, or has no membership that the request accepts.
 */
export const chosenMembership = Effect.fnUntraced(function* chosenMembership(
  request: Request,
  stored: Tables.AuthorizationRequest | null,
  user_id: string,
) {
  if (!request.scope.split(" ").includes(organizationScope) || !(yield* hasOrganizations)) return null
  const candidates = yield* candidatesOf(request, user_id)
  if (candidates.length === 0) return yield* noOrganization
  const chosen = candidates.length === 1 ? candidates[0] : candidates.find(({ member }) => member.id === stored?.member_id)
  if (chosen === undefined) return yield* selectionRequired
  const membership: Option.Option<Membership> = yield* membershipWith(chosen.member.id)
  return Option.isNone(membership) ? yield* new Conflict({ table: Members.name }) : membership.value
})

/** The organization of a sign-in, for the page on which the user decides. */
export const ChosenOrganization = Schema.Struct({ id: Schema.String, name: Schema.String, slug: Schema.String })

/** The organization of a stored request; null if there is none, or the user has not chosen one yet. */
export const chosenOrganization = Effect.fnUntraced(function* chosenOrganization(
  request: Request,
  stored: Tables.AuthorizationRequest,
  user_id: string,
) {
  const membership = Option.getOrNull(yield* Effect.option(chosenMembership(request, stored, user_id)))
  if (membership === null) return null
  const { id, name, slug } = membership.organization.row
  return { id, name, slug }
})
