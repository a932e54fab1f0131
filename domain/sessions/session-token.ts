import { Effect } from "effect"
import { Keys, randomToken, tokenHash } from "../tokens/keys.ts"

// What a session travels as: a random token and its signature. The store has only the token's hash.

const purpose = "session"

/** A new token, as the store and as its owner has it. */
export const newToken = Effect.gen(function* () {
  const token = yield* randomToken
  const credential = `${token}.${yield* (yield* Keys).sign(purpose, token)}`
  return { token_hash: yield* tokenHash(purpose, token), credential }
})

/** The hash of the token in what somebody comes with; null where we did not sign it. */
export const hashIn = Effect.fnUntraced(function* sessionTokenHash(credential: string) {
  const [token, signature, ...rest] = credential.split(".")
  if (token === undefined || signature === undefined || rest.length > 0) return null
  return (yield* (yield* Keys).verify(purpose, token, signature)) ? yield* tokenHash(purpose, token) : null
})
