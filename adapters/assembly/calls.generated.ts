// Generated from the endpoints by `npm run api:update`.

import type { Call } from "./call.ts"

export type Success = {
readonly success: true
}

export type Session = {
readonly id: string
readonly expires_at: string
readonly created_at: string
readonly updated_at: string
readonly user_id: string
}

export type User = {
readonly id: string
/** Lowercased. */
readonly email: string
readonly email_verified: boolean
readonly name: string | null
/** Avatar URL. */
readonly image: string | null
/** The user's language, a BCP 47 tag. */
readonly locale?: string | null
/** True for a guest (`POST /sign-in/guest`), otherwise absent. */
readonly is_guest?: boolean
readonly created_at: string
readonly updated_at: string
}

export type ImpersonationMode = "read" | "act"

export type Impersonator = {
readonly user_id: string
readonly mode: ImpersonationMode
}

export type SessionListItem = {
readonly id: string
readonly expires_at: string
readonly created_at: string
readonly updated_at: string
readonly ip_address: string | null
readonly user_agent: string | null
}

export type LinkedAccount = {
readonly id: string
/** `credential` is the password. */
readonly provider_id: string
readonly account_id: string
readonly created_at: string
}

export type Redirect = {
readonly redirect: string
}

export type OauthClient = {
readonly client_id: string
readonly client_name: string | null
readonly client_uri: string | null
readonly logo_uri: string | null
readonly policy_uri: string | null
readonly tos_uri: string | null
readonly agent?: {
readonly kind: "document" | "open"
readonly host: string | null
}
}

export type ConsentRequest = {
readonly client: OauthClient
readonly destination: string
readonly on_device?: boolean
readonly resource?: {
readonly resource: string
readonly name: string
}
readonly scopes: ReadonlyArray<{
readonly scope: string
readonly granted: boolean
}>
readonly organization: {
readonly id: string
readonly name: string
readonly slug: string
} | null
}

export type OrganizationRequest = {
readonly client: OauthClient
readonly organizations: ReadonlyArray<{
readonly id: string
readonly name: string
readonly slug: string
readonly role: string
}>
}

export type ConnectedApplication = {
readonly client: OauthClient
readonly scopes: ReadonlyArray<string>
readonly granted_at: string
readonly created_at: string
}

export type OauthProfile = {
readonly given_name?: string
readonly family_name?: string
readonly middle_name?: string
readonly nickname?: string
readonly preferred_username?: string
readonly profile?: string
readonly website?: string
readonly gender?: string
readonly birthdate?: string
readonly zoneinfo?: string
readonly address?: {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
}
}

export type SignedOut = {
readonly redirect: string | null
readonly frames: ReadonlyArray<string>
}

export type DeviceRequest = {
readonly client: OauthClient
readonly scopes: ReadonlyArray<{
readonly scope: string
readonly granted: boolean
}>
}

export type UserinfoClaims = {
readonly sub: string
readonly email?: string
readonly email_verified?: boolean
readonly name?: string
readonly picture?: string
readonly locale?: string
readonly given_name?: string
readonly family_name?: string
readonly middle_name?: string
readonly nickname?: string
readonly preferred_username?: string
readonly profile?: string
readonly website?: string
readonly gender?: string
readonly birthdate?: string
readonly zoneinfo?: string
readonly address?: {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
}
readonly phone_number?: string
readonly phone_number_verified?: boolean
readonly updated_at?: number
readonly org_id?: string
readonly org_name?: string
readonly org_role?: string
readonly org_attributes?: Readonly<Record<string, unknown>>
}

export type OauthClientRecord = {
readonly client_id: string
readonly configured: boolean
readonly secrets: number
/** How the client authenticates. Null: `none` for a public client, else `client_secret_basic` or `client_secret_post`. */
readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
/** The subject of the certificate for `tls_client_auth`, in exactly one of these members (RFC 8705 section 2.1.2). */
readonly tls_client_auth_subject_dn: string | null
/** The same by a DNS name among the alternative names of the certificate. */
readonly tls_client_auth_san_dns: string | null
/** The same by a URI among the alternative names of the certificate. */
readonly tls_client_auth_san_uri: string | null
/** The same by an IP address among the alternative names of the certificate. */
readonly tls_client_auth_san_ip: string | null
/** The same by an email address among the alternative names of the certificate. */
readonly tls_client_auth_san_email: string | null
/** The public keys (`{"keys": […]}`: EdDSA, ES256, PS256 or RS256) for `private_key_jwt` and signed requests, and the certificates (`x5c`) of `self_signed_tls_client_auth`. With `private_key_jwt`, the `client_secret` is the empty text. */
readonly jwks: {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
} | null
/** The https URL of these keys, in place of `jwks`. */
readonly jwks_uri: string | null
/** The accepted `aud` of assertions: `issuer` (only the issuer, as a string), or `endpoint` (also the token endpoint, or a list). */
readonly assertion_audience: "issuer" | "endpoint"
/** Whether authorization requests need PKCE; null: only those of public clients. */
readonly require_pkce: boolean | null
/** The URLs to which codes are sent; required with the grant `authorization_code`. */
readonly redirect_uris: ReadonlyArray<string>
/** The grants that the client may use, besides `refresh_token`, which `refresh_tokens` permits. */
readonly grant_types: ReadonlyArray<"authorization_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange">
/** The resource servers (absolute URIs) for which the client may request access tokens (RFC 8707). */
readonly resources: ReadonlyArray<string>
/** Whether authorization requests must be signed by the client's keys (RFC 9101). */
readonly require_signed_request_object: boolean
/** Whether users have to consent to what the client requests. */
readonly consent: boolean
/** Whether administrators may sign in to it in the name of users (`modules.impersonation`, mode `act`): its tokens then have the claim `act`. */
readonly accepts_impersonation: boolean
/** `pairwise`: the `sub` of a user differs from that at clients of other sectors (OpenID Connect Core section 8). */
readonly subject_type: "public" | "pairwise"
/** An https URL whose host is the sector of a pairwise client; null: the host of its `redirect_uris`. */
readonly sector_identifier_uri: string | null
/** The name that users see, at most 64 characters. */
readonly client_name: string | null
/** The client's site, which users see. */
readonly client_uri: string | null
/** The picture that users see. */
readonly logo_uri: string | null
/** The client's privacy policy, to which the pages that ask for consent link. */
readonly policy_uri: string | null
/** The client's terms of service, likewise. */
readonly tos_uri: string | null
/** The URLs to which the browser may return after `GET /oauth2/logout`. */
readonly post_logout_redirect_uris: ReadonlyArray<string>
/** The URL that gets a logout token at the end of each session (Back-Channel Logout 1.0). */
readonly backchannel_logout_uri: string | null
/** The URL that the browser loads in a frame at the end of a session (Front-Channel Logout 1.0); its scheme, host and port are those of one of the `redirect_uris`. */
readonly frontchannel_logout_uri: string | null
/** Whether `frontchannel_logout_uri` gets the parameters `iss` and `sid`. */
readonly frontchannel_logout_session_required: boolean
/** Whether the client must push its authorization requests (RFC 9126). */
readonly require_pushed_authorization_requests: boolean
/** Whether every access token of the client must be bound to a key (RFC 9449). */
readonly dpop_bound_access_tokens: boolean
/** Whether every access token of the client is bound to its TLS certificate (RFC 8705). */
readonly tls_client_certificate_bound_access_tokens: boolean
/** `fapi2`: pushed requests and PKCE are required, `private_key_jwt` or a certificate, and DPoP or tokens that are bound to the certificate (FAPI 2.0). */
readonly security_profile: "fapi2" | null
/** The scopes that the client may request, and the default of a request. */
readonly scopes: ReadonlyArray<string>
/** The id of the service account as which the client administers this service: it then has at most the permissions of both. */
readonly service_account: string | null
/** The algorithm of ID tokens. */
readonly id_token_signed_response_alg: "EdDSA" | "RS256" | "ES256"
/** Whether the client also gets a refresh token for each code. */
readonly refresh_tokens: boolean
/** `jwt`: resource servers can verify the access tokens by the published keys (RFC 9068). */
readonly access_token_format: "opaque" | "jwt"
/** The algorithm of userinfo responses; null: JSON without a signature. */
readonly userinfo_signed_response_alg: "EdDSA" | "RS256" | "ES256" | null
/** The algorithm of introspection responses (RFC 9701); null: JSON without a signature. */
readonly introspection_signed_response_alg: "EdDSA" | "RS256" | "ES256" | null
/** Whether the client may introspect the access tokens of all clients, and exchange them if it has that grant. */
readonly resource_server: boolean
/** Lifetime of access tokens in seconds; null: 10 minutes for JWTs and for tokens with a refresh token, else that of the session. */
readonly access_token_ttl: number | null
readonly created_at: string | null
readonly updated_at: string | null
}

export type AgentClient = {
readonly client_id: string
readonly kind: "document" | "open"
readonly client_name: string | null
readonly redirect_uris: ReadonlyArray<string>
readonly token_endpoint_auth_method: string | null
readonly created_at: string
readonly read_at: string
readonly withdrawn_at: string | null
readonly blocked_at: string | null
}

export type AdministeredUser = {
readonly id: string
/** Lowercased. */
readonly email: string
readonly email_verified: boolean
readonly name: string | null
/** Avatar URL. */
readonly image: string | null
/** The user's language, a BCP 47 tag. */
readonly locale?: string | null
/** True for a guest (`POST /sign-in/guest`), otherwise absent. */
readonly is_guest?: boolean
readonly created_at: string
readonly updated_at: string
readonly role: string
readonly banned: boolean
}

export type Permission = "users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify"

export type ConfiguredAdministrator = {
/** Null for an id that is no user's. */
readonly email: string | null
/** Null for an address that is no user's. */
readonly user_id: string | null
/** False without the user, and for an address that the user has not verified but must. */
readonly is_administrator: boolean
}

export type AssignedRole = {
readonly role: string
readonly organization_id: string | null
readonly expires_at: string | null
readonly created_at: string
}

