import { Effect, Option } from "effect"
import { InvalidRequest, InvalidToken, Unauthorized } from "../../../domain/errors.ts"
import type { SigningAlgorithm } from "../../../domain/ports/jose.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { liveAccessToken } from "./access-token.ts"
import { Claims, claimsOf } from "./claims.ts"
import type { Client } from "./client.ts"
import { issuer } from "./issuer.ts"
import { parameters, repeated, singles } from "./parameters.ts"
import { challenge } from "./refusals.ts"
import type { Settings } from "./settings.ts"
import { signJwt } from "./signed-jwt.ts"

/** The access token in the form of a POST (RFC 6750 section 2.2). Tokens in the URL are not accepted: URLs are logged. */
const InForm = parameters("access_token")

/** The access token of a request: in the header, or in the form. */
const presented = Effect.fnUntraced(function* presented(input: typeof InForm.Type) {
  const { authorization } = yield* Caller
  const [, inHeader] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? []
  const { access_token } = singles(input)
  if (repeated(input) !== undefined || (inHeader !== undefined && access_token !== undefined)) {
    return yield* new InvalidRequest({ message: "The access token is given more than once." })
  }
  const token = inHeader ?? access_token
  return token === undefined ? yield* new Unauthorized({ message: "An access token is required." }) : token
})

/** The claims for an access token. */
const claimed = Effect.fnUntraced(function* claimed(settings: Settings, access_token: string) {
  const live = yield* liveAccessToken(settings, access_token)
  if (Option.isNone(live)) return yield* new InvalidToken()
  const { client, token, user } = live.value
  // A token for a resource server is for that server alone (RFC 8707 section 2).
  if (user === null || token.resource !== null) return yield* new InvalidToken()
  return { client, claims: claimsOf(user, token.scope) }
})

/** The claims as a JWT, for clients that want the response signed (OpenID Connect Core section 5.3.2). */
const signed = Effect.fnUntraced(function* signed(settings: Settings, client: Client, alg: SigningAlgorithm, claims: Claims) {
  const content = yield* signJwt(settings, alg, "JWT", { ...claims, iss: yield* issuer, aud: client.client_id })
  return { type: "application/jwt", content }
})

/** The userinfo endpoint (OpenID Connect Core section 5.3). */
export const userinfo = (settings: Settings) => {
  const answer = Effect.fn("identityProvider.userinfo")(function* (input: typeof InForm.Type) {
    const { client, claims } = yield* claimed(settings, yield* presented(input))
    const alg = client.userinfo_signed_response_alg
    if (alg === null) return Endpoint.reply(claims)
    return { ...Endpoint.reply(claims), text: yield* signed(settings, client, alg, claims) }
  })
  const shared = {
    path: "/oauth2/userinfo",
    summary: "The claims about the user for the scopes of an access token.",
    access: "public",
    output: Claims,
    errors: [InvalidRequest, [InvalidToken, 401], Unauthorized],
    protocol: { form: true, anyOrigin: true, text: "application/jwt", refusal: challenge },
  } as const
  return [
    Endpoint.make({ ...shared, method: "GET", input: Endpoint.NoInput, handler: () => answer({}) }),
    Endpoint.make({ ...shared, method: "POST", name: "oauth2UserinfoForm", input: InForm, handler: answer }),
  ] as const
}
