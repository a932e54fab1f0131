import { Effect } from "effect"
import { everywhere } from "../administration/grants.ts"
import { CurrentPrincipal, unproven } from "../administration/principal.ts"
import { Forbidden } from "../errors.ts"
import { Policies } from "../policies.ts"
import { type Changes, type Reader, refusedTo } from "./attributes.ts"
import { attributeWrites } from "./writing.ts"

const hasProof = Effect.map(unproven(new Set(["users:private"])), ({ length }) => length === 0)

/** What the calling administrator sees. Without the proof that private attributes may need, it is as without the permission. */
export const readerOfPrincipal = Effect.gen(function* () {
  const { permissions } = yield* CurrentPrincipal
  const reader: Reader = permissions.has("users:private") && (yield* hasProof) ? "private" : "admin"
  return reader
})

/** Refuses what names a private attribute without the proof that this needs. */
const unproved = new Forbidden({ message: "Private attributes need a recent proof of identity." })

/**
 * The writes of `attributeWrites` for the calling administrator. Call it after `ofPrincipal`, whose writes make the commit fail if the
 * grants, which are read again here for private attributes, change in between.
 */
export const administeredWrites = Effect.fnUntraced(function* administeredWrites(user_id: string, changes: Changes) {
  const { attributes } = yield* Policies
  if (refusedTo(attributes, Object.keys(changes), "admin").length > 0) {
    const { grants } = yield* (yield* CurrentPrincipal).reread
    if (!everywhere(grants).has("users:private")) return yield* new Forbidden()
    if (!(yield* hasProof)) return yield* unproved
  }
  return yield* attributeWrites(user_id, changes)
})
