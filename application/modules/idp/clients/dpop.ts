import { DateTime, Effect, Option, Schema } from "effect"
import { Jose } from "../../../../domain/ports/jose.ts"
import { insert, orFail, Store } from "../../../../domain/ports/store.ts"
import { TextHashes } from "../../../../domain/ports/text-hashes.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { after } from "../../../../domain/sessions/session.ts"
import * as Core from "../../../../domain/settings.ts"
import * as Jws from "../../../../domain/tokens/jws.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../../domain/values/strict-base64-url.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import { InvalidDpopProof, UseDpopNonce } from "../errors.ts"
import { issuer } from "../issuer.ts"
import type { Settings } from "../settings.ts"
import { UsedAssertions } from "../tables.ts"
import { type Client, needsDpop, PublicKey } from "./client.ts"
import { currentNonce, isNonce } from "./dpop-nonce.ts"

/** The algorithms of proofs. */
export const proofAlgorithms = ["ES256", "EdDSA", "PS256"] as const

/** Seconds by which the time of a proof may differ from that of the service. */
const tolerance = 300

/** Seconds for which a used proof is stored. After that, neither its time nor its nonce is valid. */
const replayWindow = 2 * tolerance

/** The header member with the key; `Jws.parsed` reads the others. */
const KeyHeader = Schema.Struct({ jwk: PublicKey })

/** The claims of a proof (RFC 9449 section 4.2). */
const Claims = Schema.Struct({
  jti: Schema.NonEmptyString,
  htm: Schema.String,
  htu: Schema.String,
  iat: Schema.Number,
  ath: Schema.optionalKey(Schema.String),
  nonce: Schema.optionalKey(Schema.String),
})

/** The request that a proof is for. */
interface ProvedRequest {
  readonly method: string
  /** The path below the issuer. */
  readonly path: string
  /** The access token that is sent with the proof. */
  readonly access_token?: string
}

const parsed = (proof: string) => {
  const jws = Option.filter(Jws.parsed(proof), ({ header }) => header.typ === "dpop+jwt")
  const [head = ""] = proof.split(".", 1)
  const key = strictBase64Url(head).pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(KeyHeader)))
  const claims = Option.flatMap(jws, ({ payload }) => strictJsonObject(payload)).pipe(Option.flatMap(Schema.decodeUnknownOption(Claims)))
  return Option.all({ jws, key, claims })
}

/** Whether a URL is the expected one, without its query and fragment (RFC 9449 section 4.3). */
const isUrl = (htu: string, expected: string) => {
  const url = URL.parse(htu)
  return url !== null && `${url.origin}${url.pathname}` === expected
}

/** Whether a URL is that of an endpoint, under `public_url` or `mtls_url`. */
const isOwnUrl = Effect.fnUntraced(function* isOwnUrl({ mtls_url }: Settings, htu: string, path: string) {
  const { base_path } = yield* Core.Settings
  return isUrl(htu, `${yield* issuer}${path}`) || (mtls_url !== null && isUrl(htu, `${mtls_url}${base_path}${path}`))
})

const hashOf = (token: string) => Effect.map(TextHashes, ({ sha256 }) => sha256(token))

/** Fails unless the proof is recent: its nonce must be valid, or its time if it has no nonce. */
const checkTime = Effect.fnUntraced(function* checkTime({ require_dpop_nonce }: Settings, { nonce, iat }: typeof Claims.Type) {
  if (nonce === undefined && !require_dpop_nonce) {
    return Math.abs(iat - (yield* Jwt.seconds)) <= tolerance ? undefined : yield* new InvalidDpopProof()
  }
  if (nonce === undefined || !(yield* isNonce(nonce))) {
    return yield* new UseDpopNonce({ fields: { "dpop-nonce": yield* currentNonce } })
  }
})

/** Consumes a proof. Of several requests with the same proof, one succeeds. */
const consume = Effect.fnUntraced(function* consume(jkt: string, jti: string) {
  const row = { hash: yield* tokenHash("dpop_proof", JSON.stringify([jkt, jti])), expires_at: after(yield* DateTime.now, replayWindow) }
  yield* (yield* Store)
    .commit([insert(UsedAssertions, row)])
    .pipe(Effect.catchTags({ Taken: () => Effect.fail(new InvalidDpopProof()), Conflict: Effect.die }))
})

/** Verifies a proof (RFC 9449 section 4.3) and consumes it. Returns the thumbprint of its key. */
export const provedKey = Effect.fnUntraced(function* provedKey(settings: Settings, proof: string, request: ProvedRequest) {
  const parts = parsed(proof)
  if (Option.isNone(parts)) return yield* new InvalidDpopProof()
  const { jws, key, claims } = parts.value
  const { alg } = jws.header
  const isFor = claims.htm === request.method && (yield* isOwnUrl(settings, claims.htu, request.path))
  if (!isFor || !proofAlgorithms.some((known) => known === alg)) return yield* new InvalidDpopProof()
  if (request.access_token !== undefined && claims.ath !== (yield* hashOf(request.access_token))) return yield* new InvalidDpopProof()

  const jose = yield* Jose
  if (!(yield* jose.verify(key.jwk, alg, proof))) return yield* new InvalidDpopProof()
  const jkt = yield* orFail(jose.thumbprint(key.jwk), () => new InvalidDpopProof())
  yield* checkTime(settings, claims)
  yield* consume(jkt, claims.jti)
  return jkt
})

/** The thumbprint of the key in the request's DPoP proof; null without a proof. Fails if the client must send one. */
export const requestKey = Effect.fnUntraced(function* requestKey(settings: Settings, client: Client, path: string) {
  const { dpop } = yield* Caller
  if (dpop !== null) return yield* provedKey(settings, dpop, { method: "POST", path })
  return needsDpop(client) ? yield* new InvalidDpopProof({ message: "This client needs a DPoP proof." }) : null
})

/** The type of an access token (RFC 9449 section 5). */
export const tokenTypeOf = (jkt: string | null): "DPoP" | "Bearer" => (jkt === null ? "Bearer" : "DPoP")
