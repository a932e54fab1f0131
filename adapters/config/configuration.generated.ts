// Generated from the schemas of the settings by `npm run configuration:update`.
import type { MapFunction } from "../../application/modules/social/map-function.ts"
import type { AnyOwnStore, OwnClock, OwnHttpClient, OwnMailer, OwnSmsSender } from "../own/ports.ts"

/** The settings of the modules. */
export interface ModuleSettings {
readonly social?: {
/** The services (their members (docs/configuration.md#social-providers), their presets (docs/providers.md)). */
readonly providers?: ReadonlyArray<({
/** The preset (docs/providers.md#presets) whose values are the defaults of this provider. */
readonly preset?: "idp_one" | "idp_two" | "google" | "apple" | "microsoft" | "gitlab" | "slack" | "linkedin" | "twitch" | "yahoo" | "line" | "salesforce" | "entra" | "okta" | "auth0" | "keycloak" | "cognito" | "github" | "facebook" | "x" | "discord" | "spotify" | "bitbucket" | "kakao" | "naver" | "wechat" | "amazon" | "paypal" | "dropbox" | "zoom" | "notion" | "atlassian" | "tiktok"
/** The value of `provider` in requests, and of `provider_id` in linked accounts. The `id` of a preset is its name. */
readonly id?: string
/** The id of this service at the provider. */
readonly client_id: string
/** Its secret at the provider. */
readonly client_secret?: string | null
/** `public_url` + `base_path` + `/oauth/callback`; register the same URL with the provider. */
readonly redirect_uri: string
/** The provider's issuer. It is enough without URLs, which are then read from its metadata (OpenID Connect Discovery). */
readonly issuer?: string
/** The provider's authorization endpoint. Null: that of the metadata. */
readonly authorize_url?: string | null
/** The provider's token endpoint. Null: that of the metadata. */
readonly token_url?: string | null
/** Where the profile is read. Null: the profile is that of the ID token. */
readonly userinfo_url?: string | null
/** The keys of the provider. With `authorize_url`, ID tokens are read only if it is set. */
readonly jwks_url?: string | null
/** How the service authenticates in token requests. Null: what the metadata offers, else `client_secret_post`. */
readonly client_auth?: "client_secret_post" | "client_secret_basic" | "private_key_jwt" | "apple_client_secret" | "none" | null
/** The key of signed authentication (docs/providers.md#signing-with-a-private-key): `private_key_jwt`, and Apple's client secret. */
readonly private_key?: string | null
/** The id of that key at the provider. */
readonly key_id?: string | null
/** The Apple team that the key belongs to. */
readonly team_id?: string | null
/** The audience of `private_key_jwt` assertions; some providers expect their token endpoint. */
readonly assertion_audience?: "issuer" | "token_url"
/** The requested scopes. Null: no scope is sent. */
readonly scopes?: readonly [string, ...ReadonlyArray<string>] | null
/** Further parameters of the authorization request, such as `prompt`. */
readonly authorize_parameters?: Readonly<Record<string, string>>
/** Whether flows use PKCE (RFC 7636) with S256. */
readonly pkce?: boolean
/** `form_post`: the provider sends its response as a form. */
readonly response_mode?: "query" | "form_post"
/** The request for the profile: the access token in the header of a GET or of an empty POST, or in the form of a POST (RFC 6750 section 2). */
readonly userinfo_request?: "get" | "post" | "form"
/** The accepted signature algorithms of ID tokens. `ES384` is possible too, and `HS256` with the client's secret as the key. */
readonly id_token_algorithms?: readonly ["RS256" | "PS256" | "ES256" | "ES384" | "EdDSA" | "HS256", ...ReadonlyArray<"RS256" | "PS256" | "ES256" | "ES384" | "EdDSA" | "HS256">]
/** The members of the provider's profile (docs/configuration.md#social-providers). */
readonly map_user?: {
readonly account_id: string | readonly [string, ...ReadonlyArray<string>]
readonly email?: string | readonly [string, ...ReadonlyArray<string>]
readonly email_verified?: string | readonly [string, ...ReadonlyArray<string>]
readonly name?: string | readonly [string, ...ReadonlyArray<string>]
} | MapFunction
/** Whether an address in the profile counts as verified (docs/configuration.md#social-providers): if so, it signs in the user who has it. Default: `when_verified`, or that of the preset. */
readonly trust_email?: "always" | "when_verified" | "never"
/** Client ids of your apps, whose ID tokens sign in at `POST /sign-in/id-token` (how (docs/providers.md#apps-with-an-id-token)). */
readonly app_client_ids?: ReadonlyArray<string>
/** Whether the provider's tokens are kept, encrypted, for `GET /accounts/access-token` (how (docs/providers.md#tokens-of-providers)). */
readonly keep_tokens?: boolean
/** A URL or a path to which the callback redirects the browser, unless the request named `return_to`. Null: the callback answers with JSON. */
readonly success_redirect?: string | null
/** The same after a failure, with its code as `error` (`access_denied`, `oauth_token_error`, …), unless the request named `error_return_to`. */
readonly error_redirect?: string | null
}) & ({
/** The preset (docs/providers.md#presets) whose values are the defaults of this provider. */
readonly preset: "idp_one" | "idp_two" | "google" | "apple" | "microsoft" | "gitlab" | "slack" | "linkedin" | "twitch" | "yahoo" | "line" | "salesforce" | "entra" | "okta" | "auth0" | "keycloak" | "cognito" | "github" | "facebook" | "x" | "discord" | "spotify" | "bitbucket" | "kakao" | "naver" | "wechat" | "amazon" | "paypal" | "dropbox" | "zoom" | "notion" | "atlassian" | "tiktok"
} | {
/** The value of `provider` in requests, and of `provider_id` in linked accounts. The `id` of a preset is its name. */
readonly id: string
})>
/** Whether the callback must come from the browser that began the flow. */
readonly browser_binding?: "auto" | "off"
/** Seconds to wait for each response of a provider. */
readonly timeout?: number
}
readonly phone?: {
/** Digits of a code. */
readonly length?: number
/** Lifetime of a code, seconds. */
readonly ttl?: number
/** The number of wrong guesses that invalidates a code. */
readonly max_attempts?: number
/** Whether only existing users can sign in. */
readonly disable_signup?: boolean
/** The countries whose numbers are accepted, as codes of ISO 3166-1 (`["DE", "US"]`); other numbers are refused with `400 invalid_request` before anything is counted. Default: all. */
readonly countries?: readonly [string, ...ReadonlyArray<string>]
/** The country whose numbers can be entered without their calling code (`030 901820`); without it, they are refused. */
readonly default_country?: string
}
readonly email_otp?: {
/** Digits of a code. */
readonly length?: number
/** Lifetime of a code, seconds. */
readonly ttl?: number
/** The number of wrong guesses that invalidates a code. */
readonly max_attempts?: number
/** Whether only existing users can sign in. */
readonly disable_signup?: boolean
}
readonly magic_link?: {
/** Lifetime of a link in seconds. */
readonly expires_in?: number
/** With true, a link only signs in users who already exist. */
readonly disable_signup?: boolean
}
readonly username?: Readonly<Record<string, unknown>>
readonly one_time_token?: {
/** Lifetime of a token, seconds. */
readonly expires_in?: number
}
readonly multi_session?: {
/** Sessions of one browser; the oldest is dropped. More would exceed the 4096 bytes that browsers allow for a cookie. */
readonly max_sessions?: number
}
readonly bearer?: {
/** Redirect URIs of apps that sign in through the browser (application/modules/bearer/README.md): https, the private scheme of an app with a dot, or `http://127.0.0.1` and `http://[::1]` with any port; `exp://` where `public_url` is local. With an empty list apps cannot. */
readonly redirects?: ReadonlyArray<string>
}
readonly jwt?: {
/** `HS256`: only this service can verify tokens; `EdDSA`: any service can, with the public keys of `/jwks`. */
readonly algorithm?: "HS256" | "EdDSA"
/** Lifetime of a token in seconds. */
readonly expires_in?: number
/** The `iss` of tokens. Default: `public_url` + `base_path`. */
readonly issuer?: string
/** The `aud` of tokens; `/token/verify` checks it. Default: the issuer. */
readonly audience?: string
}
readonly idp?: {
/** Registered clients: `client_id`, `client_secret`, `redirect_uris`, `scopes` (docs/configuration.md#clients-of-the-identity-provider). */
readonly clients?: ReadonlyArray<{
/** Printable ASCII. */
readonly client_id: string
/** Printable ASCII; the empty text makes a public client, which must use PKCE. */
readonly client_secret: string
/** How the client authenticates. Null: `none` for a public client, else `client_secret_basic` or `client_secret_post`. */
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
/** The subject of the certificate for `tls_client_auth`, in exactly one of these members (RFC 8705 section 2.1.2). */
readonly tls_client_auth_subject_dn?: string | null
/** The same by a DNS name among the alternative names of the certificate. */
readonly tls_client_auth_san_dns?: string | null
/** The same by a URI among the alternative names of the certificate. */
readonly tls_client_auth_san_uri?: string | null
/** The same by an IP address among the alternative names of the certificate. */
readonly tls_client_auth_san_ip?: string | null
/** The same by an email address among the alternative names of the certificate. */
readonly tls_client_auth_san_email?: string | null
/** The public keys (`{"keys": […]}`: EdDSA, ES256, PS256 or RS256) for `private_key_jwt` and signed requests, and the certificates (`x5c`) of `self_signed_tls_client_auth`. With `private_key_jwt`, the `client_secret` is the empty text. */
readonly jwks?: {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
} | null
/** The https URL of these keys, in place of `jwks`. */
readonly jwks_uri?: string | null
/** The accepted `aud` of assertions: `issuer` (only the issuer, as a string), or `endpoint` (also the token endpoint, or a list). */
readonly assertion_audience?: "issuer" | "endpoint"
/** Whether authorization requests need PKCE; null: only those of public clients. */
readonly require_pkce?: boolean | null
/** The URLs to which codes are sent; required with the grant `authorization_code`. */
readonly redirect_uris?: ReadonlyArray<string>
/** The grants that the client may use, besides `refresh_token`, which `refresh_tokens` permits. */
readonly grant_types?: ReadonlyArray<"authorization_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange">
/** The resource servers (absolute URIs) for which the client may request access tokens (RFC 8707). */
readonly resources?: ReadonlyArray<string>
/** Whether authorization requests must be signed by the client's keys (RFC 9101). */
readonly require_signed_request_object?: boolean
/** Whether users have to consent to what the client requests. */
readonly consent?: boolean
/** Whether administrators may sign in to it in the name of users (`modules.impersonation`, mode `act`): its tokens then have the claim `act`. */
readonly accepts_impersonation?: boolean
/** `pairwise`: the `sub` of a user differs from that at clients of other sectors (OpenID Connect Core section 8). */
readonly subject_type?: "public" | "pairwise"
/** An https URL whose host is the sector of a pairwise client; null: the host of its `redirect_uris`. */
readonly sector_identifier_uri?: string | null
/** The name that users see, at most 64 characters. */
readonly client_name?: string | null
/** The client's site, which users see. */
readonly client_uri?: string | null
/** The picture that users see. */
readonly logo_uri?: string | null
/** The client's privacy policy, to which the pages that ask for consent link. */
readonly policy_uri?: string | null
/** The client's terms of service, likewise. */
readonly tos_uri?: string | null
/** The URLs to which the browser may return after `GET /oauth2/logout`. */
readonly post_logout_redirect_uris?: ReadonlyArray<string>
/** The URL that gets a logout token at the end of each session (Back-Channel Logout 1.0). */
readonly backchannel_logout_uri?: string | null
/** The URL that the browser loads in a frame at the end of a session (Front-Channel Logout 1.0); its scheme, host and port are those of one of the `redirect_uris`. */
readonly frontchannel_logout_uri?: string | null
/** Whether `frontchannel_logout_uri` gets the parameters `iss` and `sid`. */
readonly frontchannel_logout_session_required?: boolean
/** Whether the client must push its authorization requests (RFC 9126). */
readonly require_pushed_authorization_requests?: boolean
/** Whether every access token of the client must be bound to a key (RFC 9449). */
readonly dpop_bound_access_tokens?: boolean
/** Whether every access token of the client is bound to its TLS certificate (RFC 8705). */
readonly tls_client_certificate_bound_access_tokens?: boolean
/** `fapi2`: pushed requests and PKCE are required, `private_key_jwt` or a certificate, and DPoP or tokens that are bound to the certificate (FAPI 2.0). */
readonly security_profile?: "fapi2" | null
/** The scopes that the client may request, and the default of a request. */
readonly scopes?: ReadonlyArray<string>
/** The id of the service account as which the client administers this service: it then has at most the permissions of both. */
readonly service_account?: string | null
/** The algorithm of ID tokens. */
readonly id_token_signed_response_alg?: "EdDSA" | "RS256" | "ES256"
/** Whether the client also gets a refresh token for each code. */
readonly refresh_tokens?: boolean
/** `jwt`: resource servers can verify the access tokens by the published keys (RFC 9068). */
readonly access_token_format?: "opaque" | "jwt"
/** The algorithm of userinfo responses; null: JSON without a signature. */
readonly userinfo_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
/** The algorithm of introspection responses (RFC 9701); null: JSON without a signature. */
readonly introspection_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
/** Whether the client may introspect the access tokens of all clients, and exchange them if it has that grant. */
readonly resource_server?: boolean
/** Lifetime of access tokens in seconds; null: 10 minutes for JWTs and for tokens with a refresh token, else that of the session. */
readonly access_token_ttl?: number | null
}>
/** Initial access tokens of clients that register themselves (RFC 7591); with an empty list, clients cannot register themselves. */
readonly registration_tokens?: ReadonlyArray<string>
/** Resource servers for which agents may request access tokens (application/modules/idp/clients/agents/README.md). */
readonly resources?: ReadonlyArray<{
/** The identifier (RFC 8707), which becomes the `aud` of access tokens: for a server of the Model Context Protocol its URL. */
readonly resource: string
/** Further spellings of the identifier, such as one with a final slash. */
readonly aliases?: ReadonlyArray<string>
/** The name that users see. */
readonly name: string
/** The scopes of this server. `texts` can describe each to users (`scope.NAME`). */
readonly scopes?: ReadonlyArray<string>
/** The form of the access tokens of agents. */
readonly access_token_format?: "jwt" | "opaque"
/** Lifetime of the access tokens of agents in seconds, at most 3600. */
readonly access_token_ttl?: number
}>
/** Accepts clients without registration: their `client_id` is the URL of a document with their metadata. Without this setting, such clients are unknown. */
readonly metadata_clients?: {
/** The permitted documents: a URL, all of a host (`https://host/`), all below a domain (`https://*.domain/`), or `any`. */
readonly allow: ReadonlyArray<string>
readonly deny?: ReadonlyArray<string>
} | null
/** Lets public clients register themselves without a token (RFC 7591); `{}` switches it on. */
readonly open_registration?: {
readonly native_redirect_uris?: ReadonlyArray<string>
} | null
/** Whether the URLs of stored clients can have private addresses (docs/configuration.md#clients-of-the-identity-provider). */
readonly allow_private_addresses?: boolean
/** Lifetime of an authorization code in seconds. */
readonly code_ttl?: number
/** Lifetime of an ID token in seconds. */
readonly id_token_ttl?: number
/** Seconds after which an unused refresh token ends. */
readonly refresh_token_idle_ttl?: number
/** Seconds after which all refresh tokens of one code end, even if they are used. */
readonly refresh_token_ttl?: number
/** Seconds (0 to 60) in which a repeated refresh request gets the same answer. */
readonly refresh_token_grace?: number
/** Whether DPoP proofs must contain a nonce of this service (RFC 9449 section 8). */
readonly require_dpop_nonce?: boolean
/** The header field in which a proxy of `trusted_proxies` sends the certificate of the TLS client; without it, clients cannot use certificates (RFC 8705). */
readonly client_certificate_header?: string | null
/** The authorities, in PEM, whose certificates prove clients with `tls_client_auth`. */
readonly client_certificate_authorities?: ReadonlyArray<string>
/** The base URL under which certificates are requested, if it is not `public_url`. */
readonly mtls_url?: string | null
/** Algorithms for which the service has signing keys (`EdDSA`, `RS256`, `ES256`); the algorithms of the configured clients are added automatically. */
readonly signing_algorithms?: ReadonlyArray<"EdDSA" | "RS256" | "ES256">
/** Seconds for which a key signs, until the next one replaces it; at least 2 days. */
readonly key_rotation?: number
}
readonly admin?: {
/** Users with one of these addresses are administrators. */
readonly admin_emails?: ReadonlyArray<string>
/** Users with one of these ids are administrators. */
readonly admin_user_ids?: ReadonlyArray<string>
/** Roles beside `admin`, with their permissions. Every action of a resource includes its `read`. `{}`: the built-in `support`, `user_manager` and `security` only. Without it no role but `admin` permits anything. */
readonly roles?: Readonly<Record<string, ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">>>
/** Whether administrators can start operations on many users, which run in the background (`/admin/jobs`). Default: false. */
readonly jobs?: boolean
/** Whether administrators can erase users, at once or later, with a receipt that can be repeated after a restore. Default: false. */
readonly erasures?: boolean
/** Whether administrators, and users once a day, can export all data of a user. Default: false. */
readonly exports?: boolean
/** Whether administrators can merge a user into another one, which needs `jobs`. Default: false. */
readonly merges?: boolean
/** Whether administrators can watch and repeat what the service does in the background (`/admin/outbox`). Default: false. */
readonly operations?: boolean
/** Whether changes without `expected_version` or `If-Match` are refused where there are versions. Default: false. */
readonly require_versions?: boolean
/** Whether administrators can require users to change the password, verify the address or add a second factor at the next sign-in. Default: false. */
readonly required_actions?: boolean
/** Whether administrators can suspend users, whose sign-ins are then refused as `suspended`. Default: false. */
readonly suspension?: boolean
/** Whether users need a proof of identity younger than `session.step_up_age` to give roles, see private attributes, change credentials, suspend, export, merge and remove users, export the audit log, manage service accounts and keys, and rotate secrets of clients and signing keys. Default: false. */
readonly step_up?: boolean
/** Whether `admin_emails` needs a verified address. Default: true, unless `public_url` is on this machine and `email_password.require_email_verification` is off. */
readonly require_verified_email?: boolean
}
readonly organization?: {
/** Replaces all standard roles (docs/configuration.md#roles-of-organizations). */
readonly access_control?: {
/** The permissions of each role. */
readonly roles: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
/** The roles from the lowest to the highest. */
readonly hierarchy: ReadonlyArray<string>
/** The role of the user who creates an organization. */
readonly creator_role?: string
/** The role of an invitation that names none. */
readonly invite_default?: string
}
/** Lifetime of an invitation in seconds. */
readonly invitation_expires_in?: number
/** Organizations that one user is a member of. */
readonly max_per_user?: number
/** Teams of one organization. */
readonly max_teams?: number
/** Pending invitations of one organization. */
readonly max_invitations?: number
}
readonly siwe?: {
/** The `domain` of accepted messages: the host of the page that requests them, with its port. Default: the host of `public_url`. */
readonly domain?: string
/** The chain of accepted messages (EIP-155). */
readonly chain_id?: number
/** Lifetime of a nonce in seconds. */
readonly nonce_ttl?: number
}
readonly two_factor?: {
/** The name of this service in authenticator apps, without a colon. Default: `branding.name`, or `service` if that is not configured. */
readonly issuer?: string
/** What users can set up as a second factor: `totp` (codes of an app, and backup codes), `email` and `sms` (codes that are sent, which never count after a sign-in by the same way (application/modules/two_factor/README.md#why); `sms` needs `modules.phone`). Without `totp`, apps that are set up already still count. */
readonly methods?: readonly ["totp" | "email" | "sms", ...ReadonlyArray<"totp" | "email" | "sms">]
/** Number of backup codes (1 to 100). */
readonly backup_code_count?: number
/** Which users must have a second factor or a passkey before they get a session: `none`, `admins` or `everyone` (docs/configuration.md#required-second-factors). */
readonly required?: "none" | "admins" | "everyone"
/** Users can have a browser remembered, in which later sign-ins need no second factor. It ends with a new password, a change of the second factor and the end of all sessions, and never counts for sensitive changes. Default: off. */
readonly remember_browser?: {
/** For how many days a browser is remembered (1 to 365). */
readonly days?: number
}
}
readonly passkey?: {
/** The domain of the passkeys; users lose their passkeys when it changes. Default: the host of `public_url`. */
readonly rp_id?: string
/** The name of the service in browser dialogs. Default: `branding.name`. */
readonly rp_name?: string
/** Origins that may request passkeys: `rp_id` or a subdomain, over https or at localhost; Android applications as `android:apk-key-hash:…`. An origin other than `public_url` must be in `trusted_origins` as well. Default: `[public_url]`. */
readonly origins?: readonly [string, ...ReadonlyArray<string>]
/** https origins of other domains that may use the same passkeys (related origins (https://www.w3.org/TR/webauthn-3/#sctn-related-origins)). They are served at `/.well-known/webauthn` of the host of `public_url`; if `rp_id` is another host, that host has to serve them. They must be in `trusted_origins` as well. Default: none. */
readonly related_origins?: ReadonlyArray<string>
}
readonly audit?: {
/** How long other records are kept, seconds (90 days). */
readonly keep?: number
/** How long records of administration, and of changes of users, credentials and organizations, are kept, seconds (365 days). If `keep` is longer, it applies. */
readonly keep_changes?: number
/** The roles whose members read the records of their organization. */
readonly organization_roles?: ReadonlyArray<string>
}
readonly events?: {
/** Webhooks of the configuration, in addition to those that administrators add. */
readonly webhooks?: ReadonlyArray<{
/** Names the webhook in commands and records. */
readonly id: string
/** The URL of the receiver. */
readonly url: string
/** Types of events such as `session.revoked`, `session.*` or `*`. */
readonly types?: readonly [string, ...ReadonlyArray<string>]
/** `whsec_` and 24 to 64 bytes in base64, the newest first; each delivery is signed with all of them. */
readonly secrets: readonly [string, ...ReadonlyArray<string>]
}>
/** Whether webhooks may reach private addresses, and use `http:`. */
readonly allow_private_addresses?: boolean
/** Whether administrators can list deliveries, send recorded events once more, and test and enable webhooks. Needs `modules.audit`. Default: false. */
readonly operations?: boolean
/** Limit on the webhooks that administrators add. */
readonly max_webhooks?: number
}
readonly api_key?: {
/** The beginning of every key. Another value ends the keys that exist. */
readonly prefix?: string
/** The permissions of your application that keys can have, such as `reports:read`. */
readonly permissions?: ReadonlyArray<string>
/** Days after which a key ends, if its owner chooses no end. */
readonly default_days?: number
/** The longest lifetime of a key in days. */
readonly max_days?: number
/** Whether keys can be without an end. */
readonly allow_unlimited?: boolean
/** How often one key is verified in a minute (`POST /api-key/verify`). */
readonly per_minute?: number
/** Whether requests of browsers can have a key. */
readonly browsers?: boolean
}
readonly impersonation?: {
/** Whether users get a mail after an administrator was in their account. It does not contain the reason. */
readonly notify?: "always" | "never"
}
readonly guest?: Readonly<Record<string, unknown>>
readonly figures?: Readonly<Record<string, unknown>>
}

