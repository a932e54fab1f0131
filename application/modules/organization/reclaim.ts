import { Effect } from "effect"
import { ActiveOrganizations, Members, Organizations } from "../../../domain/organizations/tables.ts"
import type { Reclaim } from "../../../domain/policies.ts"
import { remove, Store } from "../../../domain/ports/store.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import type { User } from "../../../domain/users/user.ts"

/** Limit on the organizations that a mail lists. */
const maxListed = 20

/**
 * Keeps memberships, which may be the owner's own. Clears the active organization: otherwise the owner would start in one that an
 * attacker chose.
 */
export const reclaim = Effect.fnUntraced(function* reclaim({ id: user_id }: User) {
  const { list, listForEach } = yield* Store
  const members = yield* list(Members, { user_id }, { limit: maxListed + 1, order: "id" })
  const ids = members.slice(0, maxListed).map(({ organization_id }) => organization_id)
  const organizations = (yield* listForEach(Organizations, "id", ids, { limit: 1 })).flat()
  return { writes: [remove(ActiveOrganizations, user_id)], kept: kept(organizations, members.length > maxListed) } satisfies Reclaim
})

/** What the mail to the owner says. Lists slugs instead of names, which could contain any text of an attacker. */
export const kept = (organizations: ReadonlyArray<{ readonly slug: string }>, more: boolean) => {
  if (organizations.length === 0) return []
  const slugs = organizations.map(({ slug }) => slug.replaceAll(".", "·"))
  return [phrase(more ? "mail.account_reclaimed.more_organizations" : "mail.account_reclaimed.organizations", { organizations: slugs })]
}
