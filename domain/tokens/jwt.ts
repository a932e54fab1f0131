import { DateTime, Effect, Option, Schema } from "effect"
import { Jose } from "../ports/jose.ts"
import { strictJsonObject } from "../values/strict-json.ts"
import * as Jws from "./jws.ts"

/** Signs claims as a JWT (RFC 7519). `typ` keeps tokens of different kinds apart (RFC 8725 section 3.11). */
export const sign = Effect.fnUntraced(function* signJwt(
  { alg, kid, privateKey }: Omit<Jws.SigningKey, "publicKey">,
  claims: object,
  typ?: string,
) {
  const header = { alg, ...(typ === undefined ? {} : { typ }), ...(kid === undefined ? {} : { kid }) }
  return yield* (yield* Jose).sign(privateKey, header, JSON.stringify(claims))
})

/** The claims of a token that one of these keys signed. Does not check issuer, audience and times: callers must. */
export const read = Effect.fnUntraced(function* read<A>(keys: ReadonlyArray<Jws.SigningKey>, claims: Schema.Codec<A, any>, token: string) {
  const payload = yield* Jws.open(keys, token)
  return payload.pipe(Option.flatMap(strictJsonObject), Option.flatMap(Schema.decodeUnknownOption(claims)))
})

/** A moment in epoch seconds, the unit of JWT claims. */
export const secondsOf = (moment: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(moment) / 1000)

/** The current time in epoch seconds. */
export const seconds = Effect.map(DateTime.now, secondsOf)