export type ServiceAccount = {
readonly id: string
readonly name: string
readonly permissions: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
readonly organization_id: string | null
readonly created_at: string
readonly updated_at: string
}

export type BanKind = "ban" | "suspension"

export type UserOrder = "newest" | "oldest" | "email"

export type RoleOfUser = {
readonly user_id: string
readonly role: string
readonly organization_id: string | null
readonly expires_at: string | null
readonly created_at: string
}

export type UserDetails = {
readonly user_id: string
/** The kinds of the linked accounts, such as `credential` for a password, of the 5 oldest. */
readonly ways_in: ReadonlyArray<string>
readonly second_factor: boolean
/** The last use of the newest sessions; null if none is left. Only for callers with `sessions:read`. */
readonly last_seen_at?: string | null
}

export type Total = {
readonly count: number
/** Whether there can be more. */
readonly capped: boolean
/** When all of a large number were last counted, which happens once an hour. Absent: just now. */
readonly as_of?: string
}

export type SearchHit = {
readonly id: string
readonly name: string | null
/** The address of a user, or the slug of an organization. Null for a client. */
readonly detail: string | null
}

export type NewUserMail = "none" | "invite" | "verification"

export type RequiredActionName = "change_password" | "verify_email" | "enrol_factor"

export type SignUpInvitation = {
readonly id: string
readonly email: string
readonly created_at: string
readonly expires_at: string
}

export type JobOperation = "ban" | "unban" | "revoke_sessions" | "suspend" | "remove" | "set_role" | "send_verification" | "send_reset"

export type UserFilter = {
/** An id, or the beginning of an address, of its domain (with `@`), of a phone number (with `+`), of a name or its last word, or of a user name. Without `order` and other filters of this kind. */
readonly search?: string
readonly user_id?: string
readonly email?: string
readonly email_prefix?: string
readonly name_prefix?: string
/** With `account_id`: the user of this linked account, such as `phone` and the number. */
readonly provider_id?: string
readonly account_id?: string
/** Of `/admin/set-role`, or assigned by `/admin/roles/assign` and not ended. */
readonly role?: string
/** The members of this organization. */
readonly organization_id?: string
readonly banned?: boolean
readonly email_verified?: boolean
/** With `value`: the users with this value of an attribute that is `indexed`. */
readonly attribute?: string
/** A text, or a number or a boolean as in JSON. */
readonly value?: string
readonly created_from?: string
readonly created_before?: string
}

export type JobOnError = "continue" | "stop"

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled"

export type Job = {
readonly id: string
readonly operation: string
readonly state: JobState
readonly dry_run: boolean
readonly on_error: JobOnError
readonly created_by: {
readonly kind: "user" | "client" | "api_key" | "application" | "service_account"
readonly id: string
}
/** The number of users; null for users who match a filter, and for a merge. */
readonly total: number | null
/** The number of users who are done. */
readonly position: number
readonly succeeded: number
readonly failed: number
/** The first 20 users whom a dry run would have changed. */
readonly sample: ReadonlyArray<string>
/** Why the job failed. */
readonly code: string | null
readonly created_at: string
readonly started_at: string | null
readonly finished_at: string | null
}

export type OutboxState = "waiting" | "dead"

export type OutboxMessage = {
readonly id: string
/** `mail`, `sms`, or the kind of a message to another service. Null in rows of earlier versions. */
readonly kind: string | null
readonly state: OutboxState
readonly attempts: number
/** The code of the last failure, such as `550`. Null without a failure, or if it had none. */
readonly last_code: string | null
readonly created_at: string
/** The next attempt; null: none follows. */
readonly due_at: string | null
}

export type KeyState = "next" | "current" | "former"

export type SigningKey = {
/** The module whose tokens it signs. */
readonly use: string
/** The `kid`; of a symmetric key, the id of its secret. */
readonly id: string
readonly algorithm: string
readonly state: KeyState
/** The first moment at which it signs; null: since its secret was listed first. */
readonly from: string | null
/** From when the next key signs; null: no next one is published. */
readonly until: string | null
/** By when a next key should sign, by the configured interval; null: one is published, or the key has no interval. */
readonly due_at: string | null
}

export type SecretState = "current" | "former"

export type ServiceSecret = {
/** Null for values of earlier versions, which have none. */
readonly id: string | null
readonly state: SecretState
readonly rows: number
/** Whether there are more: about 1000 of a column are counted. */
readonly capped: boolean
}

export type HealthProcess = {
readonly version: string
readonly started_at: string
readonly draining: boolean
}

export type HealthStore = {
readonly ms: number
}

export type HealthQueue = {
/** `mail`, `sms`, or the kind of other receivers. */
readonly receiver: string
readonly waiting: number
/** Whether more wait: the oldest 1000 of a queue are counted. */
readonly capped: boolean
/** For how many seconds the oldest one has waited. */
readonly oldest_s: number
}

export type FindingSeverity = "note" | "warning"

export type HealthFinding = {
readonly module: string
readonly severity: FindingSeverity
readonly text: string
}

export type SettingSource = "file" | "variable" | "default"

export type SettingEntry = {
readonly path: string
/** As JSON; `set` for a secret. Null without a value, and for what is not shown, such as addresses. */
readonly value: string | null
readonly secret: boolean
readonly source: SettingSource
/** As JSON; null without one. */
readonly default: string | null
}

export type Organization = {
readonly id: string
readonly name: string
readonly slug: string
readonly created_at: string
}

export type ListedOrganization = {
readonly id: string
readonly name: string
readonly slug: string
readonly created_at: string
readonly role: string
}

export type ListedMember = {
readonly user_id: string
readonly role: string
readonly email: string
/** Only in lists with `details`. */
readonly name?: string | null
/** Only in lists with `details`. */
readonly joined_at?: string
}

export type Invitation = {
readonly id: string
readonly organization_id: string
readonly email: string
readonly role: string
readonly status: "pending" | "accepted" | "rejected" | "cancelled"
readonly inviter_id: string
readonly expires_at: string
readonly created_at: string
}

export type Team = {
readonly id: string
readonly organization_id: string
readonly name: string
readonly created_at: string
}

export type Member = {
readonly id: string
readonly organization_id: string
readonly user_id: string
readonly role: string
readonly created_at: string
}

export type InvitationSender = {
readonly kind: "member" | "administrator" | "program"
readonly name: string | null
/** Only a verified one. */
readonly email: string | null
}

export type ShownInvitation = {
readonly organization_id: string
/** Its name; null if it could be taken for a link or a telephone number. */
readonly organization: string | null
readonly invited_by: InvitationSender
readonly email: string
readonly role: string
readonly expires_at: string
/** Whether `POST /organization/accept-invitation/sign-up` takes the token. */
readonly can_sign_up: boolean
}

