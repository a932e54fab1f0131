import { Duration } from "effect"
import { MailedTokens } from "../storage/tables.ts"
import type { User } from "../users/user.ts"
import { singleUseToken } from "./single-use-token.ts"

/** Lifetime of the tokens in mailed links. */
export const lifetime = Duration.hours(1)

const tokens = (kind: string) => singleUseToken(MailedTokens, { kind })

/**
 * A new token, and the write that makes it valid. Endpoints for other kinds do not accept it. It becomes invalid when its user is removed
 * or changes the password.
 */
export const mailedToken = (kind: string, user: User | null, email: string) =>
  tokens(kind).issue({ kind, user_id: user?.id ?? null, email }, Duration.toSeconds(lifetime))

/** The row of a presented token, unless it has expired. */
export const readMailedToken = (kind: string, token: string) => tokens(kind).read(token)
