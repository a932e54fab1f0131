import { Effect, Option } from "effect"
import { Members, Organizations } from "../organizations/tables.ts"
import { Policies } from "../policies.ts"
import { Store } from "../ports/store.ts"
import { everywhere, organizationsWith } from "./grants.ts"
import { CurrentPrincipal } from "./principal.ts"

// What the caller may read. What is out of reach is as if it did not exist, so that answers reveal nothing of other organizations.

/** The organizations to which the caller's permission is limited; undefined: it holds everywhere. */
export const limits = Effect.gen(function* limitsOfPrincipal() {
  const { grants, permission } = yield* CurrentPrincipal
  if (permission === null || everywhere(grants).has(permission)) return undefined
  return organizationsWith(grants, permission)
})

/** Whether the module with organizations is on: otherwise its tables do not exist. */
export const hasOrganizations = Effect.map(Policies, ({ tables }) => tables.some(({ name }) => name === Members.name))

/** What was found, if its user is in reach. One out of reach takes as many reads as an unknown one. */
export const reachedUser = Effect.fnUntraced(function* reachedUser<A>(found: Option.Option<A>, idOf: (found: A) => string) {
  const organizations = yield* limits
  if (organizations === undefined) return found
  if (!(yield* hasOrganizations)) return Option.none<A>()
  const user_id = Option.match(found, { onNone: () => "", onSome: idOf })
  const { listForEach } = yield* Store
  const memberships = yield* listForEach(Members, "organization_id", organizations, { where: { user_id }, limit: 1 })
  return memberships.some(({ length }) => length > 0) ? found : Option.none<A>()
})

/** An organization in reach. */
export const reachedOrganization = Effect.fnUntraced(function* reachedOrganization(id: string) {
  const organizations = yield* limits
  const found = yield* (yield* Store).read(Organizations, { id })
  return Option.filter(found, () => organizations === undefined || organizations.includes(id))
})
