import { Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { StoredSession } from "../../../domain/sessions/session.ts"
import { provedAt } from "../../../domain/sessions/session.ts"
import { Settings } from "../../../domain/settings.ts"
import * as Jws from "../../../domain/tokens/jws.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import type { User } from "../../../domain/users/user.ts"
import { claimsOf, epochSeconds } from "./claims.ts"
import type { AuthorizationCode } from "./tables.ts"

/** Its keys are its own: what the JWT module signs is nothing here. */
export const purpose = "id_token"

/** Where OpenID Connect Discovery looks for us. */
export const issuer = Effect.map(Settings, ({ public_url, base_path }) => `${public_url}${base_path}`)

/** What a code was exchanged for. */
interface Granted {
  readonly code: Pick<AuthorizationCode, "client_id" | "nonce" | "scope">
  readonly session: StoredSession
  readonly user: User
  readonly access_token: string
}

/** Says to a client who signed in and when (OpenID Connect Core section 2), beside the access token that comes along. */
export const make = Effect.fnUntraced(function* make({ code, session, user, access_token }: Granted, ttl: number) {
  const { client_id, nonce, scope } = code
  const iat = yield* Jwt.seconds
  return yield* Jwt.sign(yield* Jws.eddsa(purpose), {
    iss: yield* issuer,
    aud: client_id,
    iat,
    exp: iat + ttl,
    auth_time: epochSeconds(provedAt(session)),
    nonce: nonce ?? undefined,
    at_hash: yield* halfHash(access_token),
    ...claimsOf(user, scope),
  })
})

/** The left half of the hash that Ed25519 itself uses (OpenID Connect Core section 3.1.3.6). */
const halfHash = Effect.fnUntraced(function* halfHash(token: string) {
  const digest = yield* Digest.Digest
  const hash = yield* digest.digest(Digest.sha512, new TextEncoder().encode(token))
  return Base64Url.encode(hash.subarray(0, hash.length / 2))
}, Effect.orDie)

const Hint = Schema.Struct({ iss: Schema.String, sub: Schema.String })

/** Whom an id_token of ours is about, also one whose time is over; none for anything else. */
export const subjectOf = Effect.fnUntraced(function* subjectOf(token: string) {
  const read = yield* Jwt.read(yield* Jws.eddsa(purpose), Hint, token)
  const ours = yield* issuer
  return read.pipe(
    Option.filter(({ iss }) => iss === ours),
    Option.map(({ sub }) => sub),
  )
})
