import { Effect } from "effect"
import { TextHashes } from "../ports/text-hashes.ts"

/** The S256 challenge of a verifier (RFC 7636 section 4.2). The verifier stays secret until the code is exchanged. */
export const challengeOf = (verifier: string) => Effect.map(TextHashes, ({ sha256 }) => sha256(verifier))
