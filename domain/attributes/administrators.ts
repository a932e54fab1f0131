import { Effect } from "effect"
import { everywhere } from "../administration/grants.ts"
import { CurrentPrincipal } from "../administration/principal.ts"
import { Forbidden } from "../errors.ts"
import { Policies } from "../policies.ts"
import { type Changes, type Reader, refusedTo } from "./attributes.ts"
import { attributeWrites } from "./writing.ts"

/** What the calling administrator sees. */
export const readerOfPrincipal = CurrentPrincipal.useSync(
  ({ permissions }): Reader => (permissions.has("users:private") ? "private" : "admin"),
)

/**
 * The writes of `attributeWrites` for the calling administrator. Call it after `ofPrincipal`, whose writes make the commit fail if the
 * grants, which are read again here for private attributes, change in between.
 */
export const administeredWrites = Effect.fnUntraced(function* administeredWrites(user_id: string, changes: Changes) {
  const { attributes } = yield* Policies
  if (refusedTo(attributes, Object.keys(changes), "admin").length > 0) {
    const { grants } = yield* (yield* CurrentPrincipal).reread
    if (!everywhere(grants).has("users:private")) return yield* new Forbidden()
  }
  return yield* attributeWrites(user_id, changes)
})
