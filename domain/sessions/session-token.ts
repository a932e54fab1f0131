import { Effect } from "effect"
import { Keys, randomToken, tokenHash } from "../tokens/keys.ts"

// The credential of a session: a random token and its signature. The store has only the token's hash.

const purpose = "session"

/** Begins the tokens of impersonated sessions, so that they are recognized before anything is read. No random token contains it. */
const mark = "~"

/** Whether this is the credential of an impersonated session. Its signature covers the mark. */
export const isImpersonated = (credential: string): boolean => credential.startsWith(mark)

const tokenWith = Effect.fnUntraced(function* tokenWith(prefix: string) {
  const token = prefix + (yield* randomToken)
  const credential = `${token}.${yield* (yield* Keys).sign(purpose, token)}`
  return { token_hash: yield* tokenHash(purpose, token), credential }
})

/** A new token: its hash for the store, and the credential for the client. */
export const newToken = tokenWith("")
/** The same for an impersonated session. */
export const newImpersonatedToken = tokenWith(mark)

/** The hash of the token in a credential; null without a valid signature. */
export const verifiedTokenHash = Effect.fnUntraced(function* verifiedTokenHash(credential: string) {
  const [token, signature, ...rest] = credential.split(".")
  if (token === undefined || signature === undefined || rest.length > 0) return null
  return (yield* (yield* Keys).verify(purpose, token, signature)) ? yield* tokenHash(purpose, token) : null
})
