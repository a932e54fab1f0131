import { Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { SigningAlgorithm } from "../../../../domain/ports/jose.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { idTokenClaims } from "../claims/claims.ts"
import { issuer } from "../issuer.ts"
import { signJwt, verifiedClaims } from "../keys/signed-jwt.ts"
import type { Settings } from "../settings.ts"
import { actClaim } from "./actor.ts"
import type { Granted } from "./granted.ts"

/** Signs an id_token (OpenID Connect Core section 2) for the access token issued with it. */
export const make = Effect.fnUntraced(function* make(settings: Settings, grant: Granted, access_token: string) {
  const { client, user, nonce, scope, auth_time, amr, acr, sid, requested, membership, actors } = grant
  const alg = client.id_token_signed_response_alg
  const iat = yield* Jwt.seconds
  return yield* signJwt(settings, alg, "JWT", {
    ...(yield* idTokenClaims({ client, user, scope, requested: requested?.id_token ?? [], membership })),
    iss: yield* issuer,
    aud: client.client_id,
    iat,
    exp: iat + settings.id_token_ttl,
    auth_time: Jwt.secondsOf(auth_time),
    ...(amr === null ? {} : { amr: amr.split(" ") }),
    acr: acr ?? undefined,
    nonce: nonce ?? undefined,
    sid: sid ?? undefined,
    ...(yield* actClaim(client, actors)),
    at_hash: yield* halfHash(alg, access_token),
  })
})

/** The left half of the token's hash, by the hash function of the signature (OpenID Connect Core section 3.1.3.6); that of Ed25519 is SHA-512. */
const halfHash = Effect.fnUntraced(function* halfHash(alg: SigningAlgorithm, token: string) {
  const digest = yield* Digest.Digest
  const hash = yield* digest.digest(alg === "EdDSA" ? Digest.sha512 : Digest.sha256, new TextEncoder().encode(token))
  return Base64Url.encode(hash.subarray(0, hash.length / 2))
}, Effect.orDie)

/** The members of a hint. A signed userinfo response has no `exp`, so it is no hint. */
const Hint = Schema.Struct({
  iss: Schema.String,
  sub: Schema.String,
  aud: Schema.String,
  exp: Schema.Number,
  sid: Schema.optionalKey(Schema.String),
})

/** The claims of an id_token that this service issued, even an expired one; none otherwise. */
export const hintOf = Effect.fnUntraced(function* hintOf(settings: Settings, token: string) {
  const ownIssuer = yield* issuer
  return Option.filter(yield* verifiedClaims(settings, Hint, token), ({ iss }) => iss === ownIssuer)
})
