import { Effect, Option } from "effect"
import type { Merging } from "../../../../domain/policies.ts"
import { insert, remove, Store, type Write } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { Consents } from "./consent-table.ts"

const page = 100

/** The writes that move consents of a user. Those to clients that the other user knows are dropped; tokens of the former user end. */
export const movedConsents = Effect.fnUntraced(function* movedConsents({ from, into }: Merging) {
  const { list, read } = yield* Store
  const writes: Array<Write> = []
  for (const consent of yield* list(Consents, { user_id: from }, { limit: page })) {
    const { id, client_id } = consent
    writes.push(remove(Consents, id))
    if (Option.isNone(yield* read(Consents, { user_id: into, client_id })))
      writes.push(insert(Consents, { ...consent, id: yield* newId, user_id: into }))
  }
  return writes
})
