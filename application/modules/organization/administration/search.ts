import { Effect } from "effect"
import type { CurrentPrincipal } from "../../../../domain/administration/principal.ts"
import { limitedOrganizations } from "../../../../domain/administration/reach.ts"
import { maxHits, type SearchedKind } from "../../../../domain/administration/search.ts"
import type { Organization } from "../../../../domain/organizations/organization.ts"
import type { Store } from "../../../../domain/ports/store.ts"
import { searchable } from "../../../../domain/values/text.ts"
import { beginningWith, following } from "./leads.ts"

/** The organizations with this id, or whose name or slug begins with a text, for `GET /admin/search`. */
export const organizationsByText: SearchedKind<CurrentPrincipal | Store> = {
  kind: "organizations",
  permission: "organizations:read",
  within: true,
  find: Effect.fnUntraced(function* organizationsByText(typed) {
    const text = searchable(typed.trim())
    const few = yield* limitedOrganizations
    const found = few ?? (yield* beginningWith(text, maxHits))
    const isFound = ({ id, name, slug }: Organization) => id === text || slug.startsWith(text) || searchable(name).startsWith(text)
    const hits = following(found.filter(isFound), undefined, maxHits)
    return hits.map(({ id, name, slug }) => ({ id, name, detail: slug }))
  }),
}
