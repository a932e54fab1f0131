import { Effect, Schema } from "effect"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NoInput } from "../../service/endpoint.ts"
import { issuer, purpose } from "./id-token.ts"
import type { Settings } from "./settings.ts"
import { knownScopes } from "./settings.ts"

const Texts = Schema.Array(Schema.String)

/** OpenID Connect Discovery section 3, RFC 8414, RFC 9207 section 3. */
const Metadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  userinfo_endpoint: Schema.String,
  jwks_uri: Schema.String,
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  prompt_values_supported: Texts,
  claims_supported: Texts,
  claims_parameter_supported: Schema.Boolean,
  request_parameter_supported: Schema.Boolean,
  request_uri_parameter_supported: Schema.Boolean,
  authorization_response_iss_parameter_supported: Schema.Boolean,
})

const metadata = (issuer: string, settings: Settings): typeof Metadata.Type => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth2/authorize`,
  token_endpoint: `${issuer}/oauth2/token`,
  userinfo_endpoint: `${issuer}/oauth2/userinfo`,
  jwks_uri: `${issuer}/oauth2/jwks`,
  scopes_supported: knownScopes(settings),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["EdDSA"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  code_challenge_methods_supported: ["S256"],
  // `select_account` is recognised but always fails, since this service has no page to select an account.
  prompt_values_supported: ["none", "login", "consent"],
  claims_supported: [
    ...["iss", "sub", "aud", "iat", "exp", "auth_time", "nonce", "at_hash"],
    ...["email", "email_verified", "name", "picture", "updated_at"],
  ],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
})

/** The metadata that client libraries load first. */
export const discovery = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/.well-known/openid-configuration",
    name: "wellKnownOpenidConfiguration",
    summary: "The metadata of this identity provider.",
    access: "public",
    input: NoInput,
    output: Metadata,
    protocol: { anyOrigin: true, alias: "/.well-known/oauth-authorization-server{base_path}" },
    handler: Effect.fn("identityProvider.discovery")(function* () {
      return Endpoint.reply(metadata(yield* issuer, settings))
    }),
  })

export const jwks = Endpoint.make({
  method: "GET",
  path: "/oauth2/jwks",
  summary: "The public keys to verify id_tokens with.",
  access: "public",
  input: NoInput,
  output: Jwt.KeySet,
  protocol: { anyOrigin: true },
  handler: Effect.fn("identityProvider.keys")(function* () {
    return Endpoint.reply(yield* Jwt.keySet(purpose))
  }),
})
