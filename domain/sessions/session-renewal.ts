import { DateTime, Effect } from "effect"
import { Policies } from "../policies.ts"
import { update, type Versioned } from "../ports/store.ts"
import { joinedMethods, type StoredSession } from "./session.ts"
import { newToken } from "./session-token.ts"
import type { AuthenticationMethod } from "./sign-in.ts"
import { Sessions } from "./tables.ts"

/** What a user has proved. */
interface Proof {
  readonly multi_factor: boolean
  readonly methods: ReadonlyArray<AuthenticationMethod>
}

/**
 * The writes that record a new proof in a session, and the updated session. The session gets a new token: otherwise a stolen copy of the
 * old token would get the new proof too.
 */
export const sessionRenewal = Effect.fnUntraced(function* sessionRenewal(session: Versioned<StoredSession>, proof: Proof) {
  const { token_hash, credential } = yield* newToken
  const changes = { token_hash, proved_at: yield* DateTime.now, multi_factor: proof.multi_factor, methods: joinedMethods(proof.methods) }
  const renewed: StoredSession = { ...session.row, ...changes }
  const writes = [update(Sessions, session, changes), ...(yield* (yield* Policies).identityProved(renewed))]
  return { session: renewed, credential, writes }
})
