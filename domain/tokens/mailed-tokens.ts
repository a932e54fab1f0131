import { DateTime, Effect, Option } from "effect"
import { insert, Store } from "../ports/store.ts"
import { MailedTokens } from "../storage/tables.ts"
import type { User } from "../users/user.ts"
import { randomToken, tokenHash } from "./keys.ts"

/** Lifetime of the tokens in mailed links, seconds. */
const lifetime = 3600

/**
 * A new token, and the write that makes it valid. Endpoints for other kinds do not accept it. It becomes invalid when its user is removed
 * or changes the password.
 */
export const mailedToken = Effect.fnUntraced(function* mailedToken(kind: string, user: User | null, email: string) {
  const token = yield* randomToken
  const hash = yield* tokenHash(kind, token)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  return { token, expires_at, write: insert(MailedTokens, { hash, kind, user_id: user?.id ?? null, email, expires_at }) }
})

/** The row of a presented token, unless it has expired. */
export const presented = Effect.fnUntraced(function* presented(kind: string, token: string) {
  const stored = yield* (yield* Store).read(MailedTokens, { hash: yield* tokenHash(kind, token) })
  const now = yield* DateTime.now
  return Option.filter(stored, ({ row }) => DateTime.isLessThan(now, row.expires_at))
})
