import { Effect, Option, Schema } from "effect"
import { Jose, type SigningAlgorithm } from "../../../../domain/ports/jose.ts"
import * as Jws from "../../../../domain/tokens/jws.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import type { Settings } from "../settings.ts"
import { signingKey, verificationKey } from "./signing-keys.ts"

/** Signs claims as a JWT with the current key of an algorithm. */
export const signJwt = Effect.fnUntraced(function* signJwt(settings: Settings, alg: SigningAlgorithm, typ: string, claims: object) {
  return yield* Jwt.sign({ alg, ...(yield* signingKey(settings, alg)) }, claims, typ)
})

/** The claims of an ID token that this service signed. Does not check issuer, audience and times: callers must. */
export const verifiedClaims = Effect.fnUntraced(function* verifiedClaims<A>(
  settings: Settings,
  claims: Schema.Codec<A, any>,
  token: string,
) {
  const jws = Jws.parsed(token)
  if (Option.isNone(jws) || jws.value.header.typ !== "JWT") return Option.none()
  const { alg, kid } = jws.value.header
  const key = yield* verificationKey(settings, alg, kid)
  if (Option.isNone(key) || !(yield* (yield* Jose).verify(key.value, alg, token))) return Option.none()
  return strictJsonObject(jws.value.payload).pipe(Option.flatMap(Schema.decodeUnknownOption(claims)))
})
