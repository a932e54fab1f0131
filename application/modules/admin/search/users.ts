import { Effect } from "effect"
import type { CurrentPrincipal } from "../../../../domain/administration/principal.ts"
import { limits, reachedUsers } from "../../../../domain/administration/reach.ts"
import { maxHits, type SearchedKind } from "../../../../domain/administration/search.ts"
import type { Policies } from "../../../../domain/policies.ts"
import type { Store } from "../../../../domain/ports/store.ts"
import { searched, searchOf } from "../user-list.ts"

/** The users among whom those in reach of a caller with a limited reach are looked for. */
const candidates = 100

/** The users whom a text finds, for `GET /admin/search`. */
export const usersByText: SearchedKind<CurrentPrincipal | Policies | Store> = {
  kind: "users",
  permission: "users:read",
  within: true,
  find: Effect.fnUntraced(function* usersByText(text) {
    // Only other filters can fail.
    const search = yield* Effect.orDie(searchOf({ search: text }, undefined))
    const isLimited = (yield* limits) !== undefined
    const { found } = yield* searched(search, isLimited ? candidates : maxHits, undefined)
    const reached = yield* reachedUsers(found.map(({ user }) => user.id))
    const hits = found.filter(({ user }) => reached.has(user.id)).slice(0, maxHits)
    return hits.map(({ user: { id, name, email } }) => ({ id, name, detail: email }))
  }),
}
