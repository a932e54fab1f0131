import { Effect } from "effect"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { Keys } from "../../../../domain/tokens/keys.ts"

// Nonces for DPoP proofs (RFC 9449 section 8): MACs of a time step, so that all processes accept them and none is stored.

const purpose = "dpop_nonce"

/** Seconds between two nonces. */
const step = 60

/** The steps before and after the current one whose nonces are valid. */
const tolerance = 2

const currentStep = Effect.map(Jwt.seconds, (seconds) => Math.floor(seconds / step))

/** The nonce for the next proofs of clients. */
export const currentNonce = Effect.gen(function* () {
  return yield* (yield* Keys).sign(purpose, String(yield* currentStep))
})

/** Whether this service issued a nonce in the last minutes. */
export const isNonce = Effect.fnUntraced(function* isNonce(nonce: string) {
  const keys = yield* Keys
  const current = yield* currentStep
  for (let each = current - tolerance; each <= current + tolerance; each++) {
    if (yield* keys.verify(purpose, String(each), nonce)) return true
  }
  return false
})
