import { Effect, Option } from "effect"
import { Forbidden } from "../errors.ts"
import { Policies } from "../policies.ts"
import { check, orFail, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { Users } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { type AccessControl, permits } from "./access-control.ts"
import type { Member, Organization } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/** Whether the service has organizations: otherwise their tables do not exist. */
export const hasOrganizations = Effect.map(Policies, ({ tables }) => tables.includes(Members))

/** A member and their organization. */
export interface Membership {
  readonly member: Versioned<Member>
  readonly organization: Versioned<Organization>
}

/** The caller's membership, if they are a member. */
export const ownMembership = Effect.fnUntraced(function* ownMembership(organization_id: string) {
  const { user } = yield* CurrentSession
  const rows = yield* (yield* Store).readWithReferenced(Members, { organization_id, user_id: user.id }, "organization_id")
  return Option.map(rows, ([member, organization]): Membership => ({ member, organization }))
})

/** The caller's memberships in these organizations, by organization, in one read for any number of them. */
export const ownMemberships = Effect.fnUntraced(function* ownMemberships(organization_ids: ReadonlyArray<string>) {
  const { user } = yield* CurrentSession
  const distinct = [...new Set(organization_ids)]
  const own = { limit: 1, where: { user_id: user.id } }
  const memberships = yield* (yield* Store).listForEach(Members, "organization_id", distinct, own)
  return new Map<string, Member>(memberships.flat().map((member) => [member.organization_id, member]))
})

/** The caller's membership. Fails with `Forbidden` for other callers, whether or not the organization exists. */
export const membership = (organization_id: string) => orFail(ownMembership(organization_id), () => new Forbidden())

/**
 * The membership of a caller whose role permits the action. Commit with a `check` of the membership: the role can change in the meantime.
 */
export const permitted = Effect.fnUntraced(function* permitted(
  access: AccessControl,
  organization_id: string,
  resource: string,
  action: string,
) {
  const own = yield* membership(organization_id)
  return permits(access, own.member.row.role, { [resource]: [action] }) ? own : yield* new Forbidden()
})

/** The membership with this id; none if the member has left, or the organization is deleted. */
export const membershipWith = Effect.fnUntraced(function* membershipWith(id: string) {
  const rows = yield* (yield* Store).readWithReferenced(Members, { id }, "organization_id")
  return Option.map(rows, ([member, organization]): Membership => ({ member, organization }))
})

/** The memberships of a user, the earliest first, in two reads for any number of them. */
export const membershipsOf = Effect.fnUntraced(function* membershipsOf(user_id: string, limit: number) {
  const { list, listForEach } = yield* Store
  const members = yield* list(Members, { user_id }, { limit, order: "id" })
  const ids = members.map(({ organization_id }) => organization_id)
  const organizations = yield* listForEach(Organizations, "id", ids, { limit: 1 })
  return members.flatMap((member, index) => (organizations[index] ?? []).map((organization) => ({ member, organization })))
})

/** The membership of any user. The caller's permissions are not checked. */
export const memberOf = (organization_id: string, user_id: string) => Store.use(({ read }) => read(Members, { organization_id, user_id }))

/**
 * The additional writes when a member loses their role; `Option.none` if they are the last member with `creator_role`. For a member with
 * that role they include the organization, so that the second of two concurrent losses is retried. Read the organization before you call
 * this.
 */
export const roleLossWrites = Effect.fnUntraced(function* roleLossWrites(
  access: AccessControl,
  { organization_id, role }: Member,
  organization: Versioned<Organization>,
) {
  if (role !== access.creator_role) return Option.some([])
  const holders = yield* (yield* Store).list(Members, { organization_id, role }, { limit: 2 })
  return holders.length < 2 ? Option.none() : Option.some([update(Organizations, organization, {})])
})

/**
 * The additional write when a user gets a role. For `creator_role` it writes the user: a concurrent removal of the user is then retried and
 * counts the new ownership.
 */
export const roleGainWrites = ({ creator_role }: AccessControl, role: string, user: Versioned<StoredUser>): Write =>
  role === creator_role ? update(Users, user, {}) : check(Users, user)
