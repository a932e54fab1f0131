import { Context, Effect, Option } from "effect"
import type { Versioned } from "../ports/store.ts"
import type { StoredUser } from "../users/user.ts"
import type { StoredSession } from "./session.ts"

/** A session and its user. */
export type SessionAndUser = readonly [Versioned<StoredSession>, Versioned<StoredUser>]

/** Reads sessions from copies of the store, which may lag behind it by a bounded time. */
export interface SessionReplicaService {
  /** A session, by the hash of its token, and its user. None if the copy does not have it, or if no copy can be used now. Never fails. */
  readonly read: (token_hash: string) => Effect.Effect<Option.Option<SessionAndUser>>
}

/** Optional: without it, every session is read from the store. */
export const SessionReplica = Context.Reference<SessionReplicaService | undefined>("sallyport/SessionReplica", {
  defaultValue: () => undefined,
})

const MayLag = Context.Reference("sallyport/SessionReplica/MayLag", { defaultValue: () => false })

/**
 * Lets this effect read the caller's session from a replica. Only for requests that read: a session that was revoked a moment ago may still
 * be found, so it must not decide on a write.
 */
export const lagging = Effect.provideService(MayLag, true)

/** The session in a replica, if this request may read one. */
export const readReplica = Effect.fnUntraced(function* readReplica(token_hash: string) {
  const replica = yield* SessionReplica
  return replica === undefined || !(yield* MayLag) ? Option.none() : yield* replica.read(token_hash)
})
