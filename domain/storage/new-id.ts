import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** A new UUID, version 7 (RFC 9562 section 5.7): ids grow with time. */
export const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
