import { Effect, Option, Redacted, Schema } from "effect"
import { Digest, Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Jose, type Jwk } from "../../../domain/ports/jose.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"
import type { IdTokenAlgorithm } from "./client-methods.ts"
import type { KeySets } from "./key-sets.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import { type Answer, reported, Unusable } from "./requests.ts"

/** Limit on the characters of an ID token. Some providers list the user's groups in it. */
export const maxIdTokenLength = 65_536

/** Seconds by which the clocks of a provider and of this service may differ. */
const skew = 30

const Time = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1e11 }))

/** The claims that are checked (OpenID Connect Core section 2). */
const Checked = Schema.Struct({
  iss: Schema.String,
  sub: Schema.NonEmptyString,
  aud: Schema.Union([Schema.String, Schema.NonEmptyArray(Schema.String)]),
  azp: Schema.optionalKey(Schema.String),
  exp: Time,
  iat: Time,
  nbf: Schema.optionalKey(Time),
  nonce: Schema.optionalKey(Schema.String),
  at_hash: Schema.optionalKey(Schema.String),
  tid: Schema.optionalKey(Schema.String),
})
type Checked = typeof Checked.Type

/** The expected values of an ID token. */
export interface Expectation {
  /** The clients that the token may be for: this service, or the operator's apps. */
  readonly clients: ReadonlyArray<string>
  readonly algorithms: ReadonlyArray<IdTokenAlgorithm>
  /** The values of which `nonce` must be one; null: it is not checked. */
  readonly nonces: ReadonlyArray<string> | null
  /** Whether the token may have no nonce. */
  readonly mayOmitNonce?: boolean
  /** The access token that came with it, for `at_hash`. */
  readonly access_token?: Redacted.Redacted<string>
}

/**
 * The claims of a valid ID token (OpenID Connect Core section 3.1.3.7). Its signature is verified even if it came over TLS: ID tokens
 * of apps come from unknown callers, and one rule for both cannot be confused.
 */
export const claimsOf = Effect.fnUntraced(function* idTokenClaims(
  verifySignature: KeySets,
  provider: Provider,
  jwks_url: string,
  token: string,
  expected: Expectation,
) {
  return yield* Effect.gen(function* () {
    const jws = Jws.parsed(token, maxIdTokenLength)
    if (Option.isNone(jws)) return yield* new Unusable({ reason: "the ID token is not a JWT" })
    const { header, payload } = jws.value
    const algorithm = expected.algorithms.find((each) => each === header.alg)
    if (algorithm === undefined) return yield* new Unusable({ reason: "the ID token has another algorithm than id_token_algorithms" })
    const claims = strictJsonObject(payload)
    const checked = Option.flatMap(claims, Schema.decodeUnknownOption(Checked))
    if (Option.isNone(claims) || Option.isNone(checked)) return yield* new Unusable({ reason: "the ID token lacks a claim" })
    const fault = faultOf(checked.value, provider, expected, yield* Jwt.seconds)
    if (fault !== undefined) return yield* new Unusable({ reason: `the ID token has ${fault}` })
    if (!(yield* matchesAccessToken(checked.value, algorithm, expected.access_token)))
      return yield* new Unusable({ reason: "the ID token has another at_hash" })
    const isGenuine = yield* isSigned(verifySignature, provider, jwks_url, token, algorithm, header.kid)
    return isGenuine ? claims.value : yield* new Unusable({ reason: "the ID token has no valid signature" })
  }).pipe(reported(provider.id, "id_token"))
})

