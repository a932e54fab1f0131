import { DateTime, Effect, Option, Schema } from "effect"
import { strictJsonObject } from "../values/strict-json.ts"
import * as Jws from "./jws.ts"
import { Keys } from "./keys.ts"
import { PublicJwk } from "./signing-key.ts"

/** A signed token (RFC 7519) that makes these claims. */
export const sign = (signer: Jws.Signer, claims: Readonly<Record<string, unknown>>) => Jws.sign(signer, JSON.stringify(claims))

/** The claims of a token that one of the signer's keys made, as the schema wants them. Their issuer and time are the caller's to judge. */
export const read = Effect.fnUntraced(function* read<A>(signer: Jws.Signer, claims: Schema.Codec<A, any>, token: string) {
  const payload = yield* Jws.open(signer, token)
  return payload.pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(claims)))
})

/** The time as claims tell it: whole seconds. */
export const seconds = Effect.map(DateTime.now, (now) => Math.floor(DateTime.toEpochMillis(now) / 1000))

/** What `{base_url}/jwks` and its like answer. */
export const KeySet = Schema.Struct({ keys: Schema.Array(PublicJwk) })

/** The public keys of a purpose, the newest first: also those that only old tokens need. */
export const keySet = Effect.fnUntraced(function* keySet(purpose: string) {
  const pairs = yield* (yield* Keys).signingKeys(purpose)
  return { keys: pairs.map(({ jwk }) => jwk) }
})
