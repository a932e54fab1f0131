import { Effect, Option, Schema } from "effect"
import { Jose } from "../../../../domain/ports/jose.ts"
import * as Jws from "../../../../domain/tokens/jws.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import { type Client, maySign } from "../clients/client.ts"
import { publicKeysOf } from "../clients/client-keys.ts"
import { issuer } from "../issuer.ts"

/** Seconds by which the clock of a client may differ. */
const skew = 10

const Time = Schema.optionalKey(Schema.Number)

/** The claims of a request object that are not parameters of the request (RFC 9101 section 4). */
const Claims = Schema.Struct({
  client_id: Schema.String,
  iss: Schema.optionalKey(Schema.String),
  aud: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  sub: Schema.optionalKey(Schema.String),
  exp: Time,
  nbf: Time,
  iat: Time,
  request: Schema.optionalKey(Schema.Never),
  request_uri: Schema.optionalKey(Schema.Never),
})

/** A client assertion names the client as `sub`: without this check it could be used as a request object (RFC 9101 section 10.8). */
const isAbout = (client_id: string, { iss = client_id, sub, ...claims }: typeof Claims.Type) =>
  claims.client_id === client_id && iss === client_id && sub !== client_id

const isTimely = ({ exp = Number.POSITIVE_INFINITY, nbf = 0, iat = 0 }: typeof Claims.Type, now: number) =>
  exp > now - skew && nbf <= now + skew && iat <= now + skew

const isFor = (issuer: string, { aud = issuer }: typeof Claims.Type) => aud === issuer || (typeof aud !== "string" && aud.includes(issuer))

/** The text of a parameter: a list is separated by blanks, and an object is JSON (OpenID Connect Core section 6.1). */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(String).join(" ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/**
 * The parameters in a request object that the client has signed (RFC 9101); none if it is not valid. The parameters outside of it are
 * ignored. `names` are the parameters of the endpoint.
 */
export const signedParameters = Effect.fnUntraced(function* signedParameters(client: Client, names: ReadonlyArray<string>, token: string) {
  const none = Option.none<Readonly<Record<string, string>>>()
  const jws = Jws.parsed(token)
  if (Option.isNone(jws)) return none
  const { alg, kid, typ = "JWT" } = jws.value.header
  const json = strictJsonObject(jws.value.payload)
  const claims = Option.flatMap(json, Schema.decodeUnknownOption(Claims))
  if (Option.isNone(json) || Option.isNone(claims) || !["JWT", "oauth-authz-req+jwt"].includes(typ)) return none
  const isMeant = isFor(yield* issuer, claims.value) && isTimely(claims.value, yield* Jwt.seconds)
  if (!isMeant || !isAbout(client.client_id, claims.value) || !maySign(client, alg)) return none

  const jose = yield* Jose
  for (const key of yield* publicKeysOf(client, kid)) {
    if (!(yield* jose.verify(key, alg, token))) continue
    const given = Object.entries(json.value).filter(([name, value]) => names.includes(name) && value !== null)
    return Option.some<Readonly<Record<string, string>>>(Object.fromEntries(given.map(([name, value]) => [name, textOf(value)])))
  }
  return none
})

/**
 * The response mode in a request object that is not accepted, verified or not. It decides only how the error reaches the client, as the
 * parameter outside of the object would.
 */
export const responseModeIn = (token: string): string | undefined => {
  const json = Option.flatMap(Jws.parsed(token), ({ payload }) => strictJsonObject(payload))
  const mode = Option.getOrNull(json)?.["response_mode"]
  return typeof mode === "string" ? mode : undefined
}
