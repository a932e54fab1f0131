import { Effect } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"

/** The session of the caller, who has to be a guest, for a commit that is conditional on both. */
export const ownGuest = Effect.gen(function* ownGuest() {
  const own = yield* rereadSession
  return own.user.row.is_guest ? own : yield* new Forbidden({ message: "Only guests can do this." })
})
