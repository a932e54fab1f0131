import { Schema } from "effect"

/**
 * How the service authenticates to a provider (RFC 6749 section 2.3, OpenID Connect Core section 9). `apple_client_secret`: the secret in the
 * body is a JWT, signed with the account's key from Apple.
 */
export const ClientAuth = Schema.Literals(["client_secret_post", "client_secret_basic", "private_key_jwt", "apple_client_secret", "none"])
export type ClientAuth = typeof ClientAuth.Type

/** The signature algorithms of ID tokens that the service can verify (RFC 7518 section 3.1). `HS256` is verified with the client's secret. */
export const IdTokenAlgorithm = Schema.Literals(["RS256", "PS256", "ES256", "ES384", "EdDSA", "HS256"])
export type IdTokenAlgorithm = typeof IdTokenAlgorithm.Type
