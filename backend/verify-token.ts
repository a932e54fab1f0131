import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose"
import { unreadKeys } from "./unread-keys.ts"

/** The claims of a token that the module `jwt` issued. */
export interface Claims extends JWTPayload {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
}

/** Whether a token is valid. `unavailable`: the keys could not be read, so the validity is unknown. */
export type TokenVerdict =
  | { readonly status: "valid"; readonly claims: Claims }
  | { readonly status: "invalid"; readonly reason: string }
  | { readonly status: "unavailable"; readonly reason: string }

export interface VerifierOptions {
  /** The `iss` of tokens: `public_url` and `base_path`, unless `jwt.issuer` says otherwise. */
  readonly issuer: string
  /** The `aud` of tokens; the issuer unless `jwt.audience` says otherwise. */
  readonly audience?: string
  /** The address of the public keys, if it is not `{issuer}/jwks`. */
  readonly jwksUrl?: string
}

/** The tolerance for clocks that differ, in seconds. */
const clockTolerance = 5

/**
 * Verifies tokens of one issuer by its public keys (`jwt.algorithm` `EdDSA`). Issuer, audience and algorithm are fixed, and each
 * verifier has its own keys, so that a token of another issuer never passes.
 */
export const createVerifier = ({ issuer, audience = issuer, jwksUrl = `${issuer}/jwks` }: VerifierOptions) => {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { cacheMaxAge: 5 * 60_000, timeoutDuration: 3000 })
  return async (token: string): Promise<TokenVerdict> => {
    try {
      const { payload } = await jwtVerify<Claims>(token, keys, { issuer, audience, algorithms: ["EdDSA", "Ed25519"], clockTolerance })
      return { status: "valid", claims: payload }
    } catch (error) {
      const isRefused = error instanceof errors.JOSEError && !unreadKeys.includes(error.code)
      return { status: isRefused ? "invalid" : "unavailable", reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
