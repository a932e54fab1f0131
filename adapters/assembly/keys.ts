import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import * as Keys from "../../domain/tokens/keys.ts"
import type { Configuration } from "../config/load.ts"
import * as Certificates from "../crypto/certificates.ts"
import * as Jose from "../crypto/jose.ts"
import * as TextHashes from "../crypto/text-hashes.ts"

/** The keys that are derived from the configured secrets, and the cryptography that they and other keys need. */
export const keys = (secrets: Configuration["secrets"]) =>
  Layer.unwrap(Effect.map(secrets, (opened) => Layer.orDie(Keys.layer(opened)))).pipe(
    Layer.provideMerge(Layer.mergeAll(TextHashes.layer, Jose.layer, Certificates.layer)),
    Layer.provideMerge(NodeCrypto.layer),
  )
