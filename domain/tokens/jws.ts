import { Effect, Option, Schema } from "effect"
import { Jose, type Jwk } from "../ports/jose.ts"
import { strictBase64Url } from "../values/strict-base64-url.ts"
import { strictJsonObject } from "../values/strict-json.ts"

/** A key that signs for this service, and the one that verifies its signatures. The algorithm is fixed here, never read from a token. */
export interface SigningKey {
  readonly alg: string
  /** Undefined if the key has no id: then every key is tried. */
  readonly kid: string | undefined
  readonly privateKey: Jwk
  readonly publicKey: Jwk
}

/**
 * Limit on the characters of a token. Headers and payloads are parsed before the signature is checked, so without a limit an attacker
 * could submit megabytes.
 */
const maxTokenLength = 8192

/** The header members that are read. `jku`, `jwk`, `x5u` and `x5c` are ignored: otherwise an attacker could supply the verification key. */
const Header = Schema.Struct({
  alg: Schema.String,
  kid: Schema.optionalKey(Schema.String),
  typ: Schema.optionalKey(Schema.String),
  /** Critical extensions (RFC 7515 section 4.1.11); none is supported. */
  crit: Schema.optionalKey(Schema.Never),
})

/** A compact JWS whose signature is not yet verified. */
export interface Unverified {
  readonly header: typeof Header.Type
  readonly payload: Uint8Array
}

/**
 * Parses a compact JWS. Accepts only canonical base64url, a header without duplicate members, and no critical extensions. The caller
 * verifies the signature, and fixes the algorithm beforehand.
 */
export const parsed = (token: string, maxLength = maxTokenLength): Option.Option<Unverified> => {
  if (token.length > maxLength) return Option.none()
  const [head, body, signature, ...rest] = token.split(".", 4)
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return Option.none()
  if (Option.isNone(strictBase64Url(signature))) return Option.none()
  const header = strictBase64Url(head).pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(Header)))
  return Option.all({ header, payload: strictBase64Url(body) })
}

/** The payload of a compact JWS with a valid signature by one of these keys; none otherwise. */
export const open = Effect.fnUntraced(function* open(keys: ReadonlyArray<SigningKey>, token: string) {
  const jws = parsed(token)
  if (Option.isNone(jws)) return Option.none()
  const { verify } = yield* Jose
  const { header, payload } = jws.value
  for (const { alg, kid, publicKey } of keys) {
    const isNamed = alg === header.alg && (kid === undefined || kid === header.kid)
    if (isNamed && (yield* verify(publicKey, alg, token))) return Option.some(payload)
  }
  return Option.none()
})
