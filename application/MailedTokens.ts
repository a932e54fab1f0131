import { DateTime, Effect, Option } from "effect"
import type { User } from "../domain/User.ts"
import { randomToken, tokenHash } from "./Keys.ts"
import { insert, Store } from "./ports/Store.ts"
import { MailedTokens } from "./Tables.ts"

/** What a mailed token is good for. A token of one kind is unknown to the endpoints of another. */
export type TokenKind = "verify_email" | "change_email" | "reset_password"

/** Lifetime of the tokens in mailed links, seconds. */
export const lifetime = 3600

/** A new token, and the write that makes it valid. Without a user it is good for nothing, and costs the same. */
export const mailedToken = Effect.fnUntraced(function* (kind: TokenKind, user: User | null, email: string) {
  const token = yield* randomToken
  const hash = yield* tokenHash(kind, token)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  return { token, expires_at, write: insert(MailedTokens, { hash, kind, user_id: user?.id ?? null, email, expires_at }) }
})

/** The stored row of a presented token while it is valid. */
export const presented = Effect.fnUntraced(function* (kind: TokenKind, token: string) {
  const held = yield* (yield* Store).read(MailedTokens, { hash: yield* tokenHash(kind, token) })
  const now = yield* DateTime.now
  return Option.filter(held, ({ row }) => DateTime.isLessThan(now, row.expires_at))
})
