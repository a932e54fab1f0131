import { DateTime, Effect, Option, Schema } from "effect"
import { strictJsonObject } from "../values/strict-json.ts"
import * as Jws from "./jws.ts"
import { Keys } from "./keys.ts"
import { PublicJwk } from "./signing-key.ts"

/** Signs a JWT (RFC 7519) with these claims. */
export const sign = (signer: Jws.Signer, claims: Readonly<Record<string, unknown>>) => Jws.sign(signer, JSON.stringify(claims))

/** The claims of a token with a valid signature. Does not check issuer, audience and times: callers must. */
export const read = Effect.fnUntraced(function* read<A>(signer: Jws.Signer, claims: Schema.Codec<A, any>, token: string) {
  const payload = yield* Jws.open(signer, token)
  return payload.pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(claims)))
})

/** A moment in epoch seconds, the unit of JWT claims. */
export const secondsOf = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / 1000)

/** The current time in epoch seconds. */
export const seconds = Effect.map(DateTime.now, secondsOf)

/** A JWK set (RFC 7517 section 5). */
export const KeySet = Schema.Struct({ keys: Schema.Array(PublicJwk) })

/** The public keys of a purpose, the newest first, including those that only verify older tokens. */
export const keySet = Effect.fnUntraced(function* keySet(purpose: string) {
  const pairs = yield* (yield* Keys).signingKeys(purpose)
  return { keys: pairs.map(({ jwk }) => jwk) }
})