/** The keys of the configuration other than `modules` and `extensions`. */
export interface ConfigurationKeys {
/** The origin at which users reach the service; the service derives links and its own trusted origin from it, never from a request. */
readonly public_url?: string
/** The prefix of the paths of endpoints. */
readonly base_path?: string
/** Further origins whose pages may call the service: exact, or `https://*.example.com`. */
readonly trusted_origins?: ReadonlyArray<string>
/** Networks of proxies, such as `10.0.0.0/8`, whose `X-Forwarded-For` is trusted. */
readonly trusted_proxies?: ReadonlyArray<string>
/** Where the client address is read: `peer` (the connection, and `X-Forwarded-For` as far as `trusted_proxies` wrote it), or the field that a platform or a proxy overwrites in every request: `vercel` (`x-real-ip`), `cloudflare` (`cf-connecting-ip`), `fly` (`fly-client-ip`) or `{ header }`. Where clients can reach the service without it, they could choose their address. */
readonly client_address?: "peer" | "vercel" | "cloudflare" | "fly" | {
readonly header: string
}
/** The maximum size of a request body. Each 64 KiB of a body counts as a further request, for a body without `Content-Length` while it is read. */
readonly max_body_bytes?: number
/** For how long the work for one request may wait for the store, in seconds; then it is answered 503 with `Retry-After`. */
readonly request_timeout?: number
readonly cookie?: {
/** The base name of the session's cookie: with `host_prefix` and `secure` it becomes `__Host-session`. */
readonly name?: string
/** Whether the name has the prefix `__Host-`, which also needs `secure`. */
readonly host_prefix?: boolean
/** Whether the cookie has the attribute `Secure`. */
readonly secure?: boolean
/** Whether the cookie has the attribute `HttpOnly`. */
readonly http_only?: boolean
/** The attribute `SameSite` of the cookie. */
readonly same_site?: "Lax" | "Strict" | "None"
/** The domain of the cookie; ignored with `host_prefix`. */
readonly domain?: string | null
/** The path of the cookie; ignored with `host_prefix` and `secure`. */
readonly path?: string
}
readonly session?: {
/** Rolling lifetime, and `Max-Age` of the cookie, seconds. */
readonly expires_in?: number
/** A use of a session refreshes it if its last refresh was at least this many seconds ago. */
readonly update_age?: number
/** Seconds for which a proof of identity allows sensitive changes. */
readonly fresh_age?: number
/** Seconds for which a proof of identity allows changes to second factors and passkeys; for users who have a second factor or a passkey, also all other sensitive changes. If `fresh_age` is shorter, it applies instead. */
readonly step_up_age?: number
/** The maximum age of a session, seconds from its sign-in, even if `expires_in` is longer. */
readonly max_lifetime?: number
/** The maximum number of sessions of one user (1 to 1000); a new session ends the oldest. A maximum above 10 is approximate: with each process of the service, the number can exceed it by a tenth. */
readonly max_per_user?: number
/** Whether a mail tells users of a sign-in from a browser that they have not signed in with before, or not since they changed their password. It is sent after all factors, and neither at the first sign-in nor to guests. Clients that store no cookies are new browsers each time. */
readonly notify_new_browser?: boolean
}
readonly email_password?: {
/** Users can sign up and sign in with an email address and a password. */
readonly enabled?: boolean
/** The minimum length of a password in Unicode code points. */
readonly min_password_length?: number
/** The maximum length of a password in Unicode code points. */
readonly max_password_length?: number
/** Whether sign-ins need a verified address (what is refused (docs/configuration.md#email-verification)). */
readonly require_email_verification?: boolean
/** The cost of argon2id; `npm start -- doctor --hash-time 250` suggests one for this machine (operating (docs/operating.md#cost-of-the-password-hash)). At least the default, or an equivalent of OWASP (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id), is recommended. Passwords are hashed again at the next sign-in after the cost was raised. */
readonly hash?: {
readonly memory_kib?: number
readonly passes?: number
readonly lanes?: number
}
/** The keys and parameters that hashes of other systems need in addition to the stored hash. */
readonly imported?: {
/** The password hash parameters of the Firebase project from which users were imported, without `base64_` in their names (moving in (docs/moving-in.md#firebase)). They are needed until all of these users have signed in. */
readonly firebase?: {
readonly signer_key: string
readonly salt_separator?: string
readonly rounds?: number
readonly mem_cost?: number
}
/** `pepper` is the `config.pepper` of the Devise application from which users were imported. It is needed until all of these users have signed in. */
readonly devise?: {
readonly pepper: string
}
}
/** `common` refuses the 49 thousand most common passwords; recommended. */
readonly blocklist?: "none" | "common"
/** Refuses passwords from data breaches, by the range API of Have I Been Pwned or a mirror at `url`. The API gets the first five digits of the password's SHA-1. If it does not answer within two seconds, the password is accepted. */
readonly breached?: {
readonly enabled?: boolean
readonly url?: string
}
}
readonly rate_limit?: {
/** Whether the limits below apply. */
readonly enabled?: boolean
/** `memory` counts in each process separately; `store` (in the database) and `redis` count for all processes together. */
readonly store?: "memory" | "store" | "redis"
/** Requests of one client address (IPv6: a network of 64 bits); `window` in seconds, here and below (which requests count (docs/configuration.md#what-counts-against-the-address)). */
readonly requests?: {
readonly limit?: number
readonly window?: number
}
/** Requests with the signed credential of one session. */
readonly session_requests?: {
readonly limit?: number
readonly window?: number
}
/** Requests of one client of `modules.idp`, with its secret or as an administrator. */
readonly client_requests?: {
readonly limit?: number
readonly window?: number
}
/** Failed sign-ins of one identifier from one client network (24 bits of IPv4, 48 of IPv6), or from one browser that signed in before. */
readonly sign_in?: {
readonly limit?: number
readonly window?: number
}
/** Failed sign-ins of one identifier from all networks together; browsers that signed in before have a separate total of the same size per user. */
readonly sign_in_total?: {
readonly limit?: number
readonly window?: number
}
/** Wrong passwords and codes with which a signed-in user confirms operations, counted per sign-in. */
readonly proofs?: {
readonly limit?: number
readonly window?: number
}
/** Messages for one purpose (verification, reset, code, link, …) to one recipient. */
readonly messages?: {
readonly limit?: number
readonly window?: number
}
/** Invitations to organizations that one user, or the keys of one organization, send. */
readonly invitations?: {
readonly limit?: number
readonly window?: number
}
/** Short messages that one client address requests (IPv6: a network of 64 bits) (docs/configuration.md#budgets-of-messages). */
readonly sms?: {
readonly limit?: number
readonly window?: number
}
/** Short messages to the numbers of one country: to numbers with an account, and the same to all others. */
readonly sms_country?: {
readonly limit?: number
readonly window?: number
}
/** Short messages of the whole service: to numbers with an account, and the same to all others. */
readonly sms_total?: {
readonly limit?: number
readonly window?: number
}
/** Mails that one client address requests (codes, links, resets, verifications, invitations). */
readonly mail?: {
readonly limit?: number
readonly window?: number
}
/** Requested mails of the whole service: to verified addresses, and the same to all others. */
readonly mail_total?: {
readonly limit?: number
readonly window?: number
}
}
readonly links?: {
/** The page to which `/oauth2/authorize` sends users who have to sign in (docs/configuration.md#pages-of-the-identity-provider). Without it, clients get `login_required`. By default none; with `pages` (docs/configuration.md#pages) the page for it. */
readonly sign_in?: string
/** The page to which `/oauth2/authorize` sends users for a client with `prompt=create` (docs/configuration.md#pages-of-the-identity-provider). Without it, the value is unknown. By default none; with `pages` the page on which they sign up. */
readonly create_account?: string
/** The page on which users choose the account for a client with `prompt=select_account` (docs/configuration.md#pages-of-the-identity-provider). Without it, clients get `account_selection_required`. By default none; with `pages` and `modules.multi_session` the page for it. */
readonly choose_account?: string
/** The page on which users choose the organization for a client with the scope `organization` (docs/configuration.md#pages-of-the-identity-provider). Without it, clients get `interaction_required`. By default none; with `pages`, `modules.idp` and `modules.organization` the page for it. */
readonly choose_organization?: string
/** The page on which users allow or deny what a client requests (docs/configuration.md#pages-of-the-identity-provider). Without it, clients that need a consent get `consent_required`. By default none; with `pages` the page for it. */
readonly consent?: string
/** The page to which a mail to the owner of a verified address links. The mail is sent if a visitor of the pages signs up with this address, or if a request `POST /send-verification-email` contains it. The responses are the same as for other addresses. Without a value, no mail is sent. By default none; with `pages` (docs/configuration.md#pages) the sign-in page. */
readonly existing_account?: string
/** The page on which users change their password and their other ways to sign in: mails about such changes have a button that leads there. By default none; with `pages` (docs/configuration.md#pages) the page for it. */
readonly security?: string
/** The page on which users confirm a sign-out that a client requests (docs/configuration.md#pages-of-the-identity-provider). Without it, only a client that sends an ID token of the session can end it. By default none; with `pages` the page for it. */
readonly sign_out?: string
/** The page on which users enter the code of a device (RFC 8628; endpoints (application/modules/idp/README.md)). `{user_code}` is required, as the value of the last query parameter: it is filled in for QR codes. Default: the page `/device` of `public_url`. */
readonly device?: string
/** The URL in mails for the verification of an address (links in mails (docs/configuration.md#links-in-mails)); `{token}` and `{email}` are filled in. Default: a page of `public_url`. */
readonly verify_email?: string
/** The same for a reset of the password. Default: a page of `public_url`. */
readonly reset_password?: string
/** The same for the first password of a user whom an administrator created. Default: `reset_password`. */
readonly choose_password?: string
/** The same for a change of the address. Default: a page of `public_url`. */
readonly change_email?: string
/** The same for links that sign in. Default: a page of `public_url`. */
readonly magic_link?: string
/** The same for the report of a sign-in that was not the user's. Default: a page of `public_url`. */
readonly report_sign_in?: string
/** The same for an administrator's invitation to sign up; `{email}` is filled in. Default: a page of `public_url`. */
readonly sign_up?: string
/** The same for invitations to an organization; `{invitation_id}`, `{token}`, `{email}` and `{organization}` are filled in. Default: a page of `public_url`. */
readonly invitation?: string
}
readonly branding?: {
/** The name of the service in pages and mails. */
readonly name?: string
/** The file of an image (`.svg`, `.png`, `.webp`, `.jpg`, `.ico`), relative to the working directory. */
readonly logo?: string
/** The image that replaces `logo` on dark pages. */
readonly logo_dark?: string
/** The icon of the pages. */
readonly favicon?: string
/** Colours such as `#3451b2`, or objects with `light` and `dark`: `brand`, `on_brand`, `page`, `surface`, `field`, `text`, `muted`, `border`, `focus`, `danger` and `success`. Each has a default. The service does not start if the contrast of a pair is too low (WCAG 2.2: less than 4.5:1 for text, 3:1 for borders). */
readonly colors?: {
readonly brand?: string | {
readonly light: string
readonly dark: string
}
readonly on_brand?: string | {
readonly light: string
readonly dark: string
}
readonly page?: string | {
readonly light: string
readonly dark: string
}
readonly surface?: string | {
readonly light: string
readonly dark: string
}
readonly field?: string | {
readonly light: string
readonly dark: string
}
readonly text?: string | {
readonly light: string
readonly dark: string
}
readonly muted?: string | {
readonly light: string
readonly dark: string
}
readonly border?: string | {
readonly light: string
readonly dark: string
}
readonly focus?: string | {
readonly light: string
readonly dark: string
}
readonly danger?: string | {
readonly light: string
readonly dark: string
}
readonly success?: string | {
readonly light: string
readonly dark: string
}
}
/** The radius of corners. */
readonly radius?: string
/** Font families that the system of the user has; the pages load no fonts. */
readonly font?: string
/** The links at the end of every page: `terms`, `privacy` and `support`. */
readonly links?: {
readonly terms?: string
readonly privacy?: string
readonly support?: string
}
/** A file of further style rules for the pages. */
readonly css?: string
}
readonly account?: {
/** What the first proof of an address does to the credentials of a never-verified account: `reset` removes them, because an attacker may have registered the account; `keep` keeps them. */
readonly unverified_takeover?: "reset" | "keep"
}
/** Users whose mailed or texted code is fixed, for reviewers of app stores and tests. Nothing is sent to them, they have no rights of administrators, and accounts that exist otherwise do not accept the code. Default: none. */
readonly test_users?: {
/** The codes, by addresses in lower case and by telephone numbers such as `+442079460018`. */
readonly codes: Readonly<Record<string, string>>
/** When the codes stop working. Required unless `public_url` is on this machine: at most 30 days ahead. */
readonly valid_until?: string
}
/** Which new users can sign up. Default: all. */
readonly registration?: {
/** Whether new users can sign up, by any method: always, only with an invitation, or never (docs/refuse-sign-up.md). */
readonly mode?: "open" | "invited" | "closed"
readonly email?: {
/** The only domains, with their subdomains, whose addresses can sign up. Users without an address then cannot. Default: all. */
readonly allow?: readonly [string, ...ReadonlyArray<string>]
/** Domains, with their subdomains, whose addresses are refused, also if invited. */
readonly block?: ReadonlyArray<string>
/** Refuses the domains of disposable mailboxes, by a list that this release contains. */
readonly block_disposable?: boolean
/** Refuses addresses with a `+` before the `@`. */
readonly block_subaddress?: boolean
/** Files with further domains to refuse, one a line; lines that begin with `#` are comments. Read at the start. */
readonly lists?: ReadonlyArray<string>
}
}
/** At least 32 bytes, or a list of such texts: the first one signs and encrypts, all of them verify and decrypt (rotation (docs/configuration.md#rotating-the-secret)). `key_management` unwraps those that begin with `wrapped:`. */
readonly secret?: string | readonly [string, ...ReadonlyArray<string>]
/** `override`: environment variables (docs/configuration.md#environment-variables) replace settings. `fill`: `SALLYPORT_SECRET`, `SALLYPORT_PUBLIC_URL` and `SALLYPORT_DATABASE_URL` add `secret`, `public_url` and `store` where they are missing, and nothing else is read, as in your own server (docs/your-app.md#in-your-own-server). Commands find variables in `.env.local` and `.env` too. */
readonly environment?: "override" | "fill"
/** Where the key is kept that wraps the secrets. `local`: nowhere, the secrets are in the configuration as they are (the others (docs/operating.md#wrapped-secrets)). */
readonly key_management?: {
readonly kind: "local"
} | {
readonly kind: "vault"
/** The address of the server. */
readonly url: string
/** The token of the service. */
readonly token: string
/** The name of the key. */
readonly key: string
/** The path of the transit engine. */
readonly mount?: string
/** The namespace of the transit engine. Default: the root namespace. */
readonly namespace?: string
/** Bound to every wrapped secret, so that a service refuses the secret of another service under the same key. */
readonly context?: string
} | {
readonly kind: "aws"
/** The region of the key. */
readonly region: string
/** The id or the ARN of a key, or the name or the ARN of an alias. */
readonly key_id: string
/** The id of the access key. */
readonly access_key_id: string
/** The secret of the access key. */
readonly secret_access_key: string
/** The token of temporary credentials. */
readonly session_token?: string
/** Default: the public endpoint of the region. */
readonly endpoint?: string
/** Bound to every wrapped secret, so that a service refuses the secret of another service under the same key. */
readonly context?: string
}
readonly listen?: {
/** The address at which the process listens. Links use `public_url`. */
readonly host?: string
/** 0 is any free port. Default: the port of `public_url`. */
readonly port?: number
/** Seconds after SIGTERM in which `/readyz` answers 503 and requests are still answered, with `Connection: close`. Must be longer than your load balancer needs to detect a failing probe (period of the probe × number of failures). Ctrl+C skips it. */
readonly drain_delay?: number
/** Seconds that running requests have to finish after `drain_delay`, before their connections are closed. */
readonly drain?: number
/** Processes that share the port, for more than one processor (operating (docs/operating.md#workers)). More than 1 needs PostgreSQL or MongoDB and, with rate limits, `rate_limit.store: "store"`. */
readonly workers?: number
}
/** Where everything is stored: `embedded` (PostgreSQL in the process), `postgres`, `mongo`, `memory` (lost when the process ends), or an object of your own (docs/configuration.md#ports-of-your-own). */
readonly store?: {
readonly kind: "embedded"
/** The folder of the data, relative to the working directory. */
readonly directory?: string
/** How many sessions the process keeps in memory for requests that only read them (docs/operating.md#cache-of-sessions); 0 turns the cache off. */
readonly session_cache?: number
} | {
readonly kind: "postgres"
/** `postgres://user:password@host:5432/name`, also with several hosts (`sslmode` and `sslrootcert` (docs/operating.md#encryption-between-service-and-database)). */
readonly url: string
/** Connections of one process. */
readonly max_connections?: number
/** Who updates the schema (docs/operating.md#upgrade): every start, or the command `migrate` alone. */
readonly migrate?: "start" | "never"
/** False for poolers that assign a connection for each transaction and do not know prepared statements, such as PgBouncer (docs/operating.md#pgbouncer) before 1.21. */
readonly prepare?: boolean
/** The schema of all tables, which `migrate` or the first start creates (a database shared with an application (docs/operating.md#a-database-shared-with-an-application)). Default: that of the role's `search_path`. */
readonly schema?: string
/** Keep the audit log in a partition for each month (docs/scaling.md#partitions). A table that exists becomes the first partition. The role that runs the service has to own the table. */
readonly partitions?: boolean
/** URLs of standbys from which sessions are read (docs/operating.md#replicas). */
readonly replicas?: ReadonlyArray<string>
/** Seconds by which a replica may lag behind the primary. At least 3, because the lag is measured every second. */
readonly replica_lag?: number
/** How many sessions the process keeps in memory for requests that only read them (docs/operating.md#cache-of-sessions); 0 turns the cache off. */
readonly session_cache?: number
/** Seconds after which a session in the cache is read again: so long, another process may accept a session after its end. */
readonly session_cache_age?: number
} | {
readonly kind: "mongo"
/** The URL of a replica set. The database is `sallyport` unless the URL names another. */
readonly url: string
/** Connections of one process. */
readonly max_connections?: number
/** Who updates the schema (docs/operating.md#upgrade): every start, or the command `migrate` alone. */
readonly migrate?: "start" | "never"
/** How many sessions the process keeps in memory for requests that only read them (docs/operating.md#cache-of-sessions); 0 turns the cache off. */
readonly session_cache?: number
/** Seconds after which a session in the cache is read again: so long, another process may accept a session after its end. */
readonly session_cache_age?: number
} | {
readonly kind: "memory"
} | AnyOwnStore
/** The server that `rate_limit.store: "redis"` counts in (adapters/redis/README.md). */
readonly redis?: {
/** The URL of a Redis or Valkey. */
readonly url: string
}
/** How mails are sent: `smtp`, `console` (prints them with their links, for development), `none`, or an object of your own (docs/configuration.md#ports-of-your-own). */
readonly mail?: {
readonly kind: "smtp"
/** `smtp://user:password@host:587` or `smtps://user:password@host:465` (TLS (docs/configuration.md#mail-and-sms-servers)). */
readonly url: string
/** The sender of every mail. */
readonly from: string
/** The selector of the DKIM key with which the mail server signs, for the check by `doctor --production`. */
readonly dkim_selector?: string
} | {
readonly kind: "console"
} | {
readonly kind: "none"
} | OwnMailer
/** How short messages are sent: `twilio`, `webhook`, `console` (prints them with their codes, for development), `none`, or an object of your own (docs/configuration.md#ports-of-your-own). */
readonly sms?: {
readonly kind: "twilio"
/** The SID of the account. */
readonly account_sid: string
/** The auth token of the account. */
readonly auth_token: string
/** A telephone number, an alphanumeric sender, or the SID of a messaging service. */
readonly from: string
} | {
readonly kind: "webhook"
/** Receives a POST for each message (how (docs/configuration.md#mail-and-sms-servers)). */
readonly url: string
/** The signing secret; derived from the service's secret by default. */
readonly secret?: string | readonly [string, ...ReadonlyArray<string>]
/** Header fields that are added to every request, such as `authorization`. */
readonly headers?: Readonly<Record<string, string>>
} | {
readonly kind: "console"
} | {
readonly kind: "none"
} | OwnSmsSender
/** Sends the requests to other services (ports of your own (docs/configuration.md#ports-of-your-own); `.ts` and `.js` only). Default: undici. */
readonly http?: OwnHttpClient
/** Tells the time (ports of your own (docs/configuration.md#ports-of-your-own); `.ts` and `.js` only). Default: the clock of the system. */
readonly clock?: OwnClock
readonly log?: {
/** The least severe messages that are written. */
readonly level?: "trace" | "debug" | "info" | "warn" | "error" | "none"
/** Default: `pretty` on a terminal, else `json`. */
readonly format?: "pretty" | "json"
}
readonly telemetry?: {
/** A listener with metrics in the format of Prometheus, at `/metrics` (monitoring (docs/monitoring.md)). */
readonly metrics?: {
/** The address at which it listens. */
readonly host?: string
/** The port; 0 is any free port. */
readonly port?: number
}
/** Traces by OTLP over HTTP, as JSON. */
readonly traces?: {
/** The whole URL, such as `http://collector:4318/v1/traces`. The variables of OpenTelemetry (`OTEL_EXPORTER_OTLP_ENDPOINT`, …) set it as well (docs/monitoring.md#traces). */
readonly url: string
/** The share of traces that is exported. A trace that a trusted proxy began follows its decision (`traceparent`). */
readonly sample?: number
/** Header fields of every export, such as an authorization. */
readonly headers?: Readonly<Record<string, string>>
}
}
readonly rest?: {
/** Whether the endpoints are served over REST. Those of other protocols (OAuth) are served in any case. */
readonly enabled?: boolean
}
readonly graphql?: {
/** Whether the operations are served over GraphQL. */
readonly enabled?: boolean
/** The path of GraphQL, from the root of the host. */
readonly path?: string
/** Whether browsers get the page GraphiQL to try queries (in a project of your own: `npm install @graphql-yoga/render-graphiql`), and whether errors contain suggestions. Default: true where `public_url` is on this machine, else false. */
readonly graphiql?: boolean
/** Whether clients may read the schema from the service; `npm start -- schema` prints it in any case. Default: true where `public_url` is on this machine, else false. */
readonly introspection?: boolean
/** The maximum depth of nested fields. */
readonly max_depth?: number
/** The maximum number of aliases and repeated fields. */
readonly max_aliases?: number
/** The maximum number of tokens in a document, and also of values in its variables. */
readonly max_tokens?: number
/** The maximum number of objects in a response. Each list counts with its requested length. */
readonly max_cost?: number
/** A JSON file of documents by id; with it, only these documents run, by `documentId`. */
readonly trusted_documents?: string
/** Makes the schema a subgraph of Apollo Federation 2 with the entities `User`, `Organization` and `Team`; adapters/graphql (adapters/graphql/README.md#apollo-federation) lists which callers resolve them. */
readonly federation?: boolean
/** With federation: a gateway that sends this secret (32 bytes or more) in the header field `sallyport-gateway-secret` resolves any entity and reads the SDL. */
readonly gateway_secret?: string
/** Plugins of graphql-yoga or envelop, for example for tracing (`.ts` and `.js` only, and the library); adapters/graphql (adapters/graphql/README.md#plugins) lists the hooks that run. */
readonly plugins?: ReadonlyArray<object>
}
readonly docs?: {
/** Whether the service serves its OpenAPI document at `{base_path}/openapi.json` and a reference page at `{base_path}/docs`; `npm start -- openapi` prints the document in any case. Default: true where `public_url` is on this machine, else false. */
readonly enabled?: boolean
}
/** With `{}` the service has pages (docs/configuration.md#pages): sign-in, account, and those of the links in its mails. */
readonly pages?: {
/** The path of the first page; all other pages are below it. */
readonly path?: string
/** URLs of pages of your own (docs/configuration.md#pages-of-your-own) that replace these pages: `sign_in`, `sign_up`, `account`, `reset_password`, `verify_email`, `magic_link`, `invitation`. Links and redirects lead to your URLs. */
readonly routes?: {
readonly sign_in?: string
readonly sign_up?: string
readonly account?: string
readonly reset_password?: string
readonly verify_email?: string
readonly magic_link?: string
readonly invitation?: string
}
readonly sign_in?: {
/** The ways to sign in that come first, in this order: `password`, `email_code`, `magic_link`, `phone_code`, `passkey`, `wallet`, `provider:<id>`, and `page:<path>` for pages of your modules. The one that the browser used last comes before them. Ways that need a name share one form, which begins with the password. */
readonly order?: ReadonlyArray<string>
/** The ways to sign in, by the same names, that the pages do not show. Their endpoints stay, so that an application can use them. */
readonly hidden?: ReadonlyArray<string>
/** Whether the first page asks for the name only, beside passkeys and providers, and the next one for the password or another way. Both are the same for names with and without an account. */
readonly identifier_first?: boolean
}
/** Whether users without a passkey are offered one after a sign-in by another way, on a page that they can skip, every 30 days in a browser. */
readonly offer_passkeys?: boolean
/** Names of places by ranges of addresses, for the list of devices: `{ "10.0.0.0/8": "Office", "2001:db8::/32": "Campus" }`. If several ranges contain an address, the one with the longest prefix applies. A name has at most 64 characters and is the same in every language. */
readonly places?: Readonly<Record<string, string>>
/** With `{}` the pages include the console (docs/console.md), in which administrators manage the service. It needs `modules.admin`. */
readonly admin?: {
/** The path of its first page, below `pages.path`. */
readonly path?: string
/** A word beside the name of the service, such as `Production`, so that administrators see where they are. */
readonly label?: string
/** Seconds after which administrators prove their identity again before they see the console. */
readonly max_age?: number
/** The addresses that can open it, such as `10.0.0.0/8`; all if the list is empty. For others, its pages do not exist. */
readonly networks?: ReadonlyArray<string>
/** Whether the page of the audit log can show new records as they are added. */
readonly live?: boolean
}
}
/** Texts (docs/configuration.md#texts) of your own for pages, mails and short messages, by language and key. */
readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>
readonly users?: {
/** Further members of users, by name, such as a plan or a birthday (attributes (docs/administration.md#attributes)). */
readonly attributes?: Readonly<Record<string, {
/** The values, as [JSON Schema](docs/administration.md#attributes): `string`, `integer`, `number`, `boolean`, or a list (`array`) of these. */
readonly schema: {
readonly type?: "string" | "integer" | "number" | "boolean" | "array"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
readonly items?: {
readonly type?: "string" | "integer" | "number" | "boolean"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
}
readonly minItems?: number
readonly maxItems?: number
}
readonly read?: "user" | "admin" | "private"
readonly write?: "user" | "admin"
readonly unique?: boolean
readonly indexed?: boolean
readonly sign_up?: boolean
/** The scope with which clients of `modules.idp` get it in ID tokens and userinfo, as a claim of its name. Default: never. */
readonly claims?: string
}>>
}
readonly organizations?: {
/** Further members of organizations, by name (attributes (docs/administration.md#attributes)); needs `modules.organization`. */
readonly attributes?: Readonly<Record<string, {
/** The values, as those of `users.attributes`. */
readonly schema: {
readonly type?: "string" | "integer" | "number" | "boolean" | "array"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
readonly items?: {
readonly type?: "string" | "integer" | "number" | "boolean"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
}
readonly minItems?: number
readonly maxItems?: number
}
readonly read?: "client" | "user" | "admin"
readonly write?: "user" | "admin"
}>>
}
readonly members?: {
/** Further members of memberships in organizations, by name, such as a job title (attributes (docs/administration.md#attributes)); needs `modules.organization`. */
readonly attributes?: Readonly<Record<string, {
/** The values, as those of `users.attributes`. */
readonly schema: {
readonly type?: "string" | "integer" | "number" | "boolean" | "array"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
readonly items?: {
readonly type?: "string" | "integer" | "number" | "boolean"
readonly enum?: readonly [string | number | boolean, ...ReadonlyArray<string | number | boolean>]
readonly const?: string | number | boolean
readonly minLength?: number
readonly maxLength?: number
readonly pattern?: string
readonly format?: "date" | "date-time" | "uri" | "email"
readonly minimum?: number
readonly maximum?: number
readonly exclusiveMinimum?: number
readonly exclusiveMaximum?: number
readonly title?: string
readonly description?: string
}
readonly minItems?: number
readonly maxItems?: number
}
readonly read?: "user" | "admin"
readonly write?: "user" | "admin"
}>>
}
}
