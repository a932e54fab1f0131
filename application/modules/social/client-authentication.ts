import { Effect, Option, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { Jose, type Jwk } from "../../../domain/ports/jose.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { randomToken } from "../../../domain/tokens/keys.ts"
import type { Endpoints } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import { Unusable } from "./requests.ts"

/** The credentials of this service in a token request. */
interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
}

/** Lifetime of a signed assertion or client secret, seconds. Apple accepts up to six months; a new one is made for each request. */
const lifetime = 60

/** The credentials of this service at a provider, for one token request. */
export const credentialsFor = Effect.fnUntraced(function* credentialsFor(
  provider: Provider,
  endpoints: Endpoints,
): Effect.fn.Return<Credentials, Unusable, Jose | SecureRandom.SecureRandom> {
  const { client_id, client_secret } = provider
  const { client_id_parameter = "client_id", client_secret_parameter = "client_secret" } = quirksOf(provider.preset)
  const named = { [client_id_parameter]: client_id }
  const secret = client_secret === null ? "" : Redacted.value(client_secret)
  switch (endpoints.client_auth) {
    case "none":
      return { headers: {}, parameters: named }
    case "client_secret_post":
      return { headers: {}, parameters: { ...named, [client_secret_parameter]: secret } }
    case "client_secret_basic":
      return { headers: { authorization: `Basic ${Base64.encode(`${formEncoded(client_id)}:${formEncoded(secret)}`)}` }, parameters: {} }
    case "private_key_jwt":
      return { headers: {}, parameters: { ...named, ...(yield* assertion(provider, endpoints)) } }
    case "apple_client_secret":
      return { headers: {}, parameters: { ...named, client_secret: yield* appleSecret(provider) } }
  }
})

/** Client id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1): a colon in the id would end it. */
const formEncoded = (text: string) => new URLSearchParams({ t: text }).toString().slice(2)

/** The assertion of `private_key_jwt` (RFC 7523 section 2.2). */
const assertion = Effect.fnUntraced(function* clientAssertion(provider: Provider, { token_url }: Endpoints) {
  const { client_id, issuer, assertion_audience } = provider
  const aud = assertion_audience === "issuer" ? (issuer ?? token_url) : token_url
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: yield* signed(provider, { iss: client_id, sub: client_id, aud, jti: yield* randomToken }),
  }
})

/** The client secret that Apple expects ("Creating a client secret" in Sign in with Apple). */
const appleSecret = (provider: Provider) =>
  signed(provider, { iss: provider.team_id, sub: provider.client_id, aud: "https://appleid.apple.com" })

/** A JWT with these claims, signed with the private key of the settings. */
const signed = Effect.fnUntraced(function* signedByOwnKey({ private_key, key_id }: Provider, claims: object) {
  const jose = yield* Jose
  const key = private_key === null ? Option.none() : yield* jose.privateKey(Redacted.value(private_key))
  const alg = Option.flatMap(key, algorithmOf)
  if (Option.isNone(key) || Option.isNone(alg))
    return yield* new Unusable({ reason: "private_key is no key of RSA, P-256, P-384 or Ed25519" })
  const iat = yield* Jwt.seconds
  const signing = { alg: alg.value, kid: key_id ?? undefined, privateKey: key.value }
  return yield* Jwt.sign(signing, { ...claims, iat, exp: iat + lifetime })
})

const algorithmOf = ({ kty, crv }: Jwk): Option.Option<string> => Option.fromNullishOr(kty === "RSA" ? "RS256" : algorithms[String(crv)])
const algorithms: Readonly<Record<string, string>> = { "P-256": "ES256", "P-384": "ES384", Ed25519: "EdDSA" }
