import { DateTime, Effect } from "effect"
import type { Versioned } from "../ports/store.ts"
import { update } from "../ports/store.ts"
import { Sessions } from "../storage/tables.ts"
import type { StoredSession } from "./session.ts"
import { newToken } from "./session-token.ts"

/**
 * The write that records a new proof in a session, and the updated session. The session gets a new token: otherwise a stolen copy of the
 * old token would get the new proof too.
 */
export const sessionRenewal = Effect.fnUntraced(function* sessionRenewal(session: Versioned<StoredSession>, multi_factor: boolean) {
  const { token_hash, credential } = yield* newToken
  const changes = { token_hash, proved_at: yield* DateTime.now, multi_factor }
  return { session: { ...session.row, ...changes }, credential, write: update(Sessions, session, changes) }
})
