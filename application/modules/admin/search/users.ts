import { Effect } from "effect"
import type { CurrentPrincipal } from "../../../../domain/administration/principal.ts"
import { limits, reachedUsers } from "../../../../domain/administration/reach.ts"
import { type Hit, maxHits, type SearchedKind } from "../../../../domain/administration/search.ts"
import type { Policies } from "../../../../domain/policies.ts"
import type { Store } from "../../../../domain/ports/store.ts"
import type { Settings } from "../../../../domain/settings.ts"
import type { Place } from "../user-leads.ts"
import { searched, searchOf } from "../user-list.ts"

/** The users that are examined at once, and in all, for a caller with a limited reach. */
const examined = { at_once: 100, most: 1000 }

/** The users whom a text finds, for `GET /admin/search`. */
export const usersByText: SearchedKind<CurrentPrincipal | Policies | Settings | Store> = {
  kind: "users",
  permission: "users:read",
  within: true,
  find: Effect.fnUntraced(function* usersByText(text) {
    // Only other filters can fail.
    const search = yield* Effect.orDie(searchOf({ search: text }, undefined))
    const isLimited = (yield* limits) !== undefined
    const size = isLimited ? examined.at_once : maxHits
    const hits: Array<Hit> = []
    let after: Place | undefined
    for (let count = 0; hits.length < maxHits && count < examined.most; count += size) {
      const { found, next } = yield* searched(search, size, after)
      const reached = yield* reachedUsers(found.map(({ user }) => user.id))
      for (const { user } of found) if (reached.has(user.id)) hits.push({ id: user.id, name: user.name, detail: user.email })
      if (next === null) break
      after = next
    }
    return hits.slice(0, maxHits)
  }),
}
