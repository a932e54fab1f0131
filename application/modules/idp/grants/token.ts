import { Effect, Schema } from "effect"
import {
  AccessDenied,
  AuthorizationPending,
  ExpiredToken,
  InvalidClient,
  InvalidDpopProof,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  InvalidTarget,
  SlowDown,
  UnsupportedGrantType,
  UseDpopNonce,
} from "../../../../domain/errors.ts"
import { retryOnConflict } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import type { Client } from "../clients/client.ts"
import { deviceCodeGrant, tokenExchangeGrant } from "../clients/client.ts"
import { authenticate, Credentials, clientProtocol } from "../clients/client-authentication.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import { requestConfirmation } from "../clients/confirmation.ts"
import type { singles } from "../parameters.ts"
import { distinct, missing, parameters } from "../parameters.ts"
import { oauthRefusal } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { Tokens } from "../tokens/issued-tokens.ts"
import { clientCredentialsGrant } from "./client-credentials-grant.ts"
import { exchangeCode } from "./code-grant.ts"
import { pollDeviceCode } from "./device-grant.ts"
import { refresh } from "./refresh-grant.ts"
import { exchangeToken } from "./token-exchange-grant.ts"

const Parameters = Schema.Struct({
  ...Credentials.fields,
  ...parameters("grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "device_code", "scope", "resource").fields,
  ...parameters("subject_token", "subject_token_type", "actor_token", "actor_token_type", "requested_token_type", "audience").fields,
})
type Single = ReturnType<typeof singles<keyof typeof Parameters.Type>>

/** Whether a text has the form of a PKCE verifier (RFC 7636 section 4.1). */
const isVerifier = (text: string) => /^[\w.~-]{43,128}$/.test(text)

const codeGrant = Effect.fnUntraced(function* codeGrant(settings: Settings, client: Client, single: Single, proved: Confirmation) {
  const { code, redirect_uri, code_verifier, resource } = single
  if (!client.grant_types.includes("authorization_code")) return yield* new UnsupportedGrantType()
  if (code === undefined) return yield* missing("code")
  if (redirect_uri === undefined) return yield* missing("redirect_uri")
  if (code_verifier !== undefined && !isVerifier(code_verifier))
    return yield* new InvalidRequest({ message: "code_verifier is malformed." })
  return yield* retryOnConflict(exchangeCode(settings, client, { code, redirect_uri, code_verifier, resource, ...proved }))
})

const refreshGrant = Effect.fnUntraced(function* refreshGrant(
  settings: Settings,
  client: Client,
  { refresh_token, scope, resource }: Single,
  proved: Confirmation,
) {
  if (!client.refresh_tokens) return yield* new UnsupportedGrantType()
  if (refresh_token === undefined) return yield* missing("refresh_token")
  return yield* retryOnConflict(refresh(settings, client, { refresh_token, scope, resource, ...proved }))
})

const deviceGrant = Effect.fnUntraced(function* deviceGrant(settings: Settings, client: Client, single: Single, proved: Confirmation) {
  const { device_code, resource } = single
  if (device_code === undefined) return yield* missing("device_code")
  return yield* retryOnConflict(pollDeviceCode(settings, client, { device_code, resource, ...proved }))
})

const clientCredentials = (settings: Settings, client: Client, { scope, resource }: Single, proved: Confirmation) =>
  clientCredentialsGrant(settings, client, { scope, resource, ...proved })

const tokenExchange = (settings: Settings, client: Client, single: Single, proved: Confirmation) =>
  retryOnConflict(exchangeToken(settings, client, { ...single, ...proved }))

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
      if (grant_type === "authorization_code") return Endpoint.reply(yield* codeGrant(settings, client, single, proved))
      if (grant_type === "refresh_token") return Endpoint.reply(yield* refreshGrant(settings, client, single, proved))
      if (grant_type === "client_credentials") return Endpoint.reply(yield* clientCredentials(settings, client, single, proved))
      if (grant_type === deviceCodeGrant) return Endpoint.reply(yield* deviceGrant(settings, client, single, proved))
      if (grant_type === tokenExchangeGrant) return Endpoint.reply(yield* tokenExchange(settings, client, single, proved))
      return yield* new UnsupportedGrantType()
    }),
  })
