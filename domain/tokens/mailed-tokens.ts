import { DateTime, Effect, Option } from "effect"
import { insert, Store } from "../ports/store.ts"
import { MailedTokens } from "../storage/tables.ts"
import type { User } from "../users/user.ts"
import { randomToken, tokenHash } from "./keys.ts"

/** Lifetime of the tokens in mailed links, seconds. */
const lifetime = 3600

/**
 * A new token, and the write that makes it valid. The endpoints of other kinds do not accept it. It is removed with its user, and with
 * the user's password.
 */
export const mailedToken = Effect.fnUntraced(function* mailedToken(kind: string, user: User | null, email: string) {
  const token = yield* randomToken
  const hash = yield* tokenHash(kind, token)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  return { token, expires_at, write: insert(MailedTokens, { hash, kind, user_id: user?.id ?? null, email, expires_at }) }
})

/** The stored row of a presented token while it is valid. */
export const presented = Effect.fnUntraced(function* presented(kind: string, token: string) {
  const held = yield* (yield* Store).read(MailedTokens, { hash: yield* tokenHash(kind, token) })
  const now = yield* DateTime.now
  return Option.filter(held, ({ row }) => DateTime.isLessThan(now, row.expires_at))
})
