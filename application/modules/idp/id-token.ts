import { Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { Settings } from "../../../domain/settings.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import type { User } from "../../../domain/users/user.ts"
import { claimsOf, epochSeconds } from "./claims.ts"
import type { AuthorizationCode } from "./tables.ts"

/** Separate keys: a token of the jwt module must not be valid as an id_token. */
export const purpose = "id_token"

/** The issuer identifier, which is also the base URL for OpenID Connect Discovery. */
export const issuer = Effect.map(Settings, ({ public_url, base_path }) => `${public_url}${base_path}`)

/** The result of a code exchange. */
interface Granted {
  readonly code: Pick<AuthorizationCode, "client_id" | "nonce" | "scope" | "auth_time">
  readonly session: StoredSession
  readonly user: User
  readonly access_token: string
}

/** Signs an id_token (OpenID Connect Core section 2) for the access token issued with it. */
export const make = Effect.fnUntraced(function* make({ code, session, user, access_token }: Granted, ttl: number) {
  // `auth_time` as stored with the code, not the session's latest proof: a stolen copy of the session could have requested the code before
  // the user stepped up.
  const { client_id, nonce, scope, auth_time } = code
  const iat = yield* Jwt.seconds
  return yield* Jwt.sign(yield* Jws.eddsa(purpose), {
    iss: yield* issuer,
    aud: client_id,
    iat,
    exp: iat + ttl,
    auth_time: epochSeconds(auth_time ?? session.authenticated_at),
    nonce: nonce ?? undefined,
    at_hash: yield* halfHash(access_token),
    ...claimsOf(user, scope),
  })
})

/** The left half of SHA-512, the hash function of Ed25519 (OpenID Connect Core section 3.1.3.6). */
const halfHash = Effect.fnUntraced(function* halfHash(token: string) {
  const digest = yield* Digest.Digest
  const hash = yield* digest.digest(Digest.sha512, new TextEncoder().encode(token))
  return Base64Url.encode(hash.subarray(0, hash.length / 2))
}, Effect.orDie)

const Hint = Schema.Struct({ iss: Schema.String, sub: Schema.String })

/** The subject of an id_token that this service issued, even an expired one; none otherwise. */
export const subjectOf = Effect.fnUntraced(function* subjectOf(token: string) {
  const claims = yield* Jwt.read(yield* Jws.eddsa(purpose), Hint, token)
  const ownIssuer = yield* issuer
  return claims.pipe(
    Option.filter(({ iss }) => iss === ownIssuer),
    Option.map(({ sub }) => sub),
  )
})
