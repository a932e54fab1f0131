import { Effect } from "effect"
import { InvalidRequest, InvalidToken, Unauthorized } from "../../../../domain/errors.ts"
import type { SigningAlgorithm } from "../../../../domain/ports/jose.ts"
import { orFail } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { Claims, userinfoClaims } from "../claims/claims.ts"
import type { Client } from "../clients/client.ts"
import { InvalidDpopProof, UseDpopNonce } from "../errors.ts"
import { issuer } from "../issuer.ts"
import { signJwt } from "../keys/signed-jwt.ts"
import { distinct, parameters } from "../parameters.ts"
import { challenge } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { liveAccessToken } from "./access-token.ts"
import { checkBinding, type PresentedToken, tokenInHeader } from "./presented-token.ts"

/** The access token in the form of a POST (RFC 6750 section 2.2). Tokens in the URL are not accepted: URLs are logged. */
const InForm = parameters("access_token")

const path = "/oauth2/userinfo"

/** The access token of a request: in the header, or in the form. */
const presented = Effect.fnUntraced(function* presented(input: typeof InForm.Type) {
  const inHeader = yield* tokenInHeader
  const { access_token } = yield* distinct(input)
  if (inHeader !== undefined && access_token !== undefined) {
    return yield* new InvalidRequest({ message: "The access token is given more than once." })
  }
  if (inHeader !== undefined) return inHeader
  if (access_token === undefined) return yield* new Unauthorized({ message: "An access token is required." })
  return { token: access_token, isDpop: false }
})

/** The claims for an access token. */
const claimed = Effect.fnUntraced(function* claimed(settings: Settings, request: PresentedToken) {
  const { client, token, user, membership } = yield* orFail(liveAccessToken(settings, request.token), () => new InvalidToken())
  // A token for other resource servers is not valid here (RFC 8707 section 2).
  if (user === null || token.resource !== null) return yield* new InvalidToken()
  yield* checkBinding(settings, token, request)
  const requested = token.requested?.userinfo ?? []
  return { client, claims: yield* userinfoClaims({ client, user, scope: token.scope, requested, membership }) }
})

/** The claims as a JWT, for clients with `userinfo_signed_response_alg` (OpenID Connect Core section 5.3.2). */
const signed = Effect.fnUntraced(function* signed(settings: Settings, client: Client, alg: SigningAlgorithm, claims: Claims) {
  const content = yield* signJwt(settings, alg, "JWT", { ...claims, iss: yield* issuer, aud: client.client_id })
  return { type: "application/jwt", content }
})

/** The userinfo endpoint (OpenID Connect Core section 5.3). */
export const userinfo = (settings: Settings) => {
  const answer = Effect.fnUntraced(function* identityProviderUserinfo(method: "GET" | "POST", input: typeof InForm.Type) {
    const { client, claims } = yield* claimed(settings, { method, path, ...(yield* presented(input)) })
    const alg = client.userinfo_signed_response_alg
    if (alg === null) return Endpoint.reply(claims)
    return { ...Endpoint.reply(claims), text: yield* signed(settings, client, alg, claims) }
  })
  const shared = {
    path,
    summary: "The claims about the user for the scopes of an access token.",
    access: "public",
    output: Claims,
    errors: [[InvalidDpopProof, 401], [UseDpopNonce, 401], InvalidRequest, [InvalidToken, 401], Unauthorized],
    protocol: {
      form: true,
      anyOrigin: true,
      certificateField: settings.client_certificate_header,
      text: "application/jwt",
      refusal: challenge,
    },
  } as const
  return [
    Endpoint.make({ ...shared, method: "GET", handler: () => answer("GET", {}) }),
    Endpoint.make({
      ...shared,
      method: "POST",
      name: "oauth2UserinfoForm",
      input: InForm,
      handler: (input: typeof InForm.Type) => answer("POST", input),
    }),
  ] as const
}