export type AdministeredMember = {
readonly user_id: string
readonly role: string
readonly email: string
/** Only in lists with `details`. */
readonly name?: string | null
/** Only in lists with `details`. */
readonly joined_at?: string
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdministeredInvitation = {
readonly reference: string
readonly organization_id: string
readonly email: string
readonly role: string
readonly status: "pending" | "accepted" | "rejected" | "cancelled"
readonly inviter_id: string
readonly expires_at: string
readonly created_at: string
}

export type ManagedUser = {
readonly user_id: string
readonly organization_id: string
readonly domain: string
readonly created_at: string
}

export type TwoFactorSentMethod = "email" | "sms"

export type RememberedBrowser = {
readonly id: string
readonly user_agent: string | null
readonly ip_address: string | null
readonly created_at: string
readonly expires_at: string
readonly current: boolean
}

export type PublicKeyCredentialCreationOptionsJSON = {
readonly challenge: string
readonly rp: {
readonly id: string
readonly name: string
}
readonly user: {
readonly id: string
readonly name: string
readonly displayName: string
}
readonly pubKeyCredParams: ReadonlyArray<{
readonly type: "public-key"
readonly alg: number
}>
readonly timeout: number
readonly excludeCredentials: ReadonlyArray<{
readonly type: "public-key"
readonly id: string
readonly transports: ReadonlyArray<string>
}>
readonly authenticatorSelection: {
readonly residentKey: "required"
readonly requireResidentKey: true
readonly userVerification: "required"
}
readonly attestation: "none"
}

export type RegistrationResponseJSON = {
readonly id: string
readonly rawId: string
readonly type: string
readonly response: {
readonly clientDataJSON: string
readonly attestationObject: string
readonly transports?: ReadonlyArray<string>
}
}

export type Passkey = {
readonly id: string
readonly name: string | null
readonly created_at: string
readonly last_used_at: string | null
readonly backed_up: boolean
readonly transports: ReadonlyArray<string>
/** The password manager or platform that has it, such as 1Password, as it claims itself; null if it is unknown. */
readonly authenticator: string | null
}

export type PublicKeyCredentialRequestOptionsJSON = {
readonly challenge: string
readonly rpId: string
readonly timeout: number
readonly allowCredentials: ReadonlyArray<{
readonly type: "public-key"
readonly id: string
readonly transports: ReadonlyArray<string>
}>
readonly userVerification: "required"
}

export type AuthenticationResponseJSON = {
readonly id: string
readonly rawId: string
readonly type: string
readonly response: {
readonly clientDataJSON: string
readonly authenticatorData: string
readonly signature: string
readonly userHandle?: string | null
}
}

export type OwnAuditEntry = {
readonly id: string
readonly at: string
readonly type: string
readonly outcome: string
readonly reason: string | null
readonly by: string
readonly session_id: string | null
readonly client_id: string | null
readonly organization_id: string | null
readonly ip_address: string | null
readonly user_agent: string | null
readonly method: string | null
readonly operation: string | null
readonly kind: string | null
readonly count: number
}

export type AuditEntry = {
readonly id: string
readonly at: string
readonly outcome: string
readonly reason: string | null
readonly organization_id: string | null
readonly session_id: string | null
readonly client_id: string | null
readonly ip_address: string | null
readonly user_agent: string | null
readonly request_id: string | null
readonly trace_id: string | null
readonly count: number
readonly data: Readonly<Record<string, string | ReadonlyArray<string>>>
readonly type: string
readonly actor: {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}
readonly subject: {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}
/** The `reason` of the administrator, until the subject is removed. */
readonly note: string | null
}

export type OrganizationAuditEntry = {
readonly id: string
readonly at: string
readonly outcome: string
readonly reason: string | null
readonly organization_id: string | null
readonly session_id: string | null
readonly client_id: string | null
readonly ip_address: string | null
readonly user_agent: string | null
readonly request_id: string | null
readonly trace_id: string | null
readonly count: number
readonly data: Readonly<Record<string, string | ReadonlyArray<string>>>
readonly type: string
readonly actor: {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}
readonly subject: {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}
}

export type Webhook = {
readonly id: string
readonly url: string
readonly types: ReadonlyArray<string>
readonly configured: boolean
readonly failing_since: string | null
readonly disabled_at: string | null
}

export type DeliveryState = "waiting" | "dead"

export type WebhookDelivery = {
readonly id: string
readonly event_id: string
readonly type: string
readonly state: DeliveryState
readonly attempts: number
/** Why the last attempt failed; null before the first failure. */
readonly reason: string | null
readonly created_at: string
/** The next attempt; null: none follows. */
readonly due_at: string | null
}

export type ApiKeyOwnerKind = "user" | "organization" | "service_account"

export type ApiKeyOwner = {
readonly kind: ApiKeyOwnerKind
readonly id: string
}

export type ApiKey = {
readonly id: string
readonly owner: ApiKeyOwner
readonly name: string
/** The last four characters before the checksum. */
readonly hint: string
readonly permissions: ReadonlyArray<string>
/** What a key of an organization may do in it, by resource, such as `{ team: ["create"] }`. */
readonly statement: Readonly<Record<string, ReadonlyArray<string>>> | null
readonly addresses: ReadonlyArray<string>
readonly expires_at: string | null
readonly revoked_at: string | null
readonly created_at: string
readonly updated_at: string
}

export type ListedApiKey = {
readonly id: string
readonly owner: ApiKeyOwner
readonly name: string
/** The last four characters before the checksum. */
readonly hint: string
readonly permissions: ReadonlyArray<string>
/** What a key of an organization may do in it, by resource, such as `{ team: ["create"] }`. */
readonly statement: Readonly<Record<string, ReadonlyArray<string>>> | null
readonly addresses: ReadonlyArray<string>
readonly expires_at: string | null
readonly revoked_at: string | null
readonly created_at: string
readonly updated_at: string
readonly last_used_at: string | null
readonly last_used_from: string | null
}

export type ApiKeyRefusal = "not_found" | "revoked" | "expired" | "owner_inactive" | "address" | "permission" | "budget"

export type ApiKeyVerdict = {
readonly valid: boolean
readonly code?: ApiKeyRefusal
readonly key_id?: string
readonly owner?: ApiKeyOwner
readonly permissions?: ReadonlyArray<string>
/** What a key of an organization may do in it now. */
readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
readonly expires_at?: string | null
}

export type ImpersonationState = "active" | "ended"

export type Impersonation = {
readonly session_id: string
readonly user_id: string
readonly impersonator_user_id: string
readonly mode: ImpersonationMode
readonly reason: string
readonly state: ImpersonationState
readonly started_at: string
readonly ends_at: string
readonly ended_at: string | null
}

export type FigureStep = "hour" | "day"

export type FigurePoint = {
/** The start of the hour or day, UTC. */
readonly at: string
/** How many events of the audit log there were, by `type`, by `type/method` for successes and by `type/code` for refusals. Names without events are absent; `other` has those beyond 400 names. */
readonly counts: Readonly<Record<string, number>>
}

export type ActiveUsers = {
readonly day: number
readonly week: number
readonly month: number
}

/** The operations that are always there. */
export interface CoreCalls { readonly signOut: Call<{}, Success>; readonly getSession: Call<{
/** With false, the session is neither extended nor its cookie set: for callers that cannot pass on a cookie. Default: true. */
readonly extend?: boolean
}, {
readonly session: Session | null
readonly user: User | null
readonly impersonated_by?: Impersonator
}>; readonly listSessions: Call<{}, {
readonly sessions: ReadonlyArray<SessionListItem>
}>; readonly revokeSession: Call<{
readonly session_id: string
}, {
readonly success: boolean
}>; readonly revokeSessions: Call<{}, {
readonly revoked: number
}>; readonly revokeOtherSessions: Call<{}, {
readonly revoked: number
}>; readonly reportSignInShow: Call<{
readonly token: string
}, {
readonly email: string
}>; readonly reportSignIn: Call<{
readonly token: string
}, {
/** False for a user without a password, or if the address of the account has changed since. */
readonly reset_sent: boolean
}>; readonly signUpEmail: Call<{
readonly email: string
readonly password: string
readonly name?: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}, {
readonly user: User
}>; readonly signInEmail: Call<{
readonly email: string
readonly password: string
}, {
readonly user: User
}>; readonly changePassword: Call<{
readonly current_password: string
readonly new_password: string
readonly revoke_other_sessions?: boolean
}, Success>; readonly requestPasswordReset: Call<{
readonly email: string
}, Success>; readonly resetPasswordShow: Call<{
readonly token: string
}, {
readonly email: string
}>; readonly resetPassword: Call<{
readonly token: string
readonly new_password: string
/** Whether linked accounts other than passkeys are removed. */
readonly remove_other_credentials?: boolean
}, Success>; readonly sendVerificationEmail: Call<{
readonly email: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}, Success>; readonly verifyEmailShow: Call<{
readonly token: string
}, {
readonly email: string
}>; readonly verifyEmail: Call<{
readonly token: string
}, Success>; readonly verifyEmailCode: Call<{
readonly email: string
readonly flow: string
readonly code: string
}, Success>; readonly changeEmail: Call<{
readonly new_email: string
}, {
readonly user: User
} | {
readonly status: "verification_sent"
} | Success>; readonly updateUser: Call<{
/** Null removes it. */
readonly name?: string | null
/** An http or https URL, or a path of the service's origin; null or the empty text removes it. */
readonly image?: string | null
/** A BCP 47 tag; null removes it. */
readonly locale?: string | null
}, {
readonly user: User
}>; readonly deleteUser: Call<{
readonly password?: string
}, Success>; readonly listAccounts: Call<{}, {
readonly accounts: ReadonlyArray<LinkedAccount>
}>; readonly unlinkAccount: Call<{
readonly provider_id: string
}, Success>; readonly stepUp: Call<{}, Success> }

/** The operations of the modules, by their keys. */
export interface ModuleCalls {
readonly social: { readonly signInSocial: Call<{
readonly provider: string
readonly return_to?: string
readonly error_return_to?: string
}, {
readonly url: string
}>; readonly linkSocial: Call<{
readonly provider: string
readonly return_to?: string
readonly error_return_to?: string
}, {
readonly url: string
}>; readonly oauthCallback: Call<{
readonly state: string
readonly code?: string
readonly iss?: string
readonly response?: string
readonly error?: string
}, {
readonly user: User
} | Success | Redirect>; readonly oauthCallbackForm: Call<{
readonly state: string
readonly code?: string
readonly iss?: string
readonly error?: string
readonly user?: string
}, Redirect>; readonly signInIdTokenNonce: Call<{}, {
readonly nonce: string
readonly expires_in: number
}>; readonly signInIdToken: Call<{
readonly provider: string
readonly id_token: string
readonly nonce: string
/** The name that the provider returned to the app outside of the token, as Apple does. */
readonly name?: string
}, {
readonly user: User
}>; readonly accountsAccessToken: Call<{
/** The id of the linked account. */
readonly id: string
}, {
readonly access_token: string
readonly expires_at: string | null
readonly scope: string | null
}> }
readonly phone: { readonly phoneSendOtp: Call<{
readonly phone: string
}, Success>; readonly phoneVerify: Call<{
readonly phone: string
readonly otp: string
}, Success>; readonly signInPhone: Call<{
readonly phone: string
readonly otp: string
}, {
readonly user: User
}>; readonly phoneUpgradeGuest: Call<{
readonly phone: string
readonly otp: string
}, {
readonly user: User
}>; readonly adminUsersSetPhone: Call<{
readonly user_id: string
readonly phone: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success> }
readonly email_otp: { readonly emailOtpSend: Call<{
readonly email: string
}, Success>; readonly signInEmailOtp: Call<{
readonly email: string
readonly otp: string
}, {
readonly user: User
}> }
readonly magic_link: { readonly magicLinkSend: Call<{
readonly email: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}, Success>; readonly magicLinkSendToGuest: Call<{
readonly email: string
}, Success>; readonly magicLinkShow: Call<{
readonly token: string
}, {
readonly email: string
}>; readonly magicLinkVerify: Call<{
readonly token: string
}, {
readonly user: User
}>; readonly magicLinkVerifyCode: Call<{
readonly email: string
readonly flow: string
readonly code: string
}, {
readonly user: User
}> }
readonly username: { readonly usernameSet: Call<{
readonly username: string
}, {
readonly username: string
}>; readonly usernameShow: Call<{}, {
readonly username: string | null
}>; readonly usernameAvailable: Call<{
readonly username: string
}, {
readonly available: boolean
}>; readonly signInUsername: Call<{
readonly username: string
readonly password: string
}, {
readonly user: User
}>; readonly adminUsersSetUsername: Call<{
readonly user_id: string
readonly username: string | null
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success> }
readonly one_time_token: { readonly oneTimeTokenGenerate: Call<{}, {
readonly token: string
readonly expires_in: number
}>; readonly oneTimeTokenVerify: Call<{
readonly token: string
}, {
readonly user: User
}> }
readonly multi_session: { readonly multiSessionList: Call<{}, {
readonly sessions: ReadonlyArray<{
readonly session_id: string
readonly user: User
readonly active: boolean
}>
}>; readonly multiSessionSetActive: Call<{
readonly session_id: string
}, {
readonly active: string
}>; readonly multiSessionRevoke: Call<{
readonly session_id: string
}, Success> }
readonly bearer: { readonly nativeRequest: Call<{
readonly redirect_uri: string
readonly state?: string
readonly code_challenge: string
readonly code_challenge_method: "S256"
}, {
readonly destination: string
}>; readonly nativeCode: Call<{
readonly redirect_uri: string
readonly state?: string
readonly code_challenge: string
readonly code_challenge_method: "S256"
}, Redirect>; readonly nativeExchange: Call<{
readonly code: string
readonly code_verifier: string
}, {
readonly user: User
}> }
readonly jwt: { readonly token: Call<{}, {
readonly token: string
readonly expires_in: number
}>; readonly tokenVerify: Call<{
readonly token: string
}, {
readonly valid: true
readonly user_id: string
readonly claims: {
readonly sub: string
readonly email: string
readonly email_verified: boolean
readonly iss: string
readonly aud: string | ReadonlyArray<string>
readonly iat: number
readonly exp: number
readonly act?: {
readonly sub: string
}
}
}>; readonly jwks: Call<{}, {
readonly keys: ReadonlyArray<{
readonly kty: "OKP"
readonly crv: "Ed25519"
readonly x: string
readonly use: "sig"
readonly alg: "EdDSA"
readonly kid: string
}>
}> }
readonly idp: { readonly oauth2Authorize: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly redirect_uri?: string | ReadonlyArray<string>
readonly response_type?: string | ReadonlyArray<string>
readonly response_mode?: string | ReadonlyArray<string>
readonly scope?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly nonce?: string | ReadonlyArray<string>
readonly prompt?: string | ReadonlyArray<string>
readonly max_age?: string | ReadonlyArray<string>
readonly id_token_hint?: string | ReadonlyArray<string>
readonly code_challenge?: string | ReadonlyArray<string>
readonly code_challenge_method?: string | ReadonlyArray<string>
readonly request?: string | ReadonlyArray<string>
readonly request_uri?: string | ReadonlyArray<string>
readonly registration?: string | ReadonlyArray<string>
readonly acr_values?: string | ReadonlyArray<string>
readonly claims?: string | ReadonlyArray<string>
readonly display?: string | ReadonlyArray<string>
readonly login_hint?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly resource?: string | ReadonlyArray<string>
readonly dpop_jkt?: string | ReadonlyArray<string>
readonly organization?: string | ReadonlyArray<string>
}, Redirect>; readonly oauth2AuthorizeForm: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly redirect_uri?: string | ReadonlyArray<string>
readonly response_type?: string | ReadonlyArray<string>
readonly response_mode?: string | ReadonlyArray<string>
readonly scope?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly nonce?: string | ReadonlyArray<string>
readonly prompt?: string | ReadonlyArray<string>
readonly max_age?: string | ReadonlyArray<string>
readonly id_token_hint?: string | ReadonlyArray<string>
readonly code_challenge?: string | ReadonlyArray<string>
readonly code_challenge_method?: string | ReadonlyArray<string>
readonly request?: string | ReadonlyArray<string>
readonly request_uri?: string | ReadonlyArray<string>
readonly registration?: string | ReadonlyArray<string>
readonly acr_values?: string | ReadonlyArray<string>
readonly claims?: string | ReadonlyArray<string>
readonly display?: string | ReadonlyArray<string>
readonly login_hint?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly resource?: string | ReadonlyArray<string>
readonly dpop_jkt?: string | ReadonlyArray<string>
readonly organization?: string | ReadonlyArray<string>
}, Redirect>; readonly oauth2Consent: Call<{
readonly request_uri: string
}, ConsentRequest>; readonly oauth2ConsentAllow: Call<{
readonly request_uri: string
}, Redirect>; readonly oauth2ConsentDeny: Call<{
readonly request_uri: string
}, Redirect>; readonly oauth2SelectAccount: Call<{
readonly request_uri: string
}, Redirect>; readonly oauth2Organizations: Call<{
readonly request_uri: string
}, OrganizationRequest>; readonly oauth2SelectOrganization: Call<{
readonly request_uri: string
readonly organization_id: string
}, Redirect>; readonly oauth2Grants: Call<{}, {
readonly grants: ReadonlyArray<ConnectedApplication>
}>; readonly oauth2GrantsRevoke: Call<{
readonly client_id: string
}, Success>; readonly adminUsersConsents: Call<{
readonly user_id: string
}, {
readonly grants: ReadonlyArray<ConnectedApplication>
}>; readonly adminUsersRevokeConsent: Call<{
readonly user_id: string
readonly client_id: string
}, Success>; readonly oauth2Profile: Call<{}, {
readonly profile: OauthProfile
}>; readonly oauth2ProfileUpdate: Call<{
readonly given_name?: string | null
readonly family_name?: string | null
readonly middle_name?: string | null
readonly nickname?: string | null
readonly preferred_username?: string | null
readonly profile?: string | null
readonly website?: string | null
readonly gender?: string | null
readonly birthdate?: string | null
readonly zoneinfo?: string | null
readonly address?: {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
} | null
}, {
readonly profile: OauthProfile
}>; readonly oauth2Logout: Call<{
readonly id_token_hint?: string | ReadonlyArray<string>
readonly logout_hint?: string | ReadonlyArray<string>
readonly client_id?: string | ReadonlyArray<string>
readonly post_logout_redirect_uri?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly logout_request?: string | ReadonlyArray<string>
}, SignedOut>; readonly oauth2LogoutForm: Call<{
readonly id_token_hint?: string | ReadonlyArray<string>
readonly logout_hint?: string | ReadonlyArray<string>
readonly client_id?: string | ReadonlyArray<string>
readonly post_logout_redirect_uri?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly logout_request?: string | ReadonlyArray<string>
}, SignedOut>; readonly oauth2LogoutConfirm: Call<{
readonly logout_request?: string
}, SignedOut>; readonly oauth2Par: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly redirect_uri?: string | ReadonlyArray<string>
readonly response_type?: string | ReadonlyArray<string>
readonly response_mode?: string | ReadonlyArray<string>
readonly scope?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly nonce?: string | ReadonlyArray<string>
readonly prompt?: string | ReadonlyArray<string>
readonly max_age?: string | ReadonlyArray<string>
readonly id_token_hint?: string | ReadonlyArray<string>
readonly code_challenge?: string | ReadonlyArray<string>
readonly code_challenge_method?: string | ReadonlyArray<string>
readonly request?: string | ReadonlyArray<string>
readonly request_uri?: string | ReadonlyArray<string>
readonly registration?: string | ReadonlyArray<string>
readonly acr_values?: string | ReadonlyArray<string>
readonly claims?: string | ReadonlyArray<string>
readonly display?: string | ReadonlyArray<string>
readonly login_hint?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly resource?: string | ReadonlyArray<string>
readonly dpop_jkt?: string | ReadonlyArray<string>
readonly organization?: string | ReadonlyArray<string>
readonly client_secret?: string | ReadonlyArray<string>
readonly client_assertion?: string | ReadonlyArray<string>
readonly client_assertion_type?: string | ReadonlyArray<string>
}, {
readonly request_uri: string
readonly expires_in: number
}>; readonly oauth2DeviceAuthorization: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly client_secret?: string | ReadonlyArray<string>
readonly client_assertion?: string | ReadonlyArray<string>
readonly client_assertion_type?: string | ReadonlyArray<string>
readonly scope?: string | ReadonlyArray<string>
readonly resource?: string | ReadonlyArray<string>
}, {
readonly device_code: string
readonly user_code: string
readonly verification_uri: string
readonly verification_uri_complete: string
readonly expires_in: number
readonly interval: number
}>; readonly oauth2Device: Call<{
readonly user_code: string
}, DeviceRequest>; readonly oauth2DeviceAllow: Call<{
readonly user_code: string
}, Success>; readonly oauth2DeviceDeny: Call<{
readonly user_code: string
}, Success>; readonly oauth2Token: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly client_secret?: string | ReadonlyArray<string>
readonly client_assertion?: string | ReadonlyArray<string>
readonly client_assertion_type?: string | ReadonlyArray<string>
readonly grant_type?: string | ReadonlyArray<string>
readonly code?: string | ReadonlyArray<string>
readonly redirect_uri?: string | ReadonlyArray<string>
readonly code_verifier?: string | ReadonlyArray<string>
readonly resource?: string | ReadonlyArray<string>
readonly refresh_token?: string | ReadonlyArray<string>
readonly scope?: string | ReadonlyArray<string>
readonly device_code?: string | ReadonlyArray<string>
readonly subject_token_type?: string | ReadonlyArray<string>
readonly subject_token?: string | ReadonlyArray<string>
readonly actor_token?: string | ReadonlyArray<string>
readonly actor_token_type?: string | ReadonlyArray<string>
readonly requested_token_type?: string | ReadonlyArray<string>
readonly audience?: string | ReadonlyArray<string>
}, {
readonly access_token: string
readonly token_type: "Bearer" | "DPoP"
readonly expires_in: number
readonly scope: string
readonly refresh_token?: string
readonly id_token?: string
readonly issued_token_type?: string
}>; readonly oauth2Revoke: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly client_secret?: string | ReadonlyArray<string>
readonly client_assertion?: string | ReadonlyArray<string>
readonly client_assertion_type?: string | ReadonlyArray<string>
readonly token?: string | ReadonlyArray<string>
readonly token_type_hint?: string | ReadonlyArray<string>
}, {}>; readonly oauth2Introspect: Call<{
readonly client_id?: string | ReadonlyArray<string>
readonly client_secret?: string | ReadonlyArray<string>
readonly client_assertion?: string | ReadonlyArray<string>
readonly client_assertion_type?: string | ReadonlyArray<string>
readonly token?: string | ReadonlyArray<string>
readonly token_type_hint?: string | ReadonlyArray<string>
}, {
readonly active: boolean
readonly iss?: string
readonly sub?: string
readonly aud?: string | ReadonlyArray<string>
readonly client_id?: string
readonly scope?: string
readonly token_type?: string
readonly act?: Readonly<Record<string, unknown>>
readonly cnf?: {
readonly jkt?: string
readonly "x5t#S256"?: string
}
readonly org_id?: string
readonly org_name?: string
readonly org_role?: string
readonly org_attributes?: Readonly<Record<string, unknown>>
readonly iat?: number
readonly exp?: number
}>; readonly oauth2Userinfo: Call<{}, UserinfoClaims>; readonly oauth2UserinfoForm: Call<{
readonly access_token?: string | ReadonlyArray<string>
}, UserinfoClaims>; readonly oauth2Jwks: Call<{}, {
readonly keys: ReadonlyArray<{
readonly kty: string
readonly crv?: string
readonly x?: string
readonly y?: string
readonly n?: string
readonly e?: string
readonly use: "sig"
readonly alg: string
readonly kid: string
}>
}>; readonly wellKnownOpenidConfiguration: Call<{}, {
readonly issuer: string
readonly authorization_endpoint: string
readonly token_endpoint: string
readonly revocation_endpoint: string
readonly introspection_endpoint: string
readonly pushed_authorization_request_endpoint: string
readonly device_authorization_endpoint: string
readonly registration_endpoint?: string
readonly client_id_metadata_document_supported?: boolean
readonly userinfo_endpoint: string
readonly end_session_endpoint: string
readonly jwks_uri: string
readonly scopes_supported: ReadonlyArray<string>
readonly response_types_supported: ReadonlyArray<string>
readonly response_modes_supported: ReadonlyArray<string>
readonly grant_types_supported: ReadonlyArray<string>
readonly subject_types_supported: ReadonlyArray<string>
readonly id_token_signing_alg_values_supported: ReadonlyArray<string>
readonly userinfo_signing_alg_values_supported: ReadonlyArray<string>
readonly introspection_signing_alg_values_supported: ReadonlyArray<string>
readonly token_endpoint_auth_methods_supported: ReadonlyArray<string>
readonly token_endpoint_auth_signing_alg_values_supported?: ReadonlyArray<string>
readonly revocation_endpoint_auth_methods_supported: ReadonlyArray<string>
readonly introspection_endpoint_auth_methods_supported: ReadonlyArray<string>
readonly code_challenge_methods_supported: ReadonlyArray<string>
readonly prompt_values_supported: ReadonlyArray<string>
readonly backchannel_logout_supported: boolean
readonly backchannel_logout_session_supported: boolean
readonly frontchannel_logout_supported: boolean
readonly frontchannel_logout_session_supported: boolean
readonly acr_values_supported: ReadonlyArray<string>
readonly claims_supported: ReadonlyArray<string>
readonly claims_parameter_supported: boolean
readonly dpop_signing_alg_values_supported: ReadonlyArray<string>
readonly request_parameter_supported: boolean
readonly request_object_signing_alg_values_supported?: ReadonlyArray<string>
readonly request_uri_parameter_supported: boolean
readonly authorization_response_iss_parameter_supported: boolean
readonly tls_client_certificate_bound_access_tokens?: boolean
readonly mtls_endpoint_aliases?: Readonly<Record<string, string>>
}>; readonly oauth2Register: Call<{
readonly redirect_uris?: ReadonlyArray<string>
readonly token_endpoint_auth_method?: string
readonly grant_types?: ReadonlyArray<string>
readonly response_types?: ReadonlyArray<string>
readonly scope?: string
readonly client_name?: string
readonly client_uri?: string
readonly logo_uri?: string
readonly policy_uri?: string
readonly tos_uri?: string
readonly jwks?: Readonly<Record<string, unknown>>
readonly jwks_uri?: string
readonly subject_type?: string
readonly sector_identifier_uri?: string
readonly id_token_signed_response_alg?: string
readonly userinfo_signed_response_alg?: string
readonly post_logout_redirect_uris?: ReadonlyArray<string>
readonly backchannel_logout_uri?: string
readonly frontchannel_logout_uri?: string
readonly frontchannel_logout_session_required?: boolean
readonly require_pushed_authorization_requests?: boolean
readonly require_signed_request_object?: boolean
readonly dpop_bound_access_tokens?: boolean
readonly tls_client_certificate_bound_access_tokens?: boolean
readonly tls_client_auth_subject_dn?: string
readonly tls_client_auth_san_dns?: string
readonly tls_client_auth_san_uri?: string
readonly tls_client_auth_san_ip?: string
readonly tls_client_auth_san_email?: string
}, {
readonly client_id: string
readonly client_secret?: string
readonly client_id_issued_at: number
readonly client_secret_expires_at?: number
readonly registration_access_token?: string
readonly registration_client_uri?: string
}>; readonly oauth2RegisterRead: Call<{
readonly client_id: string
}, {
readonly client_id: string
readonly client_secret?: string
readonly client_id_issued_at: number
readonly client_secret_expires_at?: number
readonly registration_access_token?: string
readonly registration_client_uri?: string
}>; readonly oauth2RegisterUpdate: Call<{
readonly client_id: string
readonly redirect_uris?: ReadonlyArray<string>
readonly token_endpoint_auth_method?: string
readonly grant_types?: ReadonlyArray<string>
readonly response_types?: ReadonlyArray<string>
readonly scope?: string
readonly client_name?: string
readonly client_uri?: string
readonly logo_uri?: string
readonly policy_uri?: string
readonly tos_uri?: string
readonly jwks?: Readonly<Record<string, unknown>>
readonly jwks_uri?: string
readonly subject_type?: string
readonly sector_identifier_uri?: string
readonly id_token_signed_response_alg?: string
readonly userinfo_signed_response_alg?: string
readonly post_logout_redirect_uris?: ReadonlyArray<string>
readonly backchannel_logout_uri?: string
readonly frontchannel_logout_uri?: string
readonly frontchannel_logout_session_required?: boolean
readonly require_pushed_authorization_requests?: boolean
readonly require_signed_request_object?: boolean
readonly dpop_bound_access_tokens?: boolean
readonly tls_client_certificate_bound_access_tokens?: boolean
readonly tls_client_auth_subject_dn?: string
readonly tls_client_auth_san_dns?: string
readonly tls_client_auth_san_uri?: string
readonly tls_client_auth_san_ip?: string
readonly tls_client_auth_san_email?: string
}, {
readonly client_id: string
readonly client_secret?: string
readonly client_id_issued_at: number
readonly client_secret_expires_at?: number
readonly registration_access_token?: string
readonly registration_client_uri?: string
}>; readonly oauth2RegisterDelete: Call<{
readonly client_id: string
}, Success>; readonly oauth2RotateKeys: Call<{
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly added: number
}>; readonly adminClientsList: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly clients: ReadonlyArray<OauthClientRecord>
readonly next_cursor?: string | null
}>; readonly adminClientsShow: Call<{
readonly client_id: string
}, {
readonly client: OauthClientRecord
}>; readonly adminClientsCreate: Call<{
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
readonly tls_client_auth_subject_dn?: string | null
readonly tls_client_auth_san_dns?: string | null
readonly tls_client_auth_san_uri?: string | null
readonly tls_client_auth_san_ip?: string | null
readonly tls_client_auth_san_email?: string | null
readonly jwks?: {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
} | null
readonly jwks_uri?: string | null
readonly assertion_audience?: "issuer" | "endpoint"
readonly require_pkce?: boolean | null
readonly redirect_uris?: ReadonlyArray<string>
readonly grant_types?: ReadonlyArray<"authorization_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange">
readonly resources?: ReadonlyArray<string>
readonly require_signed_request_object?: boolean
readonly consent?: boolean
readonly accepts_impersonation?: boolean
readonly subject_type?: "public" | "pairwise"
readonly sector_identifier_uri?: string | null
readonly client_name?: string | null
readonly client_uri?: string | null
readonly logo_uri?: string | null
readonly policy_uri?: string | null
readonly tos_uri?: string | null
readonly post_logout_redirect_uris?: ReadonlyArray<string>
readonly backchannel_logout_uri?: string | null
readonly frontchannel_logout_uri?: string | null
readonly frontchannel_logout_session_required?: boolean
readonly require_pushed_authorization_requests?: boolean
readonly dpop_bound_access_tokens?: boolean
readonly tls_client_certificate_bound_access_tokens?: boolean
readonly security_profile?: "fapi2" | null
readonly scopes?: ReadonlyArray<string>
readonly service_account?: string | null
readonly id_token_signed_response_alg?: "EdDSA" | "RS256" | "ES256"
readonly refresh_tokens?: boolean
readonly access_token_format?: "opaque" | "jwt"
readonly userinfo_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
readonly introspection_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
readonly resource_server?: boolean
readonly access_token_ttl?: number | null
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
}, {
readonly client: OauthClientRecord
readonly client_secret: string | null
}>; readonly adminClientsUpdate: Call<{
readonly client_id: string
readonly changes: {
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
readonly tls_client_auth_subject_dn?: string | null
readonly tls_client_auth_san_dns?: string | null
readonly tls_client_auth_san_uri?: string | null
readonly tls_client_auth_san_ip?: string | null
readonly tls_client_auth_san_email?: string | null
readonly jwks?: {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
} | null
readonly jwks_uri?: string | null
readonly assertion_audience?: "issuer" | "endpoint"
readonly require_pkce?: boolean | null
readonly redirect_uris?: ReadonlyArray<string>
readonly grant_types?: ReadonlyArray<"authorization_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange">
readonly resources?: ReadonlyArray<string>
readonly require_signed_request_object?: boolean
readonly consent?: boolean
readonly accepts_impersonation?: boolean
readonly subject_type?: "public" | "pairwise"
readonly sector_identifier_uri?: string | null
readonly client_name?: string | null
readonly client_uri?: string | null
readonly logo_uri?: string | null
readonly policy_uri?: string | null
readonly tos_uri?: string | null
readonly post_logout_redirect_uris?: ReadonlyArray<string>
readonly backchannel_logout_uri?: string | null
readonly frontchannel_logout_uri?: string | null
readonly frontchannel_logout_session_required?: boolean
readonly require_pushed_authorization_requests?: boolean
readonly dpop_bound_access_tokens?: boolean
readonly tls_client_certificate_bound_access_tokens?: boolean
readonly security_profile?: "fapi2" | null
readonly scopes?: ReadonlyArray<string>
readonly service_account?: string | null
readonly id_token_signed_response_alg?: "EdDSA" | "RS256" | "ES256"
readonly refresh_tokens?: boolean
readonly access_token_format?: "opaque" | "jwt"
readonly userinfo_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
readonly introspection_signed_response_alg?: "EdDSA" | "RS256" | "ES256" | null
readonly resource_server?: boolean
readonly access_token_ttl?: number | null
}
}, {
readonly client: OauthClientRecord
readonly client_secret: string | null
}>; readonly adminClientsRotateSecret: Call<{
readonly client_id: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly revoke_previous?: boolean
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly client_secret: string
}>; readonly adminClientsDelete: Call<{
readonly client_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminClientsAgents: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly clients: ReadonlyArray<AgentClient>
readonly next_cursor?: string | null
}>; readonly adminClientsBlock: Call<{
readonly client_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminClientsUnblock: Call<{
readonly client_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success> }
readonly admin: { readonly adminSetRole: Call<{
readonly user_id: string
readonly role: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminBanUser: Call<{
readonly user_id: string
readonly reason?: string
readonly expires_in?: number
}, Success>; readonly adminUnbanUser: Call<{
readonly user_id: string
}, Success>; readonly adminListUsers: Call<{
readonly limit?: number
readonly cursor?: string
readonly search?: string
}, {
readonly users: ReadonlyArray<AdministeredUser>
readonly next_cursor?: string | null
}>; readonly adminCreateUser: Call<{
readonly email: string
readonly password: string
readonly name?: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly role?: unknown
}, {
readonly user: AdministeredUser
}>; readonly adminRemoveUser: Call<{
readonly user_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminRevokeUserSessions: Call<{
readonly user_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly revoked: number
}>; readonly adminMe: Call<{}, {
readonly kind: "user" | "client" | "api_key" | "application" | "service_account"
readonly id: string
readonly permissions: ReadonlyArray<Permission>
readonly organizations: ReadonlyArray<{
readonly organization_id: string
readonly permissions: ReadonlyArray<Permission>
}>
readonly until: string | null
readonly proved_at: string | null
readonly needs_step_up: ReadonlyArray<Permission>
}>; readonly adminRolesList: Call<{
/** Whether to add the administrators of the configuration, for callers with `users:roles`. */
readonly configured?: boolean
}, {
readonly roles: ReadonlyArray<{
readonly name: string
readonly permissions: ReadonlyArray<Permission>
}>
readonly configured?: ReadonlyArray<ConfiguredAdministrator>
}>; readonly adminRolesAssign: Call<{
readonly user_id: string
readonly role: string
readonly organization_id?: string
readonly expires_at?: string | null
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly assigned: AssignedRole
}>; readonly adminRolesWithdraw: Call<{
readonly user_id: string
readonly role: string
readonly organization_id?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminServiceAccountsCreate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly permissions: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
readonly organization_id?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly service_account: ServiceAccount
}>; readonly adminServiceAccountsUpdate: Call<{
readonly service_account_id: string
readonly changes: {
readonly name?: string
readonly permissions?: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
}
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly service_account: ServiceAccount
}>; readonly adminServiceAccountsDelete: Call<{
readonly service_account_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminServiceAccountsList: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly service_accounts: ReadonlyArray<ServiceAccount>
readonly next_cursor?: string | null
}>; readonly adminServiceAccountsShow: Call<{
readonly service_account_id: string
}, {
readonly service_account: ServiceAccount
}>; readonly adminUsersShow: Call<{
readonly user_id?: string
readonly email?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
/** The user into whom this one was merged in the last 90 days. */
readonly merged_into?: string
/** The id that was asked for: of a user who was merged into this one. */
readonly merged_from?: string
/** When the user will be erased, unless that is cancelled. */
readonly erasure_due_at?: string
}>; readonly adminUsersUpdate: Call<{
readonly user_id: string
readonly changes: {
/** Null removes it. */
readonly name?: string | null
/** An http or https URL, or a path of the service's origin; null or the empty text removes it. */
readonly image?: string | null
/** A BCP 47 tag; null removes it. */
readonly locale?: string | null
}
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersList: Call<{
/** An id, or the beginning of an address, of its domain (with `@`), of a phone number (with `+`), of a name or its last word, or of a user name. Without `order` and other filters of this kind. */
readonly search?: string
readonly user_id?: string
readonly email?: string
readonly email_prefix?: string
readonly name_prefix?: string
/** With `account_id`: the user of this linked account, such as `phone` and the number. */
readonly provider_id?: string
readonly account_id?: string
/** Of `/admin/set-role`, or assigned by `/admin/roles/assign` and not ended. */
readonly role?: string
/** The members of this organization. */
readonly organization_id?: string
readonly banned?: boolean
readonly email_verified?: boolean
/** With `value`: the users with this value of an attribute that is `indexed`. */
readonly attribute?: string
/** A text, or a number or a boolean as in JSON. */
readonly value?: string
readonly created_from?: string
readonly created_before?: string
/** Default: that of the filter with an index of its own, otherwise the newest first. */
readonly order?: UserOrder
readonly limit?: number
readonly cursor?: string
/** Whether the users come with their ways in, second factor and last session. */
readonly details?: boolean
/** Whether those who match are counted, up to 1,000; without filters all. */
readonly total?: boolean
}, {
readonly users: ReadonlyArray<AdministeredUser>
/** The roles assigned to these users, in addition to `role`. */
readonly roles: ReadonlyArray<RoleOfUser>
readonly details?: ReadonlyArray<UserDetails>
readonly next_cursor: string | null
readonly total?: Total
}>; readonly adminSearch: Call<{
/** As `search` of `/admin/users/list`; also the beginning of a name, a slug or a client's id. */
readonly q: string
}, {
readonly users?: ReadonlyArray<SearchHit>
readonly organizations?: ReadonlyArray<SearchHit>
readonly clients?: ReadonlyArray<SearchHit>
}>; readonly adminUsersCreate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
/** Null: the user gets an address that takes no mail. */
readonly email: string | null
/** Default: false. */
readonly email_verified?: boolean
readonly password?: string
/** In place of a password: a hash of another system, in a format that imports accept. */
readonly password_hash?: string
readonly name?: string
readonly locale?: string
/** A mail with a link to choose a password, or to verify the address. Default: none. */
readonly send?: NewUserMail
}, {
readonly user: AdministeredUser
}>; readonly adminUsersSetEmail: Call<{
readonly user_id: string
readonly email: string
/** Whether the administrator knows that the mailbox is the user's. Default: false. */
readonly email_verified?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersSetPassword: Call<{
readonly user_id: string
readonly password: string
/** Default: true. */
readonly revoke_sessions?: boolean
/** Whether the user has to replace it at the next sign-in. Default: where `required_actions` is set, for other users. */
readonly require_change?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersVerifyEmail: Call<{
readonly user_id: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersSendReset: Call<{
readonly user_id: string
}, Success>; readonly adminUsersSendVerification: Call<{
readonly user_id: string
}, Success>; readonly adminUsersCredentials: Call<{
readonly user_id: string
}, {
readonly accounts: ReadonlyArray<LinkedAccount>
readonly authenticators: ReadonlyArray<{
readonly kind: string
readonly created_at: string | null
}>
readonly password_set_at: string | null
readonly second_factor: boolean
readonly required_actions: ReadonlyArray<RequiredActionName>
/** Whether actions can be required: `modules.admin.required_actions`. */
readonly required_actions_enabled: boolean
}>; readonly adminUsersSessions: Call<{
readonly user_id: string
}, {
readonly sessions: ReadonlyArray<SessionListItem>
}>; readonly adminUsersRevokeSession: Call<{
readonly user_id: string
readonly session_id: string
}, {
readonly success: boolean
}>; readonly adminUsersMemberships: Call<{
readonly user_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly memberships: ReadonlyArray<{
readonly organization_id: string
readonly name: string
readonly slug: string
readonly role: string
readonly created_at: string
}>
readonly next_cursor?: string | null
}>; readonly adminUsersSuspend: Call<{
readonly user_id: string
readonly reason: string
readonly until?: string | null
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersResume: Call<{
readonly user_id: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersRequire: Call<{
readonly user_id: string
readonly actions: ReadonlyArray<RequiredActionName>
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly requiredActionsChangePassword: Call<{
readonly challenge_token: string
readonly new_password: string
}, {
readonly user: User
}>; readonly adminUsersRemoveCredential: Call<{
/** The `id` in `accounts` of `GET /admin/users/credentials`. */
readonly credential_id: string
readonly user_id: string
/** Whether the last way to sign in can be removed. Default: false. */
readonly force?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminUsersResetFactors: Call<{
readonly reason: string
/** A `kind` in `authenticators` of `GET /admin/users/credentials`, or `passkey`. Default: factors of all kinds. */
readonly kind?: string
readonly user_id: string
/** Whether the last way to sign in can be removed. Default: false. */
readonly force?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly user: AdministeredUser
readonly ban: {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
} | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminInvitationsCreate: Call<{
readonly email: string
}, {
readonly invitation: SignUpInvitation
}>; readonly adminInvitationsList: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly invitations: ReadonlyArray<SignUpInvitation>
readonly next_cursor?: string | null
}>; readonly adminInvitationsCancel: Call<{
readonly invitation_id: string
}, Success>; readonly adminInvitationsResend: Call<{
readonly invitation_id: string
}, {
readonly invitation: SignUpInvitation
}>; readonly adminJobsCreate: Call<{
readonly operation: JobOperation
/** At most 10,000 users. Either these or `filter`. */
readonly user_ids?: ReadonlyArray<string>
/** All users who match the filters of `GET /admin/users/list`. */
readonly filter?: UserFilter
/** As the endpoint for one user takes it. */
readonly input?: {
readonly reason?: string
readonly expires_in?: number
readonly until?: string | null
readonly role?: string
}
/** Whether the job only counts whom it would change, and for whom it would fail. */
readonly dry_run?: boolean
/** Whether the job ends when the operation fails for a user. Default: `continue`. */
readonly on_error?: JobOnError
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly job: Job
}>; readonly adminJobsList: Call<{
readonly state?: JobState
readonly limit?: number
readonly cursor?: string
}, {
readonly jobs: ReadonlyArray<Job>
readonly next_cursor?: string | null
}>; readonly adminJobsShow: Call<{
readonly job_id: string
}, {
readonly job: Job
readonly failures: ReadonlyArray<{
readonly user_id: string
readonly code: string
}>
}>; readonly adminJobsCancel: Call<{
readonly job_id: string
}, {
readonly job: Job
}>; readonly adminUsersExport: Call<{
readonly user_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
/** Opens once, without a session. */
readonly url: string
readonly expires_at: string
}>; readonly accountExport: Call<{}, {
/** Opens once, without a session. */
readonly url: string
readonly expires_at: string
}>; readonly accountExportDownload: Call<{
readonly token: string
readonly part?: number
}, {
readonly tables: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
readonly next_part: number | null
}>; readonly adminUsersErase: Call<{
readonly user_id: string
/** The address or the id of the user. */
readonly confirm: string
/** Until then it can be cancelled. Default: 0, at once. */
readonly after_days?: number
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly erased: boolean
readonly due_at: string | null
}>; readonly adminUsersCancelErasure: Call<{
readonly user_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminUsersMerge: Call<{
readonly from: string
readonly into: string
/** The `version` of `GET /admin/users/show`. */
readonly from_version: string
/** The `version` of `GET /admin/users/show`. */
readonly into_version: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly job: Job
}>; readonly adminOutboxList: Call<{
readonly state?: OutboxState
readonly limit?: number
readonly cursor?: string
}, {
readonly messages: ReadonlyArray<OutboxMessage>
readonly next_cursor?: string | null
}>; readonly adminOutboxRetry: Call<{
readonly message_id: string
}, Success>; readonly adminOutboxDiscard: Call<{
readonly message_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminKeysList: Call<{}, {
readonly keys: ReadonlyArray<SigningKey>
}>; readonly adminKeysRotate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly added: ReadonlyArray<string>
}>; readonly adminKeysSecrets: Call<{}, {
readonly secrets: ReadonlyArray<ServiceSecret>
}>; readonly adminHealth: Call<{}, {
/** The process that answers. */
readonly processes: ReadonlyArray<HealthProcess>
readonly store: HealthStore
readonly queues: ReadonlyArray<HealthQueue>
/** For how many seconds the oldest record of the audit log has waited for its seal; null without the log. */
readonly seal_age_s: number | null
readonly findings: ReadonlyArray<HealthFinding>
}>; readonly adminSettings: Call<{}, {
readonly entries: ReadonlyArray<SettingEntry>
}> }
readonly organization: { readonly organizationCreate: Call<{
readonly name: string
readonly slug: string
}, {
readonly organization: Organization
}>; readonly organizationUpdate: Call<{
readonly organization_id: string
readonly name?: string
readonly slug?: string
}, {
readonly organization: Organization
}>; readonly organizationDelete: Call<{
readonly organization_id: string
}, Success>; readonly organizationList: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly organizations: ReadonlyArray<ListedOrganization>
readonly next_cursor?: string | null
}>; readonly organizationGetFull: Call<{
readonly organization_id?: string
}, {
readonly organization: Organization
readonly members: ReadonlyArray<ListedMember>
readonly invitations: ReadonlyArray<Invitation>
readonly teams: ReadonlyArray<Team>
readonly next_cursors?: {
readonly members: string | null
readonly invitations: string | null
readonly teams: string | null
}
}>; readonly organizationSetActive: Call<{
readonly organization_id: string
}, {
readonly active_organization_id: string
}>; readonly organizationGetActive: Call<{}, {
readonly active_organization_id: string | null
readonly organization: Organization | null
}>; readonly organizationListMembers: Call<{
readonly organization_id: string
/** Whether members have their names, and when they joined. */
readonly details?: boolean
readonly limit?: number
readonly cursor?: string
}, {
readonly members: ReadonlyArray<ListedMember>
readonly next_cursor?: string | null
}>; readonly organizationRemoveMember: Call<{
readonly organization_id: string
readonly user_id: string
}, Success>; readonly organizationUpdateRole: Call<{
readonly organization_id: string
readonly user_id: string
readonly role: string
}, Success>; readonly organizationUpdateMember: Call<{
readonly organization_id: string
readonly user_id: string
readonly role?: string
}, {
readonly member: ListedMember
}>; readonly organizationLeave: Call<{
readonly organization_id: string
}, Success>; readonly organizationHasPermission: Call<{
readonly organization_id: string
readonly permissions: Readonly<Record<string, ReadonlyArray<string>>>
}, {
readonly allowed: boolean
}>; readonly organizationInvite: Call<{
readonly organization_id: string
readonly email: string
readonly role?: string
}, {
readonly invitation: Invitation
}>; readonly organizationAcceptInvitation: Call<{
readonly invitation_id: string
/** Of the mail: verifies the caller's address. */
readonly token?: string
}, {
readonly member: Member
}>; readonly organizationRejectInvitation: Call<{
readonly invitation_id: string
}, Success>; readonly organizationCancelInvitation: Call<{
readonly invitation_id: string
}, Success>; readonly organizationListInvitations: Call<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly invitations: ReadonlyArray<Invitation>
readonly next_cursor?: string | null
}>; readonly organizationShowInvitation: Call<{
readonly invitation_id: string
/** Of the mail. */
readonly token?: string
}, {
readonly invitation: ShownInvitation
}>; readonly organizationAcceptInvitationSignUp: Call<{
readonly invitation_id: string
/** Of the newest mail of the invitation. */
readonly token: string
readonly password: string
readonly name?: string
}, {
readonly user: User
readonly member: Member
}>; readonly organizationCreateTeam: Call<{
readonly organization_id: string
readonly name: string
}, {
readonly team: Team
}>; readonly organizationListTeams: Call<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly teams: ReadonlyArray<Team>
readonly next_cursor?: string | null
}>; readonly organizationUpdateTeam: Call<{
readonly team_id: string
readonly name: string
}, {
readonly team: Team
}>; readonly organizationRemoveTeam: Call<{
readonly team_id: string
}, Success>; readonly organizationAddTeamMember: Call<{
readonly team_id: string
readonly user_id: string
}, Success>; readonly organizationRemoveTeamMember: Call<{
readonly team_id: string
readonly user_id: string
}, Success>; readonly organizationListTeamMembers: Call<{
readonly team_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly members: ReadonlyArray<{
readonly user_id: string
}>
readonly next_cursor?: string | null
}>; readonly adminOrganizationsList: Call<{
/** The beginning of the name, in any case. */
readonly name_prefix?: string
readonly slug?: string
readonly limit?: number
readonly cursor?: string
/** Whether those who match are counted, up to 1,000; without filters all. */
readonly total?: boolean
}, {
readonly organizations: ReadonlyArray<Organization>
readonly next_cursor: string | null
readonly total?: Total
}>; readonly adminOrganizationsShow: Call<{
readonly organization_id: string
}, {
readonly organization: Organization
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminOrganizationsMembers: Call<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly members: ReadonlyArray<AdministeredMember>
readonly next_cursor?: string | null
}>; readonly adminOrganizationsInvitations: Call<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, {
readonly invitations: ReadonlyArray<AdministeredInvitation>
readonly next_cursor?: string | null
}>; readonly adminOrganizationsCreate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly slug: string
/** The first member, who owns the organization. */
readonly user_id: string
}, {
readonly organization: Organization
}>; readonly adminOrganizationsUpdate: Call<{
readonly organization_id: string
readonly changes: {
readonly name?: string
readonly slug?: string
}
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly organization: Organization
/** Opaque; another one after each change of what is shown. */
readonly version: string
}>; readonly adminOrganizationsDelete: Call<{
readonly organization_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminOrganizationsAddMember: Call<{
readonly organization_id: string
readonly user_id: string
readonly role?: string
}, {
readonly member: AdministeredMember
}>; readonly adminOrganizationsSetMemberRole: Call<{
readonly organization_id: string
readonly user_id: string
readonly role: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly member: AdministeredMember
}>; readonly adminOrganizationsUpdateMember: Call<{
readonly organization_id: string
readonly user_id: string
readonly changes: {
readonly role?: string
}
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}, {
readonly member: AdministeredMember
}>; readonly adminOrganizationsRemoveMember: Call<{
readonly organization_id: string
readonly user_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminOrganizationsManageUser: Call<{
readonly organization_id: string
readonly user_id: string
readonly domain: string
}, {
readonly managed: ManagedUser
}>; readonly adminOrganizationsReleaseUser: Call<{
readonly organization_id: string
readonly user_id: string
}, Success>; readonly adminOrganizationsInvite: Call<{
readonly organization_id: string
readonly email: string
readonly role?: string
}, {
readonly invitation: AdministeredInvitation
}>; readonly adminOrganizationsResendInvitation: Call<{
readonly organization_id: string
readonly reference: string
}, {
readonly invitation: AdministeredInvitation
}>; readonly adminOrganizationsCancelInvitation: Call<{
readonly organization_id: string
readonly reference: string
}, Success> }
readonly siwe: { readonly siweNonce: Call<{}, {
readonly nonce: string
readonly chain_id: number
}>; readonly siweVerify: Call<{
readonly message: string
readonly signature: string
}, {
readonly user: User
readonly address: string
}> }
readonly two_factor: { readonly twoFactorTotpChallenge: Call<{
readonly challenge_token: string
readonly code?: string
readonly backup_code?: string
/** A code of `POST /2fa/codes/send`. */
readonly email_code?: string
/** A code of `POST /2fa/codes/send`. */
readonly sms_code?: string
/** Whether later sign-ins in this browser need no second factor; without effect unless the service offers it. */
readonly remember_browser?: boolean
}, {
readonly user: User
}>; readonly twoFactorTotpDisable: Call<{
readonly password?: string
readonly code?: string
}, Success>; readonly twoFactorTotpBackupCodes: Call<{
readonly password?: string
readonly code?: string
}, {
readonly backup_codes: ReadonlyArray<string>
}>; readonly twoFactorTotpStatus: Call<{}, {
readonly enabled: boolean
readonly backup_codes_remaining: number
}>; readonly twoFactorTotpEnable: Call<{
readonly password?: string
}, {
readonly secret: string
readonly totp_uri: string
readonly backup_codes: ReadonlyArray<string>
}>; readonly twoFactorTotpConfirm: Call<{
readonly code: string
}, Success>; readonly twoFactorTotpEnrol: Call<{
readonly challenge_token: string
}, {
readonly secret: string
readonly totp_uri: string
readonly backup_codes: ReadonlyArray<string>
}>; readonly twoFactorTotpEnrolConfirm: Call<{
readonly challenge_token: string
readonly code: string
}, {
readonly user: User
}>; readonly twoFactorCodesSend: Call<{
readonly method: TwoFactorSentMethod
readonly challenge_token?: string
}, Success>; readonly twoFactorCodesEnable: Call<{
readonly method: TwoFactorSentMethod
readonly code: string
readonly password?: string
}, Success>; readonly twoFactorCodesDisable: Call<{
readonly method: TwoFactorSentMethod
readonly password?: string
}, {
readonly success: boolean
}>; readonly twoFactorCodesStatus: Call<{}, {
readonly methods: ReadonlyArray<{
readonly method: TwoFactorSentMethod
readonly enabled: boolean
/** Where codes go, mostly masked; null without a verified address or number. */
readonly recipient: string | null
}>
}>; readonly twoFactorBrowsersList: Call<{}, {
readonly browsers: ReadonlyArray<RememberedBrowser>
}>; readonly twoFactorBrowsersRevoke: Call<{
readonly browser_id: string
}, {
readonly success: boolean
}> }
readonly passkey: { readonly passkeyRegisterOptions: Call<{}, PublicKeyCredentialCreationOptionsJSON>; readonly passkeyRegisterVerify: Call<{
readonly response: RegistrationResponseJSON
readonly name?: string
}, {
readonly passkey: Passkey
}>; readonly passkeyAuthenticateOptions: Call<{
readonly email?: string | null
}, PublicKeyCredentialRequestOptionsJSON>; readonly passkeyAuthenticateVerify: Call<{
readonly response: AuthenticationResponseJSON
}, {
readonly user: User
}>; readonly passkeyList: Call<{}, {
readonly passkeys: ReadonlyArray<Passkey>
}>; readonly passkeyRename: Call<{
readonly passkey_id: string
readonly name: string
}, {
readonly passkey: Passkey
}>; readonly passkeyDelete: Call<{
readonly passkey_id: string
}, Success>; readonly wellKnownWebauthn: Call<{}, {
readonly origins: ReadonlyArray<string>
}> }
readonly audit: { readonly auditList: Call<{
readonly limit?: number
readonly cursor?: string
}, {
readonly entries: ReadonlyArray<OwnAuditEntry>
readonly next_cursor?: string | null
}>; readonly adminAuditList: Call<{
readonly limit?: number
readonly cursor?: string
readonly subject_id?: string
readonly actor_id?: string
readonly type?: string
readonly since?: string
readonly until?: string
readonly organization_id?: string
}, {
readonly entries: ReadonlyArray<AuditEntry>
readonly next_cursor?: string | null
}>; readonly organizationAuditList: Call<{
readonly limit?: number
readonly cursor?: string
readonly subject_id?: string
readonly actor_id?: string
readonly type?: string
readonly since?: string
readonly until?: string
readonly organization_id: string
}, {
readonly entries: ReadonlyArray<OrganizationAuditEntry>
readonly next_cursor?: string | null
}>; readonly adminAuditExport: Call<{
readonly subject_id?: string
readonly actor_id?: string
readonly type?: string
readonly since?: string
readonly until?: string
readonly organization_id?: string
/** Why: 10 to 500 characters. */
readonly reason: string
}, {
/** JSON lines: each is an entry of `GET /admin/audit/list`, and ends with a line feed. */
readonly lines: string
readonly records: number
/** Whether there can be more: those before the last one of these. */
readonly capped: boolean
}> }
readonly events: { readonly adminWebhooksCreate: Call<{
readonly url: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly types: ReadonlyArray<string>
}, {
readonly webhook: Webhook
readonly secret: string
}>; readonly adminWebhooksList: Call<{}, {
readonly webhooks: ReadonlyArray<Webhook>
}>; readonly adminWebhooksUpdate: Call<{
readonly webhook_id: string
readonly url?: string
readonly types?: ReadonlyArray<string>
}, {
readonly webhook: Webhook
}>; readonly adminWebhooksRotateSecret: Call<{
readonly webhook_id: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly secret: string
}>; readonly adminWebhooksDelete: Call<{
readonly webhook_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminWebhooksDeliveries: Call<{
readonly webhook_id: string
readonly state?: DeliveryState
readonly limit?: number
readonly cursor?: string
}, {
readonly deliveries: ReadonlyArray<WebhookDelivery>
readonly next_cursor?: string | null
}>; readonly adminWebhooksReplay: Call<{
readonly webhook_id: string
readonly event_ids?: ReadonlyArray<string>
readonly since?: string
readonly until?: string
}, {
readonly queued: number
/** The `since` of the next request; null: there are no more events. */
readonly next_since: string | null
}>; readonly adminWebhooksEnable: Call<{
readonly webhook_id: string
}, Success>; readonly adminWebhooksTest: Call<{
readonly webhook_id: string
}, {
readonly accepted: boolean
/** Null without an answer. */
readonly status: number | null
readonly reason: string | null
readonly ms: number
}> }
readonly api_key: { readonly apiKeyCreate: Call<{
readonly name: string
readonly permissions?: ReadonlyArray<string>
readonly addresses?: ReadonlyArray<string>
readonly expires_at?: string | null
readonly organization_id?: string
readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
}, {
/** The key. Only this response has it. */
readonly key: string
readonly api_key: ApiKey
}>; readonly apiKeyUpdate: Call<{
readonly key_id: string
readonly changes: {
readonly name?: string
readonly permissions?: ReadonlyArray<string>
readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
readonly addresses?: ReadonlyArray<string>
}
}, {
readonly api_key: ApiKey
}>; readonly apiKeyRotate: Call<{
readonly key_id: string
readonly overlap?: number
}, {
/** The key. Only this response has it. */
readonly key: string
readonly api_key: ApiKey
}>; readonly apiKeyRevoke: Call<{
readonly key_id: string
}, Success>; readonly apiKeyList: Call<{
readonly organization_id?: string
readonly limit?: number
readonly cursor?: string
}, {
readonly api_keys: ReadonlyArray<ListedApiKey>
readonly next_cursor?: string | null
}>; readonly apiKeyVerify: Call<{
readonly key: string
readonly permissions?: ReadonlyArray<string>
readonly address?: string
}, ApiKeyVerdict>; readonly apiKeyReport: Call<{
readonly keys: ReadonlyArray<string>
}, Success>; readonly adminApiKeysCreate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly permissions?: ReadonlyArray<string>
readonly addresses?: ReadonlyArray<string>
readonly expires_at?: string | null
readonly service_account_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly key: string
readonly api_key: ApiKey
}>; readonly adminApiKeysRotate: Call<{
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly key_id: string
readonly overlap?: number
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, {
readonly key: string
readonly api_key: ApiKey
}>; readonly adminApiKeysRevoke: Call<{
readonly key_id: string
/** Why: 10 to 500 characters for the audit log, without personal data. */
readonly reason?: string
}, Success>; readonly adminApiKeysList: Call<{
readonly owner_kind?: ApiKeyOwnerKind
readonly owner_id?: string
readonly limit?: number
readonly cursor?: string
}, {
readonly api_keys: ReadonlyArray<ListedApiKey>
readonly next_cursor?: string | null
}> }
readonly impersonation: { readonly adminImpersonateStart: Call<{
readonly user_id: string
readonly reason: string
readonly mode?: ImpersonationMode
readonly seconds?: number
}, {
readonly session: Session
readonly user: User
}>; readonly impersonationStop: Call<{}, Success>; readonly adminImpersonationsList: Call<{
readonly state?: ImpersonationState
readonly limit?: number
readonly cursor?: string
}, {
readonly impersonations: ReadonlyArray<Impersonation>
readonly next_cursor?: string | null
}>; readonly adminImpersonationsEnd: Call<{
readonly session_id: string
}, {
readonly success: boolean
}> }
readonly guest: { readonly signInGuest: Call<{}, {
readonly user: User
}>; readonly guestSendCode: Call<{
readonly email: string
}, Success>; readonly guestUpgrade: Call<{
readonly email: string
readonly otp: string
}, {
readonly user: User
}>; readonly guestToken: Call<{}, {
readonly guest_token: string
readonly expires_in: number
}>; readonly guestMerge: Call<{
readonly guest_token: string
}, Success> }
readonly figures: { readonly adminFigures: Call<{
readonly from: string
readonly to?: string
readonly step: FigureStep
}, {
readonly points: ReadonlyArray<FigurePoint>
readonly active: ActiveUsers
/** The first hour of which every event is counted; null before the first event. */
readonly counted_since: string | null
}> }
}

