import { Effect } from "effect"
import { Keys, randomToken, tokenHash } from "../tokens/keys.ts"

// The credential of a session: a random token and its signature. The store has only the token's hash.

const purpose = "session"

/** A new token: its hash for the store, and the credential for the client. */
export const newToken = Effect.gen(function* () {
  const token = yield* randomToken
  const credential = `${token}.${yield* (yield* Keys).sign(purpose, token)}`
  return { token_hash: yield* tokenHash(purpose, token), credential }
})

/** The hash of the token in a credential; null without a valid signature. */
export const verifiedTokenHash = Effect.fnUntraced(function* verifiedTokenHash(credential: string) {
  const [token, signature, ...rest] = credential.split(".")
  if (token === undefined || signature === undefined || rest.length > 0) return null
  return (yield* (yield* Keys).verify(purpose, token, signature)) ? yield* tokenHash(purpose, token) : null
})
