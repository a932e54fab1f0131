import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Ed25519 } from "../ports/ed25519.ts"
import { TextHashes } from "../ports/text-hashes.ts"
import { strictBase64Url } from "../values/strict-base64-url.ts"

/** An Ed25519 public key in its published form (RFC 7517, RFC 8037). */
export const PublicJwk = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String,
  use: Schema.Literal("sig"),
  alg: Schema.Literal("EdDSA"),
  kid: Schema.String,
})
export type PublicJwk = typeof PublicJwk.Type

/** An Ed25519 key pair that does not expose its secret key. */
export interface SigningKey {
  readonly jwk: PublicJwk
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => Effect.Effect<string>
  readonly verify: (text: string, signature: string) => Effect.Effect<boolean>
}

const utf8 = new TextEncoder()

/** The Ed25519 key pair of a secret key of 32 bytes (RFC 8032 section 5.1.5). */
export const signingKey = Effect.fnUntraced(function* signingKey(secretKey: Uint8Array) {
  const ed25519 = yield* Ed25519
  const publicKey = yield* ed25519.publicKey(secretKey)
  const x = Base64Url.encode(publicKey)
  const key: SigningKey = {
    jwk: { kty: "OKP", crv: "Ed25519", x, use: "sig", alg: "EdDSA", kid: yield* thumbprint(x) },
    sign: (text) => Effect.map(ed25519.sign(secretKey, utf8.encode(text)), Base64Url.encode),
    verify: (text, signature) =>
      Option.match(strictBase64Url(signature), {
        onNone: () => Effect.succeed(false),
        onSome: (bytes) => ed25519.verify(publicKey, bytes, utf8.encode(text)),
      }),
  }
  return key
})

/** The JWK thumbprint (RFC 7638): a digest of the required members, sorted by name. */
const thumbprint = (x: string) => Effect.map(TextHashes, ({ sha256 }) => sha256(JSON.stringify({ crv: "Ed25519", kty: "OKP", x })))
