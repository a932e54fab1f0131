import { Effect, Option } from "effect"
import { Forbidden } from "../errors.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { check, Store, update } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { Users } from "../storage/tables.ts"
import type { StoredUser } from "../users/user.ts"
import type { AccessControl } from "./access-control.ts"
import { permits } from "./access-control.ts"
import type { Member, Organization } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/** Somebody's place in an organization, and the organization. */
interface Membership {
  readonly member: Versioned<Member>
  readonly organization: Versioned<Organization>
}

/** The caller's membership, if they have one. */
export const ownMembership = Effect.fnUntraced(function* ownMembership(organization_id: string) {
  const { user } = yield* CurrentSession
  const found = yield* (yield* Store).readWithReferenced(Members, { organization_id, user_id: user.id }, "organization_id")
  return Option.map(found, ([member, organization]): Membership => ({ member, organization }))
})

/** The caller's memberships in these organizations, by organization: one question, however many there are. */
export const ownMemberships = Effect.fnUntraced(function* ownMemberships(organization_ids: ReadonlyArray<string>) {
  const { user } = yield* CurrentSession
  const distinct = [...new Set(organization_ids)]
  const own = { limit: 1, where: { user_id: user.id } }
  const found = yield* (yield* Store).listForEach(Members, "organization_id", distinct, own)
  return new Map<string, Member>(found.flat().map((member) => [member.organization_id, member]))
})

/** The caller's membership; to everybody else the organization might as well not exist. */
export const membership = Effect.fnUntraced(function* membership(organization_id: string) {
  const found = yield* ownMembership(organization_id)
  return Option.isSome(found) ? found.value : yield* new Forbidden()
})

/** The membership of a caller whose role permits this. Whatever they do commits under a check of it. */
export const permitted = Effect.fnUntraced(function* permitted(
  access: AccessControl,
  organization_id: string,
  resource: string,
  action: string,
) {
  const found = yield* membership(organization_id)
  return permits(access, found.member.row.role, { [resource]: [action] }) ? found : yield* new Forbidden()
})

/** Another user's membership, which nothing has been decided about. */
export const memberOf = Effect.fnUntraced(function* memberOf(organization_id: string, user_id: string) {
  return yield* (yield* Store).read(Members, { organization_id, user_id })
})

/**
 * What has to be written along when somebody stops having their role; none when nobody would have `creator_role` any more. Each who
 * gives that role up writes the organization, so that of two at once the second decides again. Read the organization first.
 */
export const steppingDown = Effect.fnUntraced(function* steppingDown(
  access: AccessControl,
  { organization_id, role }: Member,
  organization: Versioned<Organization>,
) {
  if (role !== access.creator_role) return Option.some([])
  const holders = yield* (yield* Store).list(Members, { organization_id, role }, { limit: 2 })
  return holders.length < 2 ? Option.none() : Option.some([update(Organizations, organization, {})])
})

/**
 * What has to be written along when a user comes to a role. Whoever gains `creator_role` is written: their removal, if it
 * was decided on before, is decided again.
 */
export const gaining = ({ creator_role }: AccessControl, role: string, user: Versioned<StoredUser>): Write =>
  role === creator_role ? update(Users, user, {}) : check(Users, user)
