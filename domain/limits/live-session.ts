import { Effect, Option } from "effect"
import { Caller } from "../sessions/caller.ts"
import { hashIn } from "../sessions/session-token.ts"
import { current, heldBy } from "../sessions/sessions.ts"
import { Settings } from "../settings.ts"
import { countRequest } from "./limits.ts"

// Requests are counted before their session is looked up, by the signature of its credential. A session that turns out to have ended gives no
// budget of its own: otherwise each sign-up and sign-out would leave a credential that pays for 1,200 anonymous requests a minute.

/** Counts the request on its address as well. A credential that nothing signed was counted there in the first place. */
const countOnAddress = Effect.gen(function* () {
  const { credential, ip_address } = yield* Caller
  if (credential === null || (yield* hashIn(credential)) === null) return
  yield* countRequest({ credential: null, ip_address })
})

/** The caller's session, as `current` finds it. */
export const liveSession = Effect.tap(current, (found) => (Option.isNone(found) ? countOnAddress : Effect.void))

/** Looks the caller's session up without using it, for work that is done before any endpoint is called. */
export const countUnlessLive = Effect.gen(function* () {
  const { credential } = yield* Caller
  if (credential === null || !(yield* Settings).rate_limit.enabled) return
  if (Option.isNone(yield* heldBy(credential))) yield* countOnAddress
})
