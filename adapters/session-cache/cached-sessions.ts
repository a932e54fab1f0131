import { Cause, Effect, Exit, Option } from "effect"
import { LRUCache } from "lru-cache"
import type { SessionAndUser } from "../../domain/sessions/session-replica.ts"

type Found = Option.Option<SessionAndUser>

export interface Options {
  /** How many sessions are kept, about 2 KB each. The one that was not used for longest is removed first. */
  readonly size: number
  /** The time, in milliseconds, after which a session is read again; 0 if no other process writes to the store. */
  readonly max_age: number
}

/** Sessions and their users by the hash of the session's token. */
export interface CachedSessions {
  readonly get: (token_hash: string) => SessionAndUser | undefined
  /** How many calls of `get` found a session, and how many did not. */
  readonly uses: { readonly hit: number; readonly miss: number }
  /** Begins a read of the store. The result keeps what was read, unless a session or user was changed during the read. */
  readonly fill: () => (found: Found) => Found
  /** Runs a change of the sessions and users with these ids, or of any. Afterwards none of them is in the cache. */
  readonly changing: <A, E>(ids: ReadonlyArray<string> | undefined, change: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

export const make = ({ size, max_age }: Options): CachedSessions => {
  /** The token hashes of the sessions with the id, or whose user has the id. */
  const hashesById = new Map<string, Set<string>>()
  const idsOf = ([session, user]: SessionAndUser) => [session.row.id, user.row.id]
  const sessions = new LRUCache<string, SessionAndUser>({
    max: size,
    ttl: max_age,
    perf: { now: () => performance.now() },
    dispose: (entry, token_hash) => {
      for (const id of idsOf(entry)) {
        const hashes = hashesById.get(id)
        hashes?.delete(token_hash)
        if (hashes?.size === 0) hashesById.delete(id)
      }
    },
  })
  const uses = { hit: 0, miss: 0 }
  let changes = 0
  let underWay = 0

  const add = (entry: SessionAndUser, start: number) => {
    const { token_hash } = entry[0].row
    sessions.set(token_hash, entry, { start })
    for (const id of idsOf(entry)) hashesById.set(id, (hashesById.get(id) ?? new Set()).add(token_hash))
  }
  const forget = (ids: ReadonlyArray<string> | undefined) => {
    changes++
    if (ids === undefined) return sessions.clear()
    for (const id of ids) for (const token_hash of [...(hashesById.get(id) ?? [])]) sessions.delete(token_hash)
  }

  return {
    get: (token_hash) => {
      const found = sessions.get(token_hash)
      uses[found === undefined ? "miss" : "hit"]++
      return found
    },
    uses,
    fill: () => {
      const [before, start] = [changes, performance.now()]
      return (found) => {
        if (Option.isSome(found) && before === changes && underWay === 0) add(found.value, start)
        return found
      }
    },
    changing: (ids, change) =>
      Effect.suspend(() => {
        underWay++
        forget(ids)
        const end = () => {
          underWay--
          forget(ids)
        }
        // Without an interruption, so that the end of the change is known even if the client has gone.
        return Effect.onExit(Effect.uninterruptible(change), (exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) setTimeout(end, uncertainty).unref()
            else end()
          }),
        )
      }),
  }
}

/** The time, in milliseconds, during which a change without an answer of the store can still be applied. No session is kept until then. */
const uncertainty = 30_000