/** The first claim that does not match. */
const faultOf = (
  claims: Checked,
  provider: Provider,
  { clients, nonces, mayOmitNonce = false }: Expectation,
  now: number,
): string | undefined => {
  const audiences = typeof claims.aud === "string" ? [claims.aud] : claims.aud
  const client = clients.find((each) => audiences.includes(each))
  if (!isIssuedBy(provider, claims)) return "another issuer"
  if (client === undefined) return "another audience"
  // A token for several audiences must say which of them requested it (`azp`): another one could replay it.
  if (audiences.length > 1 && claims.azp === undefined) return "several audiences without azp"
  if (claims.azp !== undefined && claims.azp !== client && !clients.includes(claims.azp)) return "another azp"
  if (claims.exp <= now - skew) return "expired"
  if (claims.iat > now + skew || (claims.nbf ?? 0) > now + skew) return "a time in the future"
  return nonces === null || (mayOmitNonce && claims.nonce === undefined) || nonces.some((nonce) => areEqual(nonce, claims.nonce ?? ""))
    ? undefined
    : "another nonce"
}

/** Whether the issuer is the configured one. A provider with tenants has one issuer for each tenant. */
const isIssuedBy = ({ issuer, preset }: Provider, { iss, tid }: Checked): boolean => {
  const { issuer_aliases = [], issuer_template } = quirksOf(preset)
  if (issuer_template === undefined) return iss === issuer || issuer_aliases.includes(iss)
  return tid !== undefined && /^[0-9a-f-]{36}$/.test(tid) && iss === issuer_template.replace("{tenantid}", tid)
}

const utf8 = new TextEncoder()
const areEqual = (one: string, other: string) => Mac.timingSafeEqual(utf8.encode(one), utf8.encode(other))

/** The hash whose left half is `at_hash` (OpenID Connect Core section 3.1.3.6). */
const digests = {
  RS256: Digest.sha256,
  PS256: Digest.sha256,
  ES256: Digest.sha256,
  HS256: Digest.sha256,
  ES384: Digest.sha384,
  EdDSA: Digest.sha512,
} as const

const matchesAccessToken = Effect.fnUntraced(function* matchesAccessToken(
  { at_hash }: Checked,
  algorithm: IdTokenAlgorithm,
  access_token: Redacted.Redacted<string> | undefined,
) {
  if (at_hash === undefined || access_token === undefined) return true
  const hash = yield* Effect.orDie((yield* Digest.Digest).digest(digests[algorithm], utf8.encode(Redacted.value(access_token))))
  return areEqual(at_hash, Base64Url.encode(hash.subarray(0, hash.length / 2)))
})

const isSigned = Effect.fnUntraced(function* isSigned(
  verifySignature: KeySets,
  { id, client_secret }: Provider,
  jwks_url: string,
  token: string,
  algorithm: IdTokenAlgorithm,
  kid: string | undefined,
) {
  const jose = yield* Jose
  const verify = (key: Jwk) => jose.verify(key, algorithm, token)
  if (algorithm !== "HS256") return yield* verifySignature(id, jwks_url, { isWanted: (key) => fits(key, algorithm, kid), verify })
  return client_secret !== null && (yield* verify({ kty: "oct", k: Base64Url.encode(Redacted.value(client_secret)) }))
})

const keyTypes = { RS256: "RSA", PS256: "RSA", ES256: "EC", ES384: "EC", EdDSA: "OKP" } as const

/** Whether a published key can have made the signature. Without a `kid` all keys of the algorithm are tried. */
const fits = (key: Jwk, algorithm: Exclude<IdTokenAlgorithm, "HS256">, kid: string | undefined): boolean =>
  key["kty"] === keyTypes[algorithm] &&
  (key["alg"] ?? algorithm) === algorithm &&
  (key["use"] ?? "sig") === "sig" &&
  (kid === undefined || key["kid"] === undefined || key["kid"] === kid)

/** The profile in an ID token and in the answer of the userinfo endpoint. The signed claims come first. */
export const mergedProfile = (claims: Answer, userinfo: Answer): Answer => {
  const isSameAddress = claims["email"] === undefined || claims["email"] === userinfo["email"]
  // `email_verified` of the userinfo endpoint is about its own address, not about another one.
  const verified = claims["email_verified"] ?? (isSameAddress ? userinfo["email_verified"] : undefined)
  return { ...userinfo, ...claims, email_verified: verified }
}
