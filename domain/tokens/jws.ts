import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { strictBase64Url } from "../values/strict-base64-url.ts"
import { strictJsonObject } from "../values/strict-json.ts"
import { Keys } from "./keys.ts"

/** Keys of one purpose for one algorithm. Which one it is stands here and never in a token. */
export interface Signer<Alg extends string = string> {
  readonly alg: Alg
  /** Names the key that signs, for those who have to choose among published ones. */
  readonly kid: string | undefined
  /** The signature of a text, base64url. */
  readonly sign: (text: string) => Effect.Effect<string>
  /** Whether one of these keys made the signature, in this very spelling: the one of this name, where they have names. */
  readonly verify: (text: string, signature: string, kid: string | undefined) => Effect.Effect<boolean>
}

/** HMAC under the derived keys of a purpose: all of them are tried, so that none needs a name. */
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

/** Ed25519 under the derived key pairs of a purpose: the newest signs, and a token says by `kid` which one made it. */
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
 * The longest token that is read, in characters. Headers and payloads are decoded and parsed before the signature is checked, so that
 * without a limit anyone could have megabytes parsed.
 */
const maxTokenLength = 8192

/** What is read of a header. `jku`, `jwk`, `x5u` and `x5c` are not: a token does not bring the key it is judged by. */
const Header = Schema.Struct({
  alg: Schema.String,
  kid: Schema.optionalKey(Schema.String),
  /** Extensions that have to be understood; none of them is. */
  crit: Schema.optionalKey(Schema.Never),
})

/** A compact JWS (RFC 7515) over a payload. */
export const sign = Effect.fnUntraced(function* sign(signer: Signer, payload: Uint8Array | string) {
  const header = JSON.stringify({ alg: signer.alg, typ: "JWT", kid: signer.kid })
  const text = `${Base64Url.encode(header)}.${Base64Url.encode(payload)}`
  return `${text}.${yield* signer.sign(text)}`
})

/** The payload of a compact JWS that one of the signer's keys made; none of anything else. */
export const open = Effect.fnUntraced(function* open(signer: Signer, token: string) {
  if (token.length > maxTokenLength) return Option.none()
  const [header, payload, signature, ...rest] = token.split(".", 4)
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return Option.none()

  const { alg, kid } = Option.getOrElse(headerOf(header), () => noHeader)
  const bytes = strictBase64Url(payload)
  if (alg !== signer.alg || Option.isNone(bytes)) return Option.none()
  return (yield* signer.verify(`${header}.${payload}`, signature, kid)) ? bytes : Option.none()
})

const headerOf = (text: string) =>
  strictBase64Url(text).pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(Header)))
const noHeader: typeof Header.Type = { alg: "" }
