import { Effect, Option } from "effect"
import { UserNotFound } from "../errors.ts"
import { hasOrganizations } from "../organizations/membership.ts"
import { Members, Organizations } from "../organizations/tables.ts"
import { findEach, orFail, Store } from "../ports/store.ts"
import { noteReached } from "../sessions/subject.ts"
import { Users } from "../users/tables.ts"
import { everywhere, organizationsWith } from "./grants.ts"
import { CurrentPrincipal } from "./principal.ts"

// The users and organizations that the caller can read. One out of reach has the same answer as an unknown one, so that answers reveal
// nothing of other organizations.

/** The organizations to which the caller's permission is limited; undefined: it holds everywhere. */
export const limits = Effect.gen(function* limitsOfPrincipal() {
  const { grants, permission } = yield* CurrentPrincipal
  if (permission === null || everywhere(grants).has(permission)) return undefined
  return organizationsWith(grants, permission)
})

/** The result of a search, if its user is in reach. A user out of reach takes as many reads as an unknown one. */
export const reachedUser = Effect.fnUntraced(function* reachedUser<A>(found: Option.Option<A>, idOf: (found: A) => string) {
  const reached = yield* inReach(found, idOf)
  if (Option.isSome(reached)) yield* noteReached(idOf(reached.value))
  return reached
})

const inReach = Effect.fnUntraced(function* foundInReach<A>(found: Option.Option<A>, idOf: (found: A) => string) {
  const organizations = yield* limits
  if (organizations === undefined) return found
  if (!(yield* hasOrganizations)) return Option.none<A>()
  const user_id = Option.match(found, { onNone: () => "", onSome: idOf })
  const { listForEach } = yield* Store
  const memberships = yield* listForEach(Members, "organization_id", organizations, { where: { user_id }, limit: 1 })
  return memberships.some(({ length }) => length > 0) ? found : Option.none<A>()
})

/** The ids of these users who are in reach. */
export const reachedUsers = Effect.fnUntraced(function* reachedUsers(ids: ReadonlyArray<string>) {
  const organizations = yield* limits
  if (organizations === undefined) return new Set(ids)
  if (!(yield* hasOrganizations)) return new Set<string>()
  const { listForEach } = yield* Store
  const membersOf = (organization_id: string) => listForEach(Members, "user_id", ids, { where: { organization_id }, limit: 1 })
  const members = yield* Effect.forEach(organizations, membersOf, { concurrency: 4 })
  return new Set(members.flat(2).map(({ user_id }) => user_id))
})

/** The user whom an administrator names. Fails with `user_not_found`. */
export const administeredUser = Effect.fnUntraced(function* administeredUser(id: string) {
  const found = yield* reachedUser(yield* (yield* Store).read(Users, { id }), ({ row }) => row.id)
  return yield* orFail(Effect.succeed(found), () => new UserNotFound())
})

/** An organization in reach. */
export const reachedOrganization = Effect.fnUntraced(function* reachedOrganization(id: string) {
  const organizations = yield* limits
  const found = yield* (yield* Store).read(Organizations, { id })
  return Option.filter(found, () => organizations === undefined || organizations.includes(id))
})

/** The organizations in reach of a caller who is limited to some; undefined: all are. */
export const limitedOrganizations = Effect.gen(function* organizationsInReach() {
  const organizations = yield* limits
  return organizations === undefined ? undefined : [...(yield* findEach(Organizations, organizations)).values()]
})
