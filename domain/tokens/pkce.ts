import { Effect } from "effect"
import { TextHashes } from "../ports/text-hashes.ts"

/** The S256 challenge of a verifier (RFC 7636 section 4.2). The verifier stays secret until the code is exchanged. */
export const challengeOf = (verifier: string) => Effect.map(TextHashes, ({ sha256 }) => sha256(verifier))

/** Whether a text has the form of a verifier (section 4.1). */
export const isVerifier = (text: string) => /^[\w.~-]{43,128}$/.test(text)
