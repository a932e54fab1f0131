import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** The S256 challenge of a verifier (RFC 7636 section 4.2). The verifier stays secret until the code is exchanged. */
export const challengeOf = Effect.fnUntraced(function* challengeOf(verifier: string) {
  const digest = yield* Digest.Digest
  return Base64Url.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier)))
})
