import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { strictBase64Url } from "../values/strict-base64-url.ts"
import { strictJsonObject } from "../values/strict-json.ts"
import { Keys } from "./keys.ts"

/** The keys of one purpose, for one algorithm. The algorithm is fixed here, never read from a token. */
export interface Signer<Alg extends string = string> {
  readonly alg: Alg
  /** The id of the signing key, if the keys are published. */
  readonly kid: string | undefined
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => Effect.Effect<string>
  /** Whether the key with this `kid` (or any key, if the keys have no ids) made the signature. Accepts only canonical base64url. */
  readonly verify: (text: string, signature: string, kid: string | undefined) => Effect.Effect<boolean>
}

/** HMAC with the derived keys of a purpose. Verification tries all of them, so tokens need no `kid`. */
export const hs256 = Effect.fnUntraced(function* hs256(purpose: string) {
  const keys = yield* Keys
  const signer: Signer<"HS256"> = {
    alg: "HS256",
    kid: undefined,
    sign: (text) => keys.sign(purpose, text),
    verify: (text, signature) => keys.verify(purpose, text, signature),
  }
  return signer
})

/** Ed25519 with the derived key pairs of a purpose. The newest signs; `kid` selects the one that verifies. */
export const eddsa = Effect.fnUntraced(function* eddsa(purpose: string) {
  const pairs = yield* (yield* Keys).signingKeys(purpose)
  const [newest] = pairs
  const signer: Signer<"EdDSA"> = {
    alg: "EdDSA",
    kid: newest.jwk.kid,
    sign: newest.sign,
    verify: (text, signature, kid) => pairs.find(({ jwk }) => jwk.kid === kid)?.verify(text, signature) ?? Effect.succeed(false),
  }
  return signer
})

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

/** Signs a payload as a compact JWS (RFC 7515). */
export const sign = Effect.fnUntraced(function* sign(signer: Signer, payload: Uint8Array | string) {
  const header = JSON.stringify({ alg: signer.alg, typ: "JWT", kid: signer.kid })
  const text = `${Base64Url.encode(header)}.${Base64Url.encode(payload)}`
  return `${text}.${yield* signer.sign(text)}`
})

/** A compact JWS whose signature is not yet verified. */
export interface Unverified {
  readonly header: typeof Header.Type
  readonly payload: Uint8Array
  /** The signed text. */
  readonly text: string
  readonly signature: string
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
  const payload = strictBase64Url(body)
  return Option.map(Option.all({ header, payload }), (parts) => ({ ...parts, text: `${head}.${body}`, signature }))
}

/** The payload of a compact JWS with a valid signature by one of the signer's keys; none otherwise. */
export const open = Effect.fnUntraced(function* open(signer: Signer, token: string) {
  const jws = parsed(token)
  if (Option.isNone(jws) || jws.value.header.alg !== signer.alg) return Option.none()
  const { header, payload, text, signature } = jws.value
  return (yield* signer.verify(text, signature, header.kid)) ? Option.some(payload) : Option.none()
})
