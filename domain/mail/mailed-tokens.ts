import { Duration, Effect } from "effect"
import { put, removeAll, Store } from "../ports/store.ts"
import { singleUseToken } from "../tokens/single-use-token.ts"
import { type MailedToken, MailedTokens } from "../users/tables.ts"
import type { User } from "../users/user.ts"

/** Lifetime of the tokens in mailed links. */
export const lifetime = Duration.hours(1)

const tokens = (kind: string) => singleUseToken(MailedTokens, { kind })

/**
 * A new token, and the write that makes it valid. Endpoints for other kinds do not accept it. It becomes invalid when its user is removed
 * or changes the password.
 */
export const mailedToken = (kind: string, user: User | null, email: string, valid = lifetime) =>
  tokens(kind).issue({ kind, user_id: user?.id ?? null, email }, Duration.toSeconds(valid))

/** The kinds of tokens that set a password: of a user who has one, and of a user without. */
export const resetKinds = { replacing: "reset_password", creating: "set_password" } as const
export const setsPassword = ({ kind }: MailedToken): boolean => Object.values<string>(resetKinds).includes(kind)

/** The maximum number of links that stay valid. The budget of messages allows about 30 in their lifetime. */
const maxKept = 100

/**
 * The writes that invalidate the links mailed to a user, at the proof of the user's address. Links for a new password that were mailed to
 * this address stay valid: only its owner can read them. `removesPassword`: the commit removes the password, so these links set a new one.
 * The commit has to write the user, because a concurrent reset may use such a link.
 */
export const otherLinkRemovals = Effect.fnUntraced(function* otherLinkRemovals({ id: user_id, email }: User, removesPassword = false) {
  const links = yield* (yield* Store).list(MailedTokens, { user_id }, { limit: maxKept, order: "expires_at", descending: true })
  const kept = links.filter((link) => link.email === email && setsPassword(link))
  const changes = removesPassword ? { kind: resetKinds.creating } : {}
  return [removeAll(MailedTokens, { user_id }), ...kept.map((link) => put(MailedTokens, { ...link, ...changes }))]
})

/** The row of a presented token, unless it has expired. */
export const readMailedToken = (kind: string, token: string) => tokens(kind).read(token)
