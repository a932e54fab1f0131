import { Effect, Option } from "effect"
import { Caller } from "../sessions/caller.ts"
import { verifiedTokenHash } from "../sessions/session-token.ts"
import { current, sessionOfCredential } from "../sessions/sessions.ts"
import { Settings } from "../settings.ts"
import { countRequest } from "./limits.ts"

// Requests are counted by the verified signature of their credential, before the session is read. If the session has ended, the request
// also counts on its address: otherwise each sign-up and sign-out would leave a credential for 1,200 anonymous requests a minute.

/** Counts the request on its address as well. A credential without a valid signature was already counted there. */
const countOnAddress = Effect.gen(function* () {
  const { credential, ip_address } = yield* Caller
  if (credential === null || (yield* verifiedTokenHash(credential)) === null) return
  yield* countRequest({ credential: null, ip_address })
})

/** The caller's session (`current`); without one, the request also counts on its address. */
export const liveSession = Effect.tap(current, (found) => (Option.isNone(found) ? countOnAddress : Effect.void))

/** The same check without refreshing the session, for work that precedes the call of an endpoint. */
export const countUnlessLive = Effect.gen(function* () {
  const { credential } = yield* Caller
  if (credential === null || !(yield* Settings).rate_limit.enabled) return
  if (Option.isNone(yield* sessionOfCredential(credential))) yield* countOnAddress
})
