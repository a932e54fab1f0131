import { Effect, Schema } from "effect"
import * as Endpoint from "../../../service/endpoint.ts"
import { authenticate, Credentials, clientProtocol } from "../clients/client-authentication.ts"
import { requestConfirmation } from "../clients/confirmation.ts"
import {
  AccessDenied,
  AuthorizationPending,
  ExpiredToken,
  InvalidClient,
  InvalidDpopProof,
  InvalidGrant,
  InvalidScope,
  InvalidTarget,
  SlowDown,
  UnsupportedGrantType,
  UseDpopNonce,
} from "../errors.ts"
import { distinct, missing, parameters } from "../parameters.ts"
import { oauthRefusal } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { Tokens } from "../tokens/issued-tokens.ts"
import { clientCredentialsGrant } from "./client-credentials-grant.ts"
import { codeGrant } from "./code-grant.ts"
import { deviceGrant } from "./device-grant.ts"
import { refreshGrant } from "./refresh-grant.ts"
import { exchangeGrant } from "./token-exchange-grant.ts"

const grants = [codeGrant, refreshGrant, deviceGrant, clientCredentialsGrant, exchangeGrant]

const Parameters = Schema.Struct({
  ...Credentials.fields,
  ...parameters("grant_type", ...grants.flatMap((grant) => grant.parameters)).fields,
})

/** The token endpoint (RFC 6749 section 3.2, OpenID Connect Core section 3.1.3). */
export const token = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/token",
    summary:
      "Exchanges a code, a refresh token, a device code, another access token or the client's own credentials for an access token, with an id_token for users.",
    access: "public",
    input: Parameters,
    output: Tokens,
    errors: [
      AccessDenied,
      AuthorizationPending,
      ExpiredToken,
      InvalidDpopProof,
      InvalidGrant,
      InvalidScope,
      InvalidTarget,
      SlowDown,
      UnsupportedGrantType,
      UseDpopNonce,
      [InvalidClient, 401],
    ],
    protocol: { form: true, anyOrigin: true, ...clientProtocol(settings), refusal: oauthRefusal },
    handler: Effect.fnUntraced(function* identityProviderToken(input) {
      const single = yield* distinct(input)
      const client = yield* authenticate(settings, single)
      const { grant_type } = single
      if (grant_type === undefined) return yield* missing("grant_type")
      const proved = yield* requestConfirmation(settings, client, "/oauth2/token")
      const grant = grants.find(({ type }) => type === grant_type)
      if (grant === undefined) return yield* new UnsupportedGrantType()
      return Endpoint.reply(yield* grant.answer(settings, client, { ...single, ...proved }))
    }),
  })
