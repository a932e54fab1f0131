import { Effect, Option } from "effect"
import { Caller } from "../sessions/caller.ts"
import { lagging } from "../sessions/session-replica.ts"
import { verifiedTokenHash } from "../sessions/session-token.ts"
import { current, currentUnextended, sessionOfCredential } from "../sessions/sessions.ts"
import { Settings } from "../settings.ts"
import { countRequest } from "./limits.ts"

// A request is counted against its session once the signature of its credential is verified, before the session is read. If the session has
// ended, the request also counts against its address: otherwise each sign-up and sign-out would leave a credential for 1,200 anonymous
// requests a minute.

/** Counts the request against its address as well. A request whose credential has no valid signature was already counted there. */
const countOnAddress = Effect.gen(function* () {
  const { credential, ip_address } = yield* Caller
  if (credential === null || (yield* verifiedTokenHash(credential)) === null) return
  yield* countRequest({ credential: null, ip_address })
})

/** The caller's session (`current`); without one, the request also counts against its address. */
export const liveSession = Effect.tap(current, (found) => (Option.isNone(found) ? countOnAddress : Effect.void))

/** Like `liveSession`, but does not refresh the session. */
export const unextendedSession = Effect.gen(function* readUnextendedSession() {
  const found = yield* currentUnextended
  if (Option.isNone(found)) yield* countOnAddress
  return found
})

/** Counts like `liveSession`, for work before an endpoint is called. The session is read only to count. */
export const countUnlessLive = Effect.gen(function* () {
  const { credential } = yield* Caller
  if (credential === null || !(yield* Settings).rate_limit.enabled) return
  if (Option.isNone(yield* lagging(sessionOfCredential(credential)))) yield* countOnAddress
})
