import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Jose, type Jwk } from "../../../../domain/ports/jose.ts"
import { insert, isCommitted } from "../../../../domain/ports/store.ts"
import * as Jws from "../../../../domain/tokens/jws.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import { issuer } from "../issuer.ts"
import { UsedAssertions } from "../tables.ts"
import { type AuthMethod, type Client, maySign } from "./client.ts"
import { publicKeysOf } from "./client-keys.ts"

/** The type of client assertions (RFC 7523 section 2.2). */
export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

const Time = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1e11 }))

/** The claims of an assertion (RFC 7523 section 3, OpenID Connect Core section 9). */
const Claims = Schema.Struct({
  iss: Schema.String,
  sub: Schema.String,
  aud: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  jti: Schema.NonEmptyString,
  exp: Time,
  iat: Schema.optionalKey(Time),
  nbf: Schema.optionalKey(Time),
})
type Claims = typeof Claims.Type

/** An assertion whose signature is not yet verified. */
export interface Assertion {
  readonly token: string
  readonly header: Jws.Unverified["header"]
  readonly claims: Claims
}

export const parsedAssertion = (token: string): Option.Option<Assertion> =>
  Option.flatMap(Jws.parsed(token), ({ header, payload }) =>
    strictJsonObject(payload).pipe(
      Option.flatMap(Schema.decodeUnknownOption(Claims)),
      Option.map((claims) => ({ token, header, claims })),
    ),
  )

/** Seconds by which the clock of a client may be ahead (FAPI 2.0 section 5.3.2.1). */
const skew = 10

/** The longest time until the end of an assertion in seconds: its `jti` is stored until then. */
const maxLifetime = 3600

const isTimely = ({ exp, iat = 0, nbf = 0 }: Claims, now: number) =>
  exp > now - skew && exp <= now + maxLifetime && iat <= now + skew && nbf <= now + skew

const isMeant = (aud: Claims["aud"], issuer: string, { assertion_audience }: Client) => {
  if (assertion_audience === "issuer") return aud === issuer
  const accepted = [issuer, `${issuer}/oauth2/token`]
  return (typeof aud === "string" ? [aud] : aud).some((each) => accepted.includes(each))
}

/** The method that an algorithm belongs to. */
const methodOf = (alg: string): AuthMethod => (alg === "HS256" ? "client_secret_jwt" : "private_key_jwt")

/** The keys of a client for an algorithm. */
const keysFor = Effect.fnUntraced(function* keysFor(client: Client, { alg, kid }: Assertion["header"]) {
  if (alg === "HS256") {
    const k = Base64Url.encode(Redacted.value(client.client_secret))
    return [{ kty: "oct", k }] satisfies ReadonlyArray<Jwk>
  }
  return maySign(client, alg) ? yield* publicKeysOf(client, kid) : []
})

/** Whether an assertion authenticates this client by this method. Does not consume it. */
export const proves = Effect.fnUntraced(function* proves(client: Client, methods: ReadonlyArray<AuthMethod>, assertion: Assertion) {
  const { claims, header, token } = assertion
  if (!methods.includes(methodOf(header.alg)) || claims.iss !== client.client_id || claims.sub !== client.client_id) return false
  if (!isMeant(claims.aud, yield* issuer, client) || !isTimely(claims, yield* Jwt.seconds)) return false
  const jose = yield* Jose
  for (const key of yield* keysFor(client, header)) if (yield* jose.verify(key, header.alg, token)) return true
  return false
})

/** Consumes an assertion: of several requests with the same one, one gets true. Call it after `proves`, so that only clients add rows. */
export const consume = Effect.fnUntraced(function* consume({ claims: { iss, jti, exp } }: Assertion) {
  const hash = yield* tokenHash("client_assertion", JSON.stringify([iss, jti]))
  const expires_at = DateTime.makeUnsafe(Math.ceil(exp + skew) * 1000)
  return yield* isCommitted([insert(UsedAssertions, { hash, expires_at })])
})
