import { Effect } from "effect"
import { ActiveOrganizations, Members, Organizations } from "../../../domain/organizations/tables.ts"
import type { Reclaim } from "../../../domain/policies.ts"
import { remove, Store } from "../../../domain/ports/store.ts"
import type { User } from "../../../domain/users/user.ts"

/** The most organizations that a mail lists. */
const most = 20

/**
 * Memberships stay, since they may be the owner's work. The active organization does not: the owner would begin in an
 * organization that the attacker chose.
 */
export const reclaim = Effect.fnUntraced(function* ({ id: user_id }: User) {
  const { list, listForEach } = yield* Store
  const members = yield* list(Members, { user_id }, { limit: most + 1, order: "id" })
  const ids = members.slice(0, most).map(({ organization_id }) => organization_id)
  const organizations = (yield* listForEach(Organizations, "id", ids, { limit: 1 })).flat()
  const found: Reclaim = { writes: [remove(ActiveOrganizations, user_id)], kept: kept(organizations, members.length > most) }
  return found
})

/** Organizations are named by their slug: a name could be any text of the attacker's. */
const kept = (organizations: ReadonlyArray<{ readonly slug: string }>, more: boolean) => {
  if (organizations.length === 0) return []
  const names = organizations.map(({ slug }) => slug.replaceAll(".", "·")).join(", ")
  return [`The account belongs to these organizations: ${names}${more ? ", and others" : ""}. Leave those that you do not know.`]
}
