import { Context, type Effect, type Option, Schema } from "effect"

/** The algorithms that sign tokens of this service (RFC 7518 section 3.1, RFC 8037 section 3.1). */
export const SigningAlgorithm = Schema.Literals(["EdDSA", "RS256", "ES256"])
export type SigningAlgorithm = typeof SigningAlgorithm.Type

/** A JSON Web Key (RFC 7517), as its members. */
export type Jwk = Readonly<Record<string, unknown>>

/** A key pair; the private key has all members of the public one. */
export interface JwkPair {
  readonly publicKey: Jwk
  readonly privateKey: Jwk
}

/**
 * JSON Web Signatures (RFC 7515) with keys as JWKs. `domain/tokens/jws.ts` parses tokens before a signature is verified: `jose` accepts
 * base64url that is not canonical and repeated members.
 */
export class Jose extends Context.Service<
  Jose,
  {
    generate(algorithm: SigningAlgorithm): Effect.Effect<JwkPair>
    /** A compact JWS; `header.alg` names the algorithm. */
    sign(key: Jwk, header: Jwk & { readonly alg: string }, payload: string): Effect.Effect<string>
    /** Whether the key signed the token with this algorithm. False for keys that do not fit the algorithm. */
    verify(key: Jwk, algorithm: string, token: string): Effect.Effect<boolean>
    /** The SHA-256 thumbprint of a public key (RFC 7638); none if it is not a valid key. */
    thumbprint(key: Jwk): Effect.Effect<Option.Option<string>>
    /** A private key from its PEM text (PKCS #8, RFC 5208); none if it is not one. */
    privateKey(pem: string): Effect.Effect<Option.Option<Jwk>>
  }
>()("sallyport/Jose") {}
