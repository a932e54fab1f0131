import type { Effect } from "effect"
import { Context } from "effect"

/** Signatures of RFC 8032, where a key is 32 bytes and a signature 64. */
export class Ed25519 extends Context.Service<
  Ed25519,
  {
    /** The public key that belongs to a secret key. */
    publicKey(secretKey: Uint8Array): Effect.Effect<Uint8Array>
    sign(secretKey: Uint8Array, data: Uint8Array): Effect.Effect<Uint8Array>
    /** Strict: rejects keys that are not points of the prime-order group, and signatures with a non-canonical encoding. */
    verify(publicKey: Uint8Array, signature: Uint8Array, data: Uint8Array): Effect.Effect<boolean>
  }
>()("sallyport/Ed25519") {}
