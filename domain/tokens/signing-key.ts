import { Effect, Option, Schema } from "effect"
import { Base64, Base64Url } from "effect/encoding"
import { Jose } from "../ports/jose.ts"
import type { SigningKey } from "./jws.ts"

/** An Ed25519 public key in its published form (RFC 7517, RFC 8037). */
export const PublicJwk = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String,
  use: Schema.Literal("sig"),
  alg: Schema.Literal("EdDSA"),
  kid: Schema.String,
})

/** The beginning of an Ed25519 key in PKCS #8 (RFC 8410 section 7), before its 32 bytes. */
const pkcs8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]

/** The Ed25519 key pair of a secret key of 32 bytes (RFC 8032 section 5.1.5). */
export const ed25519 = Effect.fnUntraced(function* ed25519KeyPair(secretKey: Uint8Array) {
  const jose = yield* Jose
  const der = Base64.encode(Uint8Array.from([...pkcs8, ...secretKey]))
  const privateKey = Option.getOrThrow(yield* jose.privateKey(`-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`))
  const kid = Option.getOrThrow(yield* jose.thumbprint(privateKey))
  const publicKey: typeof PublicJwk.Type = { kty: "OKP", crv: "Ed25519", x: String(privateKey["x"]), use: "sig", alg: "EdDSA", kid }
  return { alg: "EdDSA", kid, privateKey, publicKey } satisfies SigningKey
})

/** The key of HMAC-SHA-256 with these bytes. */
export const hmac = (bytes: Uint8Array): SigningKey => {
  const key = { kty: "oct", k: Base64Url.encode(bytes) }
  return { alg: "HS256", kid: undefined, privateKey: key, publicKey: key }
}
