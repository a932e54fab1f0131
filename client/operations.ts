// Generated from the OpenAPI document; see CONTRIBUTING.md.

import type { NoInput, Operation, OperationsOf, OptionalOperation } from "./http.ts"

export type AccountExportDownloadPayload = {
readonly tables: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
readonly next_part: number | null
}

export type AccountExportPayload = {
/** Opens once, without a session. */
readonly url: string
readonly expires_at: string
}

export type AccountsAccessTokenPayload = {
readonly access_token: string
readonly expires_at: string | null
readonly scope: string | null
}

export type ActiveUsers = {
readonly day: number
readonly week: number
readonly month: number
}

export type AdminApiKeysCreateInput = {
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly permissions?: ReadonlyArray<string>
readonly addresses?: ReadonlyArray<string>
readonly expires_at?: string | null
readonly service_account_id: string
readonly reason?: string
}

export type AdminApiKeysCreatePayload = {
readonly key: string
readonly api_key: ApiKey
}

export type AdminApiKeysListPayload = {
readonly api_keys: ReadonlyArray<ListedApiKey>
readonly next_cursor?: string | null
}

export type AdminApiKeysRevokeInput = {
readonly key_id: string
readonly reason?: string
}

export type AdminApiKeysRotateInput = {
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly key_id: string
readonly overlap?: number
readonly reason?: string
}

export type AdminApiKeysRotatePayload = {
readonly key: string
readonly api_key: ApiKey
}

export type AdminAuditExportInput = {
readonly subject_id?: string
readonly actor_id?: string
readonly type?: "access.denied" | "access.read" | "api_key.created" | "api_key.reported" | "api_key.revoked" | "api_key.rotated" | "api_key.updated" | "audit.exported" | "audit.sealed" | "client.blocked" | "client.created" | "client.deleted" | "client.discovered" | "client.document_changed" | "client.unblocked" | "client.updated" | "credential.added" | "credential.changed" | "credential.removed" | "guest.merged" | "impersonation.ended" | "impersonation.started" | "invitation.accepted" | "invitation.cancelled" | "invitation.created" | "invitation.rejected" | "invitation.resent" | "job.created" | "job.finished" | "limit.reached" | "organization.created" | "organization.deleted" | "organization.member_added" | "organization.member_removed" | "organization.member_role_changed" | "organization.updated" | "organization.user_managed" | "organization.user_released" | "outbox.discarded" | "outbox.retried" | "recovery.completed" | "recovery.requested" | "registration.invitation_cancelled" | "registration.invited" | "registration.refused" | "role.assigned" | "role.withdrawn" | "secret.rotated" | "service_account.created" | "service_account.deleted" | "service_account.updated" | "session.opened" | "session.revoked" | "session.stepped_up" | "sign_in.challenged" | "sign_in.failed" | "sign_in.locked" | "sign_in.reported" | "sign_in.succeeded" | "team.created" | "team.deleted" | "team.member_added" | "team.member_removed" | "team.updated" | "token.exchanged" | "token.reused" | "token.revoked" | "user.action_required" | "user.banned" | "user.created" | "user.deleted" | "user.email_changed" | "user.email_verified" | "user.erased" | "user.erasure_cancelled" | "user.erasure_scheduled" | "user.exported" | "user.merged" | "user.private_read" | "user.resumed" | "user.role_changed" | "user.suspended" | "user.unbanned" | "user.updated" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.tested" | "webhook.updated"
readonly since?: string
readonly until?: string
readonly organization_id?: string
readonly reason: string
}

export type AdminAuditExportPayload = {
/** JSON lines: each is an entry of `GET /admin/audit/list`, and ends with a line feed. */
readonly lines: string
readonly records: number
/** Whether there can be more: those before the last one of these. */
readonly capped: boolean
}

export type AdminAuditListPayload = {
readonly entries: ReadonlyArray<AuditEntry>
readonly next_cursor?: string | null
}

export type AdminBanUserInput = {
readonly user_id: string
readonly reason?: string
readonly expires_in?: number
}

export type AdminClientsAgentsPayload = {
readonly clients: ReadonlyArray<AgentClient>
readonly next_cursor?: string | null
}

export type AdminClientsBlockInput = {
readonly client_id: string
readonly reason?: string
}

export type AdminClientsCreateInput = {
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
readonly tls_client_auth_subject_dn?: string | null
readonly tls_client_auth_san_dns?: string | null
readonly tls_client_auth_san_uri?: string | null
readonly tls_client_auth_san_ip?: string | null
readonly tls_client_auth_san_email?: string | null
readonly jwks?: AdminClientsCreateInputJwksKeys | null
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
}

export type AdminClientsCreateInputJwksKeys = {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export type AdminClientsCreatePayload = {
readonly client: OauthClientRecord
readonly client_secret: string | null
}

export type AdminClientsDeleteInput = {
readonly client_id: string
readonly reason?: string
}

export type AdminClientsListPayload = {
readonly clients: ReadonlyArray<OauthClientRecord>
readonly next_cursor?: string | null
}

export type AdminClientsRotateSecretInput = {
readonly client_id: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly revoke_previous?: boolean
readonly reason?: string
}

export type AdminClientsRotateSecretPayload = {
readonly client_secret: string
}

export type AdminClientsShowPayload = {
readonly client: OauthClientRecord
}

export type AdminClientsUnblockInput = {
readonly client_id: string
readonly reason?: string
}

export type AdminClientsUpdateInput = {
readonly client_id: string
readonly changes: AdminClientsUpdateInputChanges
}

export type AdminClientsUpdateInputChanges = {
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
readonly tls_client_auth_subject_dn?: string | null
readonly tls_client_auth_san_dns?: string | null
readonly tls_client_auth_san_uri?: string | null
readonly tls_client_auth_san_ip?: string | null
readonly tls_client_auth_san_email?: string | null
readonly jwks?: AdminClientsUpdateInputChangesJwksKeys | null
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

export type AdminClientsUpdateInputChangesJwksKeys = {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export type AdminClientsUpdatePayload = {
readonly client: OauthClientRecord
readonly client_secret: string | null
}

export type AdminCreateUserInput = {
readonly email: string
readonly password: string
readonly name?: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly role?: string
}

export type AdminCreateUserPayload = {
readonly user: AdministeredUser
}

export type AdminFiguresPayload = {
readonly points: ReadonlyArray<FigurePoint>
readonly active: ActiveUsers
/** The first hour of which every event is counted; null before the first event. */
readonly counted_since: string | null
}

export type AdminHealthPayload = {
/** The process that answers. */
readonly processes: ReadonlyArray<HealthProcess>
readonly store: HealthStore
readonly queues: ReadonlyArray<HealthQueue>
/** For how many seconds the oldest record of the audit log has waited for its seal; null without the log. */
readonly seal_age_s: number | null
readonly findings: ReadonlyArray<HealthFinding>
}

export type AdminImpersonateStartInput = {
readonly user_id: string
readonly reason: string
readonly mode?: ImpersonationMode
readonly seconds?: number
}

export type AdminImpersonateStartPayload = {
readonly session: Session
readonly user: User
}

export type AdminImpersonationsEndInput = {
readonly session_id: string
}

export type AdminImpersonationsEndPayload = {
readonly success: boolean
}

export type AdminImpersonationsListPayload = {
readonly impersonations: ReadonlyArray<Impersonation>
readonly next_cursor?: string | null
}

export type AdminInvitationsCancelInput = {
readonly invitation_id: string
}

export type AdminInvitationsCreateInput = {
readonly email: string
}

export type AdminInvitationsCreatePayload = {
readonly invitation: SignUpInvitation
}

export type AdminInvitationsListPayload = {
readonly invitations: ReadonlyArray<SignUpInvitation>
readonly next_cursor?: string | null
}

export type AdminInvitationsResendInput = {
readonly invitation_id: string
}

export type AdminInvitationsResendPayload = {
readonly invitation: SignUpInvitation
}

export type AdminJobsCancelInput = {
readonly job_id: string
}

export type AdminJobsCancelPayload = {
readonly job: Job
}

export type AdminJobsCreateInput = {
readonly operation: JobOperation
/** At most 10,000 users. Either these or `filter`. */
readonly user_ids?: ReadonlyArray<string>
/** All users who match the filters of `GET /admin/users/list`. */
readonly filter?: UserFilter
readonly input?: AdminJobsCreateInputInput
/** Whether the job only counts whom it would change, and for whom it would fail. */
readonly dry_run?: boolean
/** Whether the job ends when the operation fails for a user. Default: `continue`. */
readonly on_error?: JobOnError
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly reason?: string
}

export type AdminJobsCreateInputInput = {
readonly reason?: string
readonly expires_in?: number
readonly until?: string | null
readonly role?: string
}

export type AdminJobsCreatePayload = {
readonly job: Job
}

export type AdminJobsListPayload = {
readonly jobs: ReadonlyArray<Job>
readonly next_cursor?: string | null
}

export type AdminJobsShowFailuresItem = {
readonly user_id: string
readonly code: string
}

export type AdminJobsShowPayload = {
readonly job: Job
readonly failures: ReadonlyArray<AdminJobsShowFailuresItem>
}

export type AdminKeysListPayload = {
readonly keys: ReadonlyArray<SigningKey>
}

export type AdminKeysRotateInput = {
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly reason?: string
}

export type AdminKeysRotatePayload = {
readonly added: ReadonlyArray<string>
}

export type AdminKeysSecretsPayload = {
readonly secrets: ReadonlyArray<ServiceSecret>
}

export type AdminListUsersPayload = {
readonly users: ReadonlyArray<AdministeredUser>
readonly next_cursor?: string | null
}

export type AdminMeOrganizationsItem = {
readonly organization_id: string
readonly permissions: ReadonlyArray<Permission>
}

export type AdminMePayload = {
readonly kind: "user" | "client" | "api_key" | "application" | "service_account"
readonly id: string
readonly permissions: ReadonlyArray<Permission>
readonly organizations: ReadonlyArray<AdminMeOrganizationsItem>
readonly until: string | null
readonly proved_at: string | null
readonly needs_step_up: ReadonlyArray<Permission>
}

export type AdminOrganizationsAddMemberInput = {
readonly organization_id: string
readonly user_id: string
readonly role?: string
}

export type AdminOrganizationsAddMemberPayload = {
readonly member: AdministeredMember
}

export type AdminOrganizationsCancelInvitationInput = {
readonly organization_id: string
readonly reference: string
}

export type AdminOrganizationsCreateInput = {
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly slug: string
/** The first member, who owns the organization. */
readonly user_id: string
}

export type AdminOrganizationsCreatePayload = {
readonly organization: Organization
}

export type AdminOrganizationsDeleteInput = {
readonly organization_id: string
readonly reason?: string
}

export type AdminOrganizationsInvitationsPayload = {
readonly invitations: ReadonlyArray<AdministeredInvitation>
readonly next_cursor?: string | null
}

export type AdminOrganizationsInviteInput = {
readonly organization_id: string
readonly email: string
readonly role?: string
}

export type AdminOrganizationsInvitePayload = {
readonly invitation: AdministeredInvitation
}

export type AdminOrganizationsListPayload = {
readonly organizations: ReadonlyArray<Organization>
readonly next_cursor: string | null
readonly total?: Total
}

export type AdminOrganizationsManageUserInput = {
readonly organization_id: string
readonly user_id: string
readonly domain: string
}

export type AdminOrganizationsManageUserPayload = {
readonly managed: ManagedUser
}

export type AdminOrganizationsMembersPayload = {
readonly members: ReadonlyArray<AdministeredMember>
readonly next_cursor?: string | null
}

export type AdminOrganizationsReleaseUserInput = {
readonly organization_id: string
readonly user_id: string
}

export type AdminOrganizationsRemoveMemberInput = {
readonly organization_id: string
readonly user_id: string
readonly reason?: string
}

export type AdminOrganizationsResendInvitationInput = {
readonly organization_id: string
readonly reference: string
}

export type AdminOrganizationsResendInvitationPayload = {
readonly invitation: AdministeredInvitation
}

export type AdminOrganizationsSetMemberRoleInput = {
readonly organization_id: string
readonly user_id: string
readonly role: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminOrganizationsSetMemberRolePayload = {
readonly member: AdministeredMember
}

export type AdminOrganizationsShowPayload = {
readonly organization: Organization
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminOrganizationsUpdateInput = {
readonly organization_id: string
readonly changes: AdminOrganizationsUpdateInputChanges
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminOrganizationsUpdateInputChanges = {
readonly name?: string
readonly slug?: string
}

export type AdminOrganizationsUpdateMemberInput = {
readonly organization_id: string
readonly user_id: string
readonly changes: AdminOrganizationsUpdateMemberInputChanges
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminOrganizationsUpdateMemberInputChanges = {
readonly role?: string
}

export type AdminOrganizationsUpdateMemberPayload = {
readonly member: AdministeredMember
}

export type AdminOrganizationsUpdatePayload = {
readonly organization: Organization
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminOutboxDiscardInput = {
readonly message_id: string
readonly reason?: string
}

export type AdminOutboxListPayload = {
readonly messages: ReadonlyArray<OutboxMessage>
readonly next_cursor?: string | null
}

export type AdminOutboxRetryInput = {
readonly message_id: string
}

export type AdminRemoveUserInput = {
readonly user_id: string
readonly reason?: string
}

export type AdminRevokeUserSessionsInput = {
readonly user_id: string
readonly reason?: string
}

export type AdminRevokeUserSessionsPayload = {
readonly revoked: number
}

export type AdminRolesAssignInput = {
readonly user_id: string
readonly role: string
readonly organization_id?: string
readonly expires_at?: string | null
readonly reason?: string
}

export type AdminRolesAssignPayload = {
readonly assigned: AssignedRole
}

export type AdminRolesListPayload = {
readonly roles: ReadonlyArray<AdminRolesListRolesItem>
readonly configured?: ReadonlyArray<ConfiguredAdministrator>
}

export type AdminRolesListRolesItem = {
readonly name: string
readonly permissions: ReadonlyArray<Permission>
}

export type AdminRolesWithdrawInput = {
readonly user_id: string
readonly role: string
readonly organization_id?: string
readonly reason?: string
}

export type AdminSearchPayload = {
readonly users?: ReadonlyArray<SearchHit>
readonly organizations?: ReadonlyArray<SearchHit>
readonly clients?: ReadonlyArray<SearchHit>
}

export type AdminServiceAccountsCreateInput = {
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly name: string
readonly permissions: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
readonly organization_id?: string
readonly reason?: string
}

export type AdminServiceAccountsCreatePayload = {
readonly service_account: ServiceAccount
}

export type AdminServiceAccountsDeleteInput = {
readonly service_account_id: string
readonly reason?: string
}

export type AdminServiceAccountsListPayload = {
readonly service_accounts: ReadonlyArray<ServiceAccount>
readonly next_cursor?: string | null
}

export type AdminServiceAccountsShowPayload = {
readonly service_account: ServiceAccount
}

export type AdminServiceAccountsUpdateInput = {
readonly service_account_id: string
readonly changes: AdminServiceAccountsUpdateInputChanges
readonly reason?: string
}

export type AdminServiceAccountsUpdateInputChanges = {
readonly name?: string
readonly permissions?: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
}

export type AdminServiceAccountsUpdatePayload = {
readonly service_account: ServiceAccount
}

export type AdminSetRoleInput = {
readonly user_id: string
readonly role: string
readonly reason?: string
}

export type AdminSettingsPayload = {
readonly entries: ReadonlyArray<SettingEntry>
}

export type AdminUnbanUserInput = {
readonly user_id: string
}

export type AdminUsersCancelErasureInput = {
readonly user_id: string
readonly reason?: string
}

export type AdminUsersConsentsPayload = {
readonly grants: ReadonlyArray<ConnectedApplication>
}

export type AdminUsersCreateInput = {
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
}

export type AdminUsersCreatePayload = {
readonly user: AdministeredUser
}

export type AdminUsersCredentialsAuthenticatorsItem = {
readonly kind: string
readonly created_at: string | null
}

export type AdminUsersCredentialsPayload = {
readonly accounts: ReadonlyArray<LinkedAccount>
readonly authenticators: ReadonlyArray<AdminUsersCredentialsAuthenticatorsItem>
readonly password_set_at: string | null
readonly second_factor: boolean
readonly required_actions: ReadonlyArray<RequiredActionName>
/** Whether actions can be required: `modules.admin.required_actions`. */
readonly required_actions_enabled: boolean
}

export type AdminUsersEraseInput = {
readonly user_id: string
/** The address or the id of the user. */
readonly confirm: string
/** Until then it can be cancelled. Default: 0, at once. */
readonly after_days?: number
readonly reason?: string
}

export type AdminUsersErasePayload = {
readonly erased: boolean
readonly due_at: string | null
}

export type AdminUsersExportInput = {
readonly user_id: string
readonly reason?: string
}

export type AdminUsersExportPayload = {
/** Opens once, without a session. */
readonly url: string
readonly expires_at: string
}

export type AdminUsersListPayload = {
readonly users: ReadonlyArray<AdministeredUser>
/** The roles assigned to these users, in addition to `role`. */
readonly roles: ReadonlyArray<RoleOfUser>
readonly details?: ReadonlyArray<UserDetails>
readonly next_cursor: string | null
readonly total?: Total
}

export type AdminUsersMembershipsMembershipsItem = {
readonly organization_id: string
readonly name: string
readonly slug: string
readonly role: string
readonly created_at: string
}

export type AdminUsersMembershipsPayload = {
readonly memberships: ReadonlyArray<AdminUsersMembershipsMembershipsItem>
readonly next_cursor?: string | null
}

export type AdminUsersMergeInput = {
readonly from: string
readonly into: string
/** The `version` of `GET /admin/users/show`. */
readonly from_version: string
/** The `version` of `GET /admin/users/show`. */
readonly into_version: string
readonly reason?: string
}

export type AdminUsersMergePayload = {
readonly job: Job
}

export type AdminUsersRemoveCredentialBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersRemoveCredentialInput = {
/** The `id` in `accounts` of `GET /admin/users/credentials`. */
readonly credential_id: string
readonly user_id: string
/** Whether the last way to sign in can be removed. Default: false. */
readonly force?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
readonly reason?: string
}

export type AdminUsersRemoveCredentialPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersRemoveCredentialBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersRequireBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersRequireInput = {
readonly user_id: string
readonly actions: ReadonlyArray<RequiredActionName>
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersRequirePayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersRequireBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersResetFactorsBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersResetFactorsInput = {
readonly reason: string
/** A `kind` in `authenticators` of `GET /admin/users/credentials`, or `passkey`. Default: factors of all kinds. */
readonly kind?: string
readonly user_id: string
/** Whether the last way to sign in can be removed. Default: false. */
readonly force?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersResetFactorsPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersResetFactorsBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersResumeBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersResumeInput = {
readonly user_id: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersResumePayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersResumeBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersRevokeConsentInput = {
readonly user_id: string
readonly client_id: string
}

export type AdminUsersRevokeSessionInput = {
readonly user_id: string
readonly session_id: string
}

export type AdminUsersRevokeSessionPayload = {
readonly success: boolean
}

export type AdminUsersSendResetInput = {
readonly user_id: string
}

export type AdminUsersSendVerificationInput = {
readonly user_id: string
}

export type AdminUsersSessionsPayload = {
readonly sessions: ReadonlyArray<SessionListItem>
}

export type AdminUsersSetEmailBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersSetEmailInput = {
readonly user_id: string
readonly email: string
/** Whether the administrator knows that the mailbox is the user's. Default: false. */
readonly email_verified?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
readonly reason?: string
}

export type AdminUsersSetEmailPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersSetEmailBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersSetPasswordBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersSetPasswordInput = {
readonly user_id: string
readonly password: string
/** Default: true. */
readonly revoke_sessions?: boolean
/** Whether the user has to replace it at the next sign-in. Default: where `required_actions` is set, for other users. */
readonly require_change?: boolean
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
readonly reason?: string
}

export type AdminUsersSetPasswordPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersSetPasswordBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersSetPhoneInput = {
readonly user_id: string
readonly phone: string
readonly reason?: string
}

export type AdminUsersSetUsernameInput = {
readonly user_id: string
readonly username: string | null
readonly reason?: string
}

export type AdminUsersShowBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersShowPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersShowBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
/** The user into whom this one was merged in the last 90 days. */
readonly merged_into?: string
/** The id that was asked for: of a user who was merged into this one. */
readonly merged_from?: string
/** When the user will be erased, unless that is cancelled. */
readonly erasure_due_at?: string
}

export type AdminUsersSuspendBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersSuspendInput = {
readonly user_id: string
readonly reason: string
readonly until?: string | null
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersSuspendPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersSuspendBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersUpdateBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersUpdateInput = {
readonly user_id: string
readonly changes: AdminUsersUpdateInputChanges
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersUpdateInputChanges = {
/** Null removes it. */
readonly name?: string | null
/** An http or https URL, or a path of the service's origin; null or the empty text removes it. */
readonly image?: string | null
/** A BCP 47 tag; null removes it. */
readonly locale?: string | null
}

export type AdminUsersUpdatePayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersUpdateBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminUsersVerifyEmailBanKind = {
readonly kind: BanKind
readonly reason: string | null
readonly expires_at: string | null
}

export type AdminUsersVerifyEmailInput = {
readonly user_id: string
/** The `version` that the caller has read; over HTTP also as `If-Match`. */
readonly expected_version?: string
}

export type AdminUsersVerifyEmailPayload = {
readonly user: AdministeredUser
readonly ban: AdminUsersVerifyEmailBanKind | null
readonly roles: ReadonlyArray<AssignedRole>
/** Opaque; another one after each change of what is shown. */
readonly version: string
}

export type AdminWebhooksCreateInput = {
readonly url: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly types: readonly [string, ...ReadonlyArray<string>]
}

export type AdminWebhooksCreatePayload = {
readonly webhook: Webhook
readonly secret: string
}

export type AdminWebhooksDeleteInput = {
readonly webhook_id: string
readonly reason?: string
}

export type AdminWebhooksDeliveriesPayload = {
readonly deliveries: ReadonlyArray<WebhookDelivery>
readonly next_cursor?: string | null
}

export type AdminWebhooksEnableInput = {
readonly webhook_id: string
}

export type AdminWebhooksListPayload = {
readonly webhooks: ReadonlyArray<Webhook>
}

export type AdminWebhooksReplayInput = {
readonly webhook_id: string
readonly event_ids?: readonly [string, ...ReadonlyArray<string>]
readonly since?: string
readonly until?: string
}

export type AdminWebhooksReplayPayload = {
readonly queued: number
/** The `since` of the next request; null: there are no more events. */
readonly next_since: string | null
}

export type AdminWebhooksRotateSecretInput = {
readonly webhook_id: string
/** Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`. */
readonly idempotency_key?: string
readonly reason?: string
}

export type AdminWebhooksRotateSecretPayload = {
readonly secret: string
}

export type AdminWebhooksTestInput = {
readonly webhook_id: string
}

export type AdminWebhooksTestPayload = {
readonly accepted: boolean
/** Null without an answer. */
readonly status: number | null
readonly reason: string | null
readonly ms: number
}

export type AdminWebhooksUpdateInput = {
readonly webhook_id: string
readonly url?: string
readonly types?: readonly [string, ...ReadonlyArray<string>]
}

export type AdminWebhooksUpdatePayload = {
readonly webhook: Webhook
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

export type AdministeredUser = {
readonly id: string
/** Lowercased. */
readonly email: string
readonly email_verified: boolean
readonly name: string | null
/** Avatar URL. */
readonly image: string | null
/** The user's language, a BCP 47 tag. */
readonly locale?: string
readonly is_guest?: boolean
readonly created_at: string
readonly updated_at: string
readonly role: string
readonly banned: boolean
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

export type ApiKeyCreateInput = {
readonly name: string
readonly permissions?: ReadonlyArray<string>
readonly addresses?: ReadonlyArray<string>
readonly expires_at?: string | null
readonly organization_id?: string
readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
}

export type ApiKeyCreatePayload = {
/** The key. Only this response has it. */
readonly key: string
readonly api_key: ApiKey
}

export type ApiKeyListPayload = {
readonly api_keys: ReadonlyArray<ListedApiKey>
readonly next_cursor?: string | null
}

export type ApiKeyOwner = {
readonly kind: ApiKeyOwnerKind
readonly id: string
}

export type ApiKeyOwnerKind = "user" | "organization" | "service_account"

export type ApiKeyRefusal = "not_found" | "revoked" | "expired" | "owner_inactive" | "address" | "permission" | "budget"

export type ApiKeyReportInput = {
readonly keys: ReadonlyArray<string>
}

export type ApiKeyRevokeInput = {
readonly key_id: string
}

export type ApiKeyRotateInput = {
readonly key_id: string
readonly overlap?: number
}

export type ApiKeyRotatePayload = {
/** The key. Only this response has it. */
readonly key: string
readonly api_key: ApiKey
}

export type ApiKeyUpdateInput = {
readonly key_id: string
readonly changes: ApiKeyUpdateInputChanges
}

export type ApiKeyUpdateInputChanges = {
readonly name?: string
readonly permissions?: ReadonlyArray<string>
readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
readonly addresses?: ReadonlyArray<string>
}

export type ApiKeyUpdatePayload = {
readonly api_key: ApiKey
}

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

export type ApiKeyVerifyInput = {
readonly key: string
readonly permissions?: ReadonlyArray<string>
readonly address?: string
}

export type AssignedRole = {
readonly role: string
readonly organization_id: string | null
readonly expires_at: string | null
readonly created_at: string
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
readonly actor: AuditEntryActor
readonly subject: AuditEntrySubject
/** The `reason` of the administrator, until the subject is removed. */
readonly note: string | null
}

export type AuditEntryActor = {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}

export type AuditEntrySubject = {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}

export type AuditListPayload = {
readonly entries: ReadonlyArray<OwnAuditEntry>
readonly next_cursor?: string | null
}

export type AuthenticationResponseJSON = {
readonly id: string
readonly rawId: string
readonly type: string
readonly response: AuthenticationResponseJSONResponse
}

export type AuthenticationResponseJSONResponse = {
readonly clientDataJSON: string
readonly authenticatorData: string
readonly signature: string
readonly userHandle?: string | null
}

export type BanKind = "ban" | "suspension"

export type ChangeEmailInput = {
readonly new_email: string
}

export type ChangeEmailPayload = ChangeEmailUser | ChangeEmailVerificationSent | Success

export type ChangeEmailUser = {
readonly user: User
}

export type ChangeEmailVerificationSent = {
readonly status: "verification_sent"
}

export type ChangePasswordInput = {
readonly current_password: string
readonly new_password: string
readonly revoke_other_sessions?: boolean
}

export type ConfiguredAdministrator = {
/** Null for an id that is no user's. */
readonly email: string | null
/** Null for an address that is no user's. */
readonly user_id: string | null
/** False without the user, and for an address that the user has not verified but must. */
readonly is_administrator: boolean
}

export type ConnectedApplication = {
readonly client: OauthClient
readonly scopes: ReadonlyArray<string>
readonly granted_at: string
readonly created_at: string
}

export type ConsentRequest = {
readonly client: OauthClient
readonly destination: string
readonly on_device?: boolean
readonly resource?: ConsentRequestResource
readonly scopes: ReadonlyArray<ConsentRequestScopesItem>
readonly organization: ConsentRequestOrganizationId | null
}

export type ConsentRequestOrganizationId = {
readonly id: string
readonly name: string
readonly slug: string
}

export type ConsentRequestResource = {
readonly resource: string
readonly name: string
}

export type ConsentRequestScopesItem = {
readonly scope: string
readonly granted: boolean
}

export type DeleteUserInput = {
readonly password?: string
}

export type DeliveryState = "waiting" | "dead"

export type DeviceRequest = {
readonly client: OauthClient
readonly scopes: ReadonlyArray<DeviceRequestScopesItem>
}

export type DeviceRequestScopesItem = {
readonly scope: string
readonly granted: boolean
}

export type EmailOtpSendInput = {
readonly email: string
}

export type FigurePoint = {
/** The start of the hour or day, UTC. */
readonly at: string
/** How many events of the audit log there were, by `type`, by `type/method` for successes and by `type/code` for refusals. Names without events are absent; `other` has those beyond 400 names. */
readonly counts: Readonly<Record<string, number>>
}

export type FigureStep = "hour" | "day"

export type FindingSeverity = "note" | "warning"

export type GetSessionPayload = {
readonly session: Session | null
readonly user: User | null
readonly impersonated_by?: Impersonator
}

export type GuestMergeInput = {
readonly guest_token: string
}

export type GuestSendCodeInput = {
readonly email: string
}

export type GuestTokenPayload = {
readonly guest_token: string
readonly expires_in: number
}

export type GuestUpgradeInput = {
readonly email: string
readonly otp: string
}

export type GuestUpgradePayload = {
readonly user: User
}

export type HealthFinding = {
readonly module: string
readonly severity: FindingSeverity
readonly text: string
}

export type HealthProcess = {
readonly version: string
readonly started_at: string
readonly draining: boolean
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

export type HealthStore = {
readonly ms: number
}

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

export type ImpersonationMode = "read" | "act"

export type ImpersonationState = "active" | "ended"

export type Impersonator = {
readonly user_id: string
readonly mode: ImpersonationMode
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

export type InvitationSender = {
readonly kind: "member" | "administrator" | "program"
readonly name: string | null
/** Only a verified one. */
readonly email: string | null
}

export type Job = {
readonly id: string
readonly operation: string
readonly state: JobState
readonly dry_run: boolean
readonly on_error: JobOnError
readonly created_by: JobCreatedBy
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

export type JobCreatedBy = {
readonly kind: "user" | "client" | "api_key" | "application" | "service_account"
readonly id: string
}

export type JobOnError = "continue" | "stop"

export type JobOperation = "ban" | "unban" | "revoke_sessions" | "suspend" | "remove" | "set_role" | "send_verification" | "send_reset"

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled"

export type KeyState = "next" | "current" | "former"

export type LinkSocialInput = {
readonly provider: string
readonly return_to?: string
readonly error_return_to?: string
}

export type LinkSocialPayload = {
readonly url: string
}

export type LinkedAccount = {
readonly id: string
/** `credential` is the password. */
readonly provider_id: string
readonly account_id: string
readonly created_at: string
}

export type ListAccountsPayload = {
readonly accounts: ReadonlyArray<LinkedAccount>
}

export type ListSessionsPayload = {
readonly sessions: ReadonlyArray<SessionListItem>
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

export type ListedMember = {
readonly user_id: string
readonly role: string
readonly email: string
/** Only in lists with `details`. */
readonly name?: string | null
/** Only in lists with `details`. */
readonly joined_at?: string
}

export type ListedOrganization = {
readonly id: string
readonly name: string
readonly slug: string
readonly created_at: string
readonly role: string
}

export type MagicLinkSendInput = {
readonly email: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}

export type MagicLinkSendToGuestInput = {
readonly email: string
}

export type MagicLinkShowInput = {
readonly token: string
}

export type MagicLinkShowPayload = {
readonly email: string
}

export type MagicLinkVerifyCodeInput = {
readonly email: string
readonly flow: string
readonly code: string
}

export type MagicLinkVerifyCodePayload = MagicLinkVerifyCodeUser | TwoFactorChallenge

export type MagicLinkVerifyCodeUser = {
readonly user: User
}

export type MagicLinkVerifyInput = {
readonly token: string
}

export type MagicLinkVerifyPayload = MagicLinkVerifyUser | TwoFactorChallenge

export type MagicLinkVerifyUser = {
readonly user: User
}

export type ManagedUser = {
readonly user_id: string
readonly organization_id: string
readonly domain: string
readonly created_at: string
}

export type Member = {
readonly id: string
readonly organization_id: string
readonly user_id: string
readonly role: string
readonly created_at: string
}

export type MultiSessionListPayload = {
readonly sessions: ReadonlyArray<MultiSessionListSessionsItem>
}

export type MultiSessionListSessionsItem = {
readonly session_id: string
readonly user: User
readonly active: boolean
}

export type MultiSessionRevokeInput = {
readonly session_id: string
}

export type MultiSessionSetActiveInput = {
readonly session_id: string
}

export type MultiSessionSetActivePayload = {
readonly active: string
}

export type NativeExchangeInput = {
readonly code: string
readonly code_verifier: string
}

export type NativeExchangePayload = {
readonly user: User
}

export type NativeRequestPayload = {
readonly destination: string
}

export type NewUserMail = "none" | "invite" | "verification"

export type Oauth2DeviceAllowInput = {
readonly user_code: string
}

export type Oauth2DeviceDenyInput = {
readonly user_code: string
}

export type Oauth2DeviceInput = {
readonly user_code: string
}

export type Oauth2GrantsPayload = {
readonly grants: ReadonlyArray<ConnectedApplication>
}

export type Oauth2GrantsRevokeInput = {
readonly client_id: string
}

export type Oauth2JwksKeysItem = {
readonly kty: string
readonly crv?: string
readonly x?: string
readonly y?: string
readonly n?: string
readonly e?: string
readonly use: "sig"
readonly alg: string
readonly kid: string
}

export type Oauth2JwksPayload = {
readonly keys: ReadonlyArray<Oauth2JwksKeysItem>
}

export type Oauth2LogoutConfirmInput = {
readonly logout_request?: string
}

export type Oauth2ProfilePayload = {
readonly profile: OauthProfile
}

export type Oauth2ProfileUpdateInput = {
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
readonly address?: Oauth2ProfileUpdateInputAddressFormatted | null
}

export type Oauth2ProfileUpdateInputAddressFormatted = {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
}

export type Oauth2ProfileUpdatePayload = {
readonly profile: OauthProfile
}

export type Oauth2RotateKeysInput = {
readonly reason?: string
}

export type Oauth2RotateKeysPayload = {
readonly added: number
}

export type OauthCallbackPayload = OauthCallbackUser | Success | TwoFactorChallenge

export type OauthCallbackUser = {
readonly user: User
}

export type OauthClient = {
readonly client_id: string
readonly client_name: string | null
readonly client_uri: string | null
readonly logo_uri: string | null
readonly policy_uri: string | null
readonly tos_uri: string | null
readonly agent?: OauthClientAgent
}

export type OauthClientAgent = {
readonly kind: "document" | "open"
readonly host: string | null
}

export type OauthClientRecord = {
readonly client_id: string
readonly configured: boolean
readonly secrets: number
readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none" | "tls_client_auth" | "self_signed_tls_client_auth" | null
readonly tls_client_auth_subject_dn?: string | null
readonly tls_client_auth_san_dns?: string | null
readonly tls_client_auth_san_uri?: string | null
readonly tls_client_auth_san_ip?: string | null
readonly tls_client_auth_san_email?: string | null
readonly jwks?: OauthClientRecordJwksKeys | null
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
readonly created_at: string | null
readonly updated_at: string | null
}

export type OauthClientRecordJwksKeys = {
readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>
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
readonly address?: OauthProfileAddress
}

export type OauthProfileAddress = {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
}

export type OneTimeTokenGeneratePayload = {
readonly token: string
readonly expires_in: number
}

export type OneTimeTokenVerifyInput = {
readonly token: string
}

export type OneTimeTokenVerifyPayload = {
readonly user: User
}

export type Organization = {
readonly id: string
readonly name: string
readonly slug: string
readonly created_at: string
}

export type OrganizationAcceptInvitationInput = {
readonly invitation_id: string
/** Of the mail: verifies the caller's address. */
readonly token?: string
}

export type OrganizationAcceptInvitationPayload = {
readonly member: Member
}

export type OrganizationAcceptInvitationSignUpInput = {
readonly invitation_id: string
/** Of the newest mail of the invitation. */
readonly token: string
readonly password: string
readonly name?: string
}

export type OrganizationAcceptInvitationSignUpPayload = {
readonly user: User
readonly member: Member
}

export type OrganizationAddTeamMemberInput = {
readonly team_id: string
readonly user_id: string
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
readonly actor: OrganizationAuditEntryActor
readonly subject: OrganizationAuditEntrySubject
}

export type OrganizationAuditEntryActor = {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}

export type OrganizationAuditEntrySubject = {
readonly kind: "visitor" | "user" | "admin" | "client" | "operator" | "system" | "identifier" | "organization" | "webhook" | "service" | "api_key" | "application"
readonly id: string | null
}

export type OrganizationAuditListPayload = {
readonly entries: ReadonlyArray<OrganizationAuditEntry>
readonly next_cursor?: string | null
}

export type OrganizationCancelInvitationInput = {
readonly invitation_id: string
}

export type OrganizationCreateInput = {
readonly name: string
readonly slug: string
}

export type OrganizationCreatePayload = {
readonly organization: Organization
}

export type OrganizationCreateTeamInput = {
readonly organization_id: string
readonly name: string
}

export type OrganizationCreateTeamPayload = {
readonly team: Team
}

export type OrganizationDeleteInput = {
readonly organization_id: string
}

export type OrganizationGetActivePayload = {
readonly active_organization_id: string | null
readonly organization: Organization | null
}

export type OrganizationGetFullNextCursors = {
readonly members: string | null
readonly invitations: string | null
readonly teams: string | null
}

export type OrganizationGetFullPayload = {
readonly organization: Organization
readonly members: ReadonlyArray<ListedMember>
readonly invitations: ReadonlyArray<Invitation>
readonly teams: ReadonlyArray<Team>
readonly next_cursors?: OrganizationGetFullNextCursors
}

export type OrganizationHasPermissionInput = {
readonly organization_id: string
readonly permissions: Readonly<Record<string, ReadonlyArray<string>>>
}

export type OrganizationHasPermissionPayload = {
readonly allowed: boolean
}

export type OrganizationInviteInput = {
readonly organization_id: string
readonly email: string
readonly role?: string
}

export type OrganizationInvitePayload = {
readonly invitation: Invitation
}

export type OrganizationLeaveInput = {
readonly organization_id: string
}

export type OrganizationListInvitationsPayload = {
readonly invitations: ReadonlyArray<Invitation>
readonly next_cursor?: string | null
}

export type OrganizationListMembersPayload = {
readonly members: ReadonlyArray<ListedMember>
readonly next_cursor?: string | null
}

export type OrganizationListPayload = {
readonly organizations: ReadonlyArray<ListedOrganization>
readonly next_cursor?: string | null
}

export type OrganizationListTeamMembersMembersItem = {
readonly user_id: string
}

export type OrganizationListTeamMembersPayload = {
readonly members: ReadonlyArray<OrganizationListTeamMembersMembersItem>
readonly next_cursor?: string | null
}

export type OrganizationListTeamsPayload = {
readonly teams: ReadonlyArray<Team>
readonly next_cursor?: string | null
}

export type OrganizationRejectInvitationInput = {
readonly invitation_id: string
}

export type OrganizationRemoveMemberInput = {
readonly organization_id: string
readonly user_id: string
}

export type OrganizationRemoveTeamInput = {
readonly team_id: string
}

export type OrganizationRemoveTeamMemberInput = {
readonly team_id: string
readonly user_id: string
}

export type OrganizationRequest = {
readonly client: OauthClient
readonly organizations: ReadonlyArray<OrganizationRequestOrganizationsItem>
}

export type OrganizationRequestOrganizationsItem = {
readonly id: string
readonly name: string
readonly slug: string
readonly role: string
}

export type OrganizationSetActiveInput = {
readonly organization_id: string
}

export type OrganizationSetActivePayload = {
readonly active_organization_id: string
}

export type OrganizationShowInvitationInput = {
readonly invitation_id: string
/** Of the mail. */
readonly token?: string
}

export type OrganizationShowInvitationPayload = {
readonly invitation: ShownInvitation
}

export type OrganizationUpdateInput = {
readonly organization_id: string
readonly name?: string
readonly slug?: string
}

export type OrganizationUpdateMemberInput = {
readonly organization_id: string
readonly user_id: string
readonly role?: string
}

export type OrganizationUpdateMemberPayload = {
readonly member: ListedMember
}

export type OrganizationUpdatePayload = {
readonly organization: Organization
}

export type OrganizationUpdateRoleInput = {
readonly organization_id: string
readonly user_id: string
readonly role: string
}

export type OrganizationUpdateTeamInput = {
readonly team_id: string
readonly name: string
}

export type OrganizationUpdateTeamPayload = {
readonly team: Team
}

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

export type OutboxState = "waiting" | "dead"

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

export type PasskeyAuthenticateOptionsInput = {
readonly email?: string | null
}

export type PasskeyAuthenticateVerifyInput = {
readonly response: AuthenticationResponseJSON
}

export type PasskeyAuthenticateVerifyPayload = {
readonly user: User
}

export type PasskeyDeleteInput = {
readonly passkey_id: string
}

export type PasskeyListPayload = {
readonly passkeys: ReadonlyArray<Passkey>
}

export type PasskeyRegisterVerifyInput = {
readonly response: RegistrationResponseJSON
readonly name?: string
}

export type PasskeyRegisterVerifyPayload = {
readonly passkey: Passkey
}

export type PasskeyRenameInput = {
readonly passkey_id: string
readonly name: string
}

export type PasskeyRenamePayload = {
readonly passkey: Passkey
}

export type Permission = "users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify"

export type PhoneSendOtpInput = {
readonly phone: string
}

export type PhoneUpgradeGuestInput = {
readonly phone: string
readonly otp: string
}

export type PhoneUpgradeGuestPayload = {
readonly user: User
}

export type PhoneVerifyInput = {
readonly phone: string
readonly otp: string
}

export type PublicKeyCredentialCreationOptionsJSON = {
readonly challenge: string
readonly rp: PublicKeyCredentialCreationOptionsJSONRp
readonly user: PublicKeyCredentialCreationOptionsJSONUser
readonly pubKeyCredParams: ReadonlyArray<PublicKeyCredentialCreationOptionsJSONPubKeyCredParamsItem>
readonly timeout: number
readonly excludeCredentials: ReadonlyArray<PublicKeyCredentialCreationOptionsJSONExcludeCredentialsItem>
readonly authenticatorSelection: PublicKeyCredentialCreationOptionsJSONAuthenticatorSelection
readonly attestation: "none"
}

export type PublicKeyCredentialCreationOptionsJSONAuthenticatorSelection = {
readonly residentKey: "required"
readonly requireResidentKey: true
readonly userVerification: "required"
}

export type PublicKeyCredentialCreationOptionsJSONExcludeCredentialsItem = {
readonly type: "public-key"
readonly id: string
readonly transports: ReadonlyArray<string>
}

export type PublicKeyCredentialCreationOptionsJSONPubKeyCredParamsItem = {
readonly type: "public-key"
readonly alg: number
}

export type PublicKeyCredentialCreationOptionsJSONRp = {
readonly id: string
readonly name: string
}

export type PublicKeyCredentialCreationOptionsJSONUser = {
readonly id: string
readonly name: string
readonly displayName: string
}

export type PublicKeyCredentialRequestOptionsJSON = {
readonly challenge: string
readonly rpId: string
readonly timeout: number
readonly allowCredentials: ReadonlyArray<PublicKeyCredentialRequestOptionsJSONAllowCredentialsItem>
readonly userVerification: "required"
}

export type PublicKeyCredentialRequestOptionsJSONAllowCredentialsItem = {
readonly type: "public-key"
readonly id: string
readonly transports: ReadonlyArray<string>
}

export type RegistrationResponseJSON = {
readonly id: string
readonly rawId: string
readonly type: string
readonly response: RegistrationResponseJSONResponse
}

export type RegistrationResponseJSONResponse = {
readonly clientDataJSON: string
readonly attestationObject: string
readonly transports?: ReadonlyArray<string>
}

export type RememberedBrowser = {
readonly id: string
readonly user_agent: string | null
readonly ip_address: string | null
readonly created_at: string
readonly expires_at: string
readonly current: boolean
}

export type ReportSignInInput = {
readonly token: string
}

export type ReportSignInPayload = {
/** False for a user without a password, or if the address of the account has changed since. */
readonly reset_sent: boolean
}

export type ReportSignInShowInput = {
readonly token: string
}

export type ReportSignInShowPayload = {
readonly email: string
}

export type RequestPasswordResetInput = {
readonly email: string
}

export type RequiredActionName = "change_password" | "verify_email" | "enrol_factor"

export type RequiredActionsChangePasswordInput = {
readonly challenge_token: string
readonly new_password: string
}

export type RequiredActionsChangePasswordPayload = RequiredActionsChangePasswordUser | TwoFactorChallenge

export type RequiredActionsChangePasswordUser = {
readonly user: User
}

export type ResetPasswordInput = {
readonly token: string
readonly new_password: string
/** Whether linked accounts other than passkeys are removed. */
readonly remove_other_credentials?: boolean
}

export type ResetPasswordShowInput = {
readonly token: string
}

export type ResetPasswordShowPayload = {
readonly email: string
}

export type RevokeOtherSessionsPayload = {
readonly revoked: number
}

export type RevokeSessionInput = {
readonly session_id: string
}

export type RevokeSessionPayload = {
readonly success: boolean
}

export type RevokeSessionsPayload = {
readonly revoked: number
}

export type RoleOfUser = {
readonly user_id: string
readonly role: string
readonly organization_id: string | null
readonly expires_at: string | null
readonly created_at: string
}

export type SearchHit = {
readonly id: string
readonly name: string | null
/** The address of a user, or the slug of an organization. Null for a client. */
readonly detail: string | null
}

export type SecretState = "current" | "former"

export type SendVerificationEmailInput = {
readonly email: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}

export type ServiceAccount = {
readonly id: string
readonly name: string
readonly permissions: ReadonlyArray<"users:read" | "users:create" | "users:update" | "users:credentials" | "users:suspend" | "users:delete" | "users:export" | "users:merge" | "users:roles" | "users:private" | "users:impersonate" | "sessions:read" | "sessions:revoke" | "organizations:read" | "organizations:create" | "organizations:update" | "organizations:delete" | "members:read" | "members:update" | "invitations:read" | "invitations:create" | "invitations:cancel" | "clients:read" | "clients:write" | "clients:secrets" | "keys:rotate" | "webhooks:read" | "webhooks:write" | "audit:read" | "audit:export" | "outbox:read" | "outbox:retry" | "figures:read" | "health:read" | "settings:read" | "jobs:read" | "jobs:run" | "service_accounts:read" | "service_accounts:write" | "api_keys:read" | "api_keys:write" | "api_keys:revoke" | "api_keys:verify">
readonly organization_id: string | null
readonly created_at: string
readonly updated_at: string
}

export type ServiceSecret = {
/** Null for values of earlier versions, which have none. */
readonly id: string | null
readonly state: SecretState
readonly rows: number
/** Whether there are more: about 1000 of a column are counted. */
readonly capped: boolean
}

export type Session = {
readonly id: string
readonly expires_at: string
readonly created_at: string
readonly updated_at: string
readonly user_id: string
}

export type SessionListItem = {
readonly id: string
readonly expires_at: string
readonly created_at: string
readonly updated_at: string
readonly ip_address: string | null
readonly user_agent: string | null
}

export type SettingEntry = {
readonly path: string
/** As JSON; `set` for a secret. Null without a value, and for what is not shown, such as addresses. */
readonly value: string | null
readonly secret: boolean
readonly source: SettingSource
/** As JSON; null without one. */
readonly default: string | null
}

export type SettingSource = "file" | "variable" | "default"

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

export type SignInEmailInput = {
readonly email: string
readonly password: string
}

export type SignInEmailOtpInput = {
readonly email: string
readonly otp: string
}

export type SignInEmailOtpPayload = SignInEmailOtpUser | TwoFactorChallenge

export type SignInEmailOtpUser = {
readonly user: User
}

export type SignInEmailPayload = SignInEmailUser | TwoFactorChallenge

export type SignInEmailUser = {
readonly user: User
}

export type SignInGuestPayload = {
readonly user: User
}

export type SignInIdTokenInput = {
readonly provider: string
readonly id_token: string
readonly nonce: string
/** The name that the provider returned to the app outside of the token, as Apple does. */
readonly name?: string
}

export type SignInIdTokenNoncePayload = {
readonly nonce: string
readonly expires_in: number
}

export type SignInIdTokenPayload = SignInIdTokenUser | TwoFactorChallenge

export type SignInIdTokenUser = {
readonly user: User
}

export type SignInPhoneInput = {
readonly phone: string
readonly otp: string
}

export type SignInPhonePayload = SignInPhoneUser | TwoFactorChallenge

export type SignInPhoneUser = {
readonly user: User
}

export type SignInSocialInput = {
readonly provider: string
readonly return_to?: string
readonly error_return_to?: string
}

export type SignInSocialPayload = {
readonly url: string
}

export type SignInUsernameInput = {
readonly username: string
readonly password: string
}

export type SignInUsernamePayload = SignInUsernameUser | TwoFactorChallenge

export type SignInUsernameUser = {
readonly user: User
}

export type SignUpEmailInput = {
readonly email: string
readonly password: string
readonly name?: string
/** A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret. */
readonly flow?: string
}

export type SignUpEmailPayload = {
readonly user: User
}

export type SignUpInvitation = {
readonly id: string
readonly email: string
readonly created_at: string
readonly expires_at: string
}

export type SignedOut = {
readonly redirect: string | null
readonly frames: ReadonlyArray<string>
}

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

export type SiweNoncePayload = {
readonly nonce: string
readonly chain_id: number
}

export type SiweVerifyInput = {
readonly message: string
readonly signature?: string
}

export type SiweVerifyPayload = SiweVerifyUser | TwoFactorChallenge

export type SiweVerifyUser = {
readonly user: User
readonly address: string
}

export type StepUpInput = {
readonly password?: string
readonly otp?: string
readonly code?: string
readonly backup_code?: string
readonly email_code?: StepUpInputEmailCode
readonly sms_code?: StepUpInputSmsCode
readonly passkey?: AuthenticationResponseJSON
}

export type StepUpInputEmailCode = {
readonly password: string
readonly code: string
}

export type StepUpInputSmsCode = {
readonly password: string
readonly code: string
}

export type Success = {
readonly success: true
}

export type Team = {
readonly id: string
readonly organization_id: string
readonly name: string
readonly created_at: string
}

export type TokenPayload = {
readonly token: string
readonly expires_in: number
}

export type TokenVerifyClaims = {
readonly sub: string
readonly email: string
readonly email_verified: boolean
readonly iss: string
readonly aud: string | ReadonlyArray<string>
readonly iat: number
readonly exp: number
readonly act?: TokenVerifyClaimsAct
}

export type TokenVerifyClaimsAct = {
readonly sub: string
}

export type TokenVerifyInput = {
readonly token: string
}

export type TokenVerifyPayload = {
readonly valid: true
readonly user_id: string
readonly claims: TokenVerifyClaims
}

export type Total = {
readonly count: number
/** Whether there can be more. */
readonly capped: boolean
/** When all of a large number were last counted, which happens once an hour. Absent: just now. */
readonly as_of?: string
}

export type TwoFactorBrowsersListPayload = {
readonly browsers: ReadonlyArray<RememberedBrowser>
}

export type TwoFactorBrowsersRevokeInput = {
readonly browser_id: string
}

export type TwoFactorBrowsersRevokePayload = {
readonly success: boolean
}

export type TwoFactorChallenge = {
readonly two_factor_required: true
readonly methods: ReadonlyArray<TwoFactorMethod>
readonly code_recipients?: TwoFactorChallengeCodeRecipients
/** For how many days the answer can have the browser remembered; absent if it cannot. */
readonly remember_browser_days?: number
readonly challenge_token: string
readonly expires_in: number
}

export type TwoFactorChallengeCodeRecipients = {
readonly email?: string
readonly sms?: string
}

export type TwoFactorCodesDisableInput = {
readonly method: TwoFactorSentMethod
readonly password?: string
}

export type TwoFactorCodesDisablePayload = {
readonly success: boolean
}

export type TwoFactorCodesEnableInput = {
readonly method: TwoFactorSentMethod
readonly code: string
readonly password?: string
}

export type TwoFactorCodesSendInput = {
readonly method: TwoFactorSentMethod
readonly challenge_token?: string
}

export type TwoFactorCodesStatusMethodsItem = {
readonly method: TwoFactorSentMethod
readonly enabled: boolean
/** Where codes go, mostly masked; null without a verified address or number. */
readonly recipient: string | null
}

export type TwoFactorCodesStatusPayload = {
readonly methods: ReadonlyArray<TwoFactorCodesStatusMethodsItem>
}

export type TwoFactorMethod = "totp" | "backup_code" | "email" | "sms"

export type TwoFactorSentMethod = "email" | "sms"

export type TwoFactorTotpBackupCodesInput = {
readonly password?: string
readonly code?: string
}

export type TwoFactorTotpBackupCodesPayload = {
readonly backup_codes: ReadonlyArray<string>
}

export type TwoFactorTotpChallengeInput = {
readonly challenge_token: string
readonly code?: string
readonly backup_code?: string
/** A code of `POST /2fa/codes/send`. */
readonly email_code?: string
/** A code of `POST /2fa/codes/send`. */
readonly sms_code?: string
/** Whether later sign-ins in this browser need no second factor; without effect unless the service offers it. */
readonly remember_browser?: boolean
}

export type TwoFactorTotpChallengePayload = {
readonly user: User
}

export type TwoFactorTotpConfirmInput = {
readonly code: string
}

export type TwoFactorTotpDisableInput = {
readonly password?: string
readonly code?: string
}

export type TwoFactorTotpEnableInput = {
readonly password?: string
}

export type TwoFactorTotpEnablePayload = {
readonly secret: string
readonly totp_uri: string
readonly backup_codes: ReadonlyArray<string>
}

export type TwoFactorTotpEnrolConfirmInput = {
readonly challenge_token: string
readonly code: string
}

export type TwoFactorTotpEnrolConfirmPayload = {
readonly user: User
}

export type TwoFactorTotpEnrolInput = {
readonly challenge_token: string
}

export type TwoFactorTotpEnrolPayload = {
readonly secret: string
readonly totp_uri: string
readonly backup_codes: ReadonlyArray<string>
}

export type TwoFactorTotpStatusPayload = {
readonly enabled: boolean
readonly backup_codes_remaining: number
}

export type UnlinkAccountInput = {
readonly provider_id: string
}

export type UpdateUserInput = {
/** Null removes it. */
readonly name?: string | null
/** An http or https URL, or a path of the service's origin; null or the empty text removes it. */
readonly image?: string | null
/** A BCP 47 tag; null removes it. */
readonly locale?: string | null
}

export type UpdateUserPayload = {
readonly user: User
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
readonly locale?: string
readonly is_guest?: boolean
readonly created_at: string
readonly updated_at: string
}

export type UserDetails = {
readonly user_id: string
/** The kinds of the linked accounts, such as `credential` for a password, of the 5 oldest. */
readonly ways_in: ReadonlyArray<string>
readonly second_factor: boolean
/** The last use of the newest sessions; null if none is left. Only for callers with `sessions:read`. */
readonly last_seen_at?: string | null
}

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
readonly banned?: boolean | "true" | "false"
readonly email_verified?: boolean | "true" | "false"
/** With `value`: the users with this value of an attribute that is `indexed`. */
readonly attribute?: string
/** A text, or a number or a boolean as in JSON. */
readonly value?: string
readonly created_from?: string
readonly created_before?: string
}

export type UserOrder = "newest" | "oldest" | "email"

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
readonly address?: UserinfoClaimsAddress
readonly phone_number?: string
readonly phone_number_verified?: boolean
readonly updated_at?: number
readonly org_id?: string
readonly org_name?: string
readonly org_role?: string
readonly org_attributes?: Readonly<Record<string, unknown>>
}

export type UserinfoClaimsAddress = {
readonly formatted?: string
readonly street_address?: string
readonly locality?: string
readonly region?: string
readonly postal_code?: string
readonly country?: string
}

export type UsernameAvailablePayload = {
readonly available: boolean
}

export type UsernameSetInput = {
readonly username: string
}

export type UsernameSetPayload = {
readonly username: string
}

export type UsernameShowPayload = {
readonly username: string | null
}

export type VerifyEmailCodeInput = {
readonly email: string
readonly flow: string
readonly code: string
}

export type VerifyEmailInput = {
readonly token: string
}

export type VerifyEmailShowInput = {
readonly token: string
}

export type VerifyEmailShowPayload = {
readonly email: string
}

export type Webhook = {
readonly id: string
readonly url: string
readonly types: ReadonlyArray<string>
readonly configured: boolean
readonly failing_since: string | null
readonly disabled_at: string | null
}

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

export type WellKnownOpenidConfigurationPayload = {
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
}

export type WellKnownWebauthnPayload = {
readonly origins: ReadonlyArray<string>
}

/** All operations, by the segments of their paths. */
export interface Operations { readonly signOut: OptionalOperation<NoInput, Success, never>; readonly getSession: OptionalOperation<{
readonly extend?: boolean
}, GetSessionPayload, "invalid_request">; readonly listSessions: OptionalOperation<NoInput, ListSessionsPayload, "unauthorized">; readonly revokeSession: Operation<RevokeSessionInput, RevokeSessionPayload, "invalid_request" | "unauthorized" | "impersonation_refused">; readonly revokeSessions: OptionalOperation<NoInput, RevokeSessionsPayload, "unauthorized" | "impersonation_refused">; readonly revokeOtherSessions: OptionalOperation<NoInput, RevokeOtherSessionsPayload, "unauthorized" | "impersonation_refused">; readonly reportSignIn: Operation<ReportSignInInput, ReportSignInPayload, "invalid_request" | "invalid_token" | "impersonation_refused"> & { readonly show: Operation<ReportSignInShowInput, ReportSignInShowPayload, "invalid_request" | "invalid_token" | "impersonation_refused"> }; readonly signUp: { readonly email: Operation<SignUpEmailInput, SignUpEmailPayload, "invalid_request" | "password_too_long" | "password_too_short" | "banned" | "email_not_verified" | "email_password_disabled" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "address_not_allowed" | "user_already_exists"> }; readonly signIn: { readonly email: Operation<SignInEmailInput, SignInEmailPayload, "invalid_request" | "invalid_credentials" | "banned" | "email_not_verified" | "email_password_disabled" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly social: Operation<SignInSocialInput, SignInSocialPayload, "invalid_request" | "unknown_provider" | "impersonation_refused" | "oauth_token_error">; readonly idToken: Operation<SignInIdTokenInput, SignInIdTokenPayload, "invalid_request" | "invalid_token" | "unknown_provider" | "invalid_nonce" | "banned" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "address_not_allowed" | "oauth_token_error"> & { readonly nonce: OptionalOperation<NoInput, SignInIdTokenNoncePayload, "impersonation_refused"> }; readonly phone: Operation<SignInPhoneInput, SignInPhonePayload, "invalid_otp" | "invalid_request" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly emailOtp: Operation<SignInEmailOtpInput, SignInEmailOtpPayload, "invalid_otp" | "invalid_request" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly username: Operation<SignInUsernameInput, SignInUsernamePayload, "invalid_request" | "invalid_credentials" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly guest: OptionalOperation<NoInput, SignInGuestPayload, "banned" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "address_not_allowed"> }; readonly changePassword: Operation<ChangePasswordInput, Success, "invalid_request" | "no_credential" | "password_too_long" | "password_too_short" | "invalid_credentials" | "unauthorized" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly requestPasswordReset: Operation<RequestPasswordResetInput, Success, "invalid_request" | "email_password_disabled" | "impersonation_refused">; readonly resetPassword: Operation<ResetPasswordInput, Success, "invalid_request" | "invalid_token" | "password_too_long" | "password_too_short" | "impersonation_refused"> & { readonly show: Operation<ResetPasswordShowInput, ResetPasswordShowPayload, "invalid_request" | "invalid_token" | "impersonation_refused"> }; readonly sendVerificationEmail: Operation<SendVerificationEmailInput, Success, "invalid_request" | "impersonation_refused">; readonly verifyEmail: Operation<VerifyEmailInput, Success, "invalid_request" | "invalid_token" | "impersonation_refused" | "email_taken"> & { readonly show: Operation<VerifyEmailShowInput, VerifyEmailShowPayload, "invalid_request" | "invalid_token" | "impersonation_refused">; readonly code: Operation<VerifyEmailCodeInput, Success, "invalid_otp" | "invalid_request" | "impersonation_refused"> }; readonly changeEmail: Operation<ChangeEmailInput, ChangeEmailPayload, "invalid_request" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh" | "email_taken" | "address_not_allowed">; readonly updateUser: OptionalOperation<UpdateUserInput, UpdateUserPayload, "invalid_request" | "unauthorized" | "impersonation_refused">; readonly deleteUser: OptionalOperation<DeleteUserInput, Success, "invalid_request" | "last_administrator" | "sole_owner" | "invalid_credentials" | "unauthorized" | "impersonation_refused" | "session_not_fresh">; readonly listAccounts: OptionalOperation<NoInput, ListAccountsPayload, "unauthorized">; readonly unlinkAccount: Operation<UnlinkAccountInput, Success, "invalid_request" | "last_account" | "unauthorized" | "impersonation_refused" | "session_not_fresh" | "account_not_found">; readonly stepUp: OptionalOperation<StepUpInput, Success, "invalid_otp" | "invalid_request" | "invalid_credentials" | "invalid_passkey" | "unauthorized" | "impersonation_refused">; readonly linkSocial: Operation<LinkSocialInput, LinkSocialPayload, "invalid_request" | "unknown_provider" | "unauthorized" | "impersonation_refused" | "session_not_fresh" | "oauth_token_error">; readonly oauth: { readonly callback: Operation<{
readonly state: string
readonly code?: string
readonly iss?: string
readonly response?: string
readonly error?: string
}, OauthCallbackPayload, "invalid_request" | "invalid_state" | "banned" | "email_not_verified" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "account_linked" | "email_taken" | "address_not_allowed" | "oauth_token_error" | "oauth_userinfo_error"> }; readonly accounts: { readonly accessToken: Operation<{
readonly id: string
}, AccountsAccessTokenPayload, "invalid_request" | "unauthorized" | "impersonation_refused" | "account_not_found" | "no_provider_token" | "oauth_token_error"> }; readonly phone: { readonly sendOtp: Operation<PhoneSendOtpInput, Success, "invalid_request" | "impersonation_refused">; readonly verify: Operation<PhoneVerifyInput, Success, "invalid_otp" | "invalid_request" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh" | "phone_taken">; readonly upgradeGuest: Operation<PhoneUpgradeGuestInput, PhoneUpgradeGuestPayload, "invalid_otp" | "invalid_request" | "unauthorized" | "banned" | "forbidden" | "impersonation_refused" | "second_factor_unavailable" | "suspended" | "phone_taken" | "address_not_allowed"> }; readonly admin: { readonly users: { readonly setPhone: Operation<AdminUsersSetPhoneInput, Success, "invalid_request" | "unauthorized" | "email_not_verified" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "phone_taken">; readonly setUsername: Operation<AdminUsersSetUsernameInput, Success, "invalid_request" | "invalid_username" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "username_taken">; readonly consents: Operation<{
readonly user_id: string
}, AdminUsersConsentsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly revokeConsent: Operation<AdminUsersRevokeConsentInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly show: OptionalOperation<{
readonly user_id?: string
readonly email?: string
}, AdminUsersShowPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly update: Operation<AdminUsersUpdateInput, AdminUsersUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found" | "version_mismatch" | "version_required">; readonly list: OptionalOperation<{
readonly search?: string
readonly user_id?: string
readonly email?: string
readonly email_prefix?: string
readonly name_prefix?: string
readonly provider_id?: string
readonly account_id?: string
readonly role?: string
readonly organization_id?: string
readonly banned?: boolean
readonly email_verified?: boolean
readonly attribute?: string
readonly value?: string
readonly created_from?: string
readonly created_before?: string
readonly order?: UserOrder
readonly limit?: number
readonly cursor?: string
readonly details?: boolean
readonly total?: boolean
}, AdminUsersListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "index_building">; readonly create: Operation<AdminUsersCreateInput, AdminUsersCreatePayload, "invalid_request" | "password_too_long" | "password_too_short" | "unauthorized" | "forbidden" | "impersonation_refused" | "address_not_allowed" | "idempotency_key_reused" | "user_already_exists">; readonly setEmail: Operation<AdminUsersSetEmailInput, AdminUsersSetEmailPayload, "invalid_request" | "unauthorized" | "email_not_verified" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "email_taken" | "version_mismatch" | "address_not_allowed" | "version_required">; readonly setPassword: Operation<AdminUsersSetPasswordInput, AdminUsersSetPasswordPayload, "invalid_request" | "password_too_long" | "password_too_short" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly verifyEmail: Operation<AdminUsersVerifyEmailInput, AdminUsersVerifyEmailPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly sendReset: Operation<AdminUsersSendResetInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly sendVerification: Operation<AdminUsersSendVerificationInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly credentials: Operation<{
readonly user_id: string
}, AdminUsersCredentialsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly sessions: Operation<{
readonly user_id: string
}, AdminUsersSessionsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly revokeSession: Operation<AdminUsersRevokeSessionInput, AdminUsersRevokeSessionPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly memberships: Operation<{
readonly user_id: string
readonly limit?: number
readonly cursor?: string
}, AdminUsersMembershipsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly suspend: Operation<AdminUsersSuspendInput, AdminUsersSuspendPayload, "invalid_request" | "last_administrator" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly resume: Operation<AdminUsersResumeInput, AdminUsersResumePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly require: Operation<AdminUsersRequireInput, AdminUsersRequirePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly removeCredential: Operation<AdminUsersRemoveCredentialInput, AdminUsersRemoveCredentialPayload, "invalid_request" | "last_account" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "account_not_found" | "user_not_found" | "version_mismatch" | "version_required">; readonly resetFactors: Operation<AdminUsersResetFactorsInput, AdminUsersResetFactorsPayload, "invalid_request" | "last_account" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "version_mismatch" | "version_required">; readonly export: Operation<AdminUsersExportInput, AdminUsersExportPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly erase: Operation<AdminUsersEraseInput, AdminUsersErasePayload, "invalid_request" | "last_administrator" | "sole_owner" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly cancelErasure: Operation<AdminUsersCancelErasureInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly merge: Operation<AdminUsersMergeInput, AdminUsersMergePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "too_many" | "version_mismatch" | "version_required"> }; readonly clients: { readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, AdminClientsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly show: Operation<{
readonly client_id: string
}, AdminClientsShowPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "client_not_found">; readonly create: OptionalOperation<AdminClientsCreateInput, AdminClientsCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "idempotency_key_reused">; readonly update: Operation<AdminClientsUpdateInput, AdminClientsUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "client_not_found">; readonly rotateSecret: Operation<AdminClientsRotateSecretInput, AdminClientsRotateSecretPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "client_not_found" | "idempotency_key_reused">; readonly delete: Operation<AdminClientsDeleteInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "client_not_found">; readonly agents: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, AdminClientsAgentsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly block: Operation<AdminClientsBlockInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "client_not_found">; readonly unblock: Operation<AdminClientsUnblockInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "client_not_found"> }; readonly setRole: Operation<AdminSetRoleInput, Success, "invalid_request" | "last_administrator" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly banUser: Operation<AdminBanUserInput, Success, "invalid_request" | "last_administrator" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly unbanUser: Operation<AdminUnbanUserInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly listUsers: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
readonly search?: string
}, AdminListUsersPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly createUser: Operation<AdminCreateUserInput, AdminCreateUserPayload, "invalid_request" | "password_too_long" | "password_too_short" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "address_not_allowed" | "idempotency_key_reused" | "user_already_exists">; readonly removeUser: Operation<AdminRemoveUserInput, Success, "invalid_request" | "last_administrator" | "sole_owner" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found">; readonly revokeUserSessions: Operation<AdminRevokeUserSessionsInput, AdminRevokeUserSessionsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly me: OptionalOperation<NoInput, AdminMePayload, "unauthorized" | "forbidden" | "impersonation_refused">; readonly roles: { readonly list: OptionalOperation<{
readonly configured?: boolean
}, AdminRolesListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly assign: Operation<AdminRolesAssignInput, AdminRolesAssignPayload, "invalid_request" | "last_administrator" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found" | "too_many">; readonly withdraw: Operation<AdminRolesWithdrawInput, Success, "invalid_request" | "last_administrator" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found"> }; readonly serviceAccounts: { readonly create: Operation<AdminServiceAccountsCreateInput, AdminServiceAccountsCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "too_many" | "idempotency_key_reused">; readonly update: Operation<AdminServiceAccountsUpdateInput, AdminServiceAccountsUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "service_account_not_found">; readonly delete: Operation<AdminServiceAccountsDeleteInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "service_account_not_found">; readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, AdminServiceAccountsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly show: Operation<{
readonly service_account_id: string
}, AdminServiceAccountsShowPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "service_account_not_found"> }; readonly search: Operation<{
readonly q: string
}, AdminSearchPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly invitations: { readonly create: Operation<AdminInvitationsCreateInput, AdminInvitationsCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "address_not_allowed" | "user_already_exists">; readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, AdminInvitationsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly cancel: Operation<AdminInvitationsCancelInput, Success, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly resend: Operation<AdminInvitationsResendInput, AdminInvitationsResendPayload, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused"> }; readonly jobs: { readonly create: Operation<AdminJobsCreateInput, AdminJobsCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "index_building" | "too_many" | "idempotency_key_reused">; readonly list: OptionalOperation<{
readonly state?: JobState
readonly limit?: number
readonly cursor?: string
}, AdminJobsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly show: Operation<{
readonly job_id: string
}, AdminJobsShowPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "job_not_found">; readonly cancel: Operation<AdminJobsCancelInput, AdminJobsCancelPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "job_not_found"> }; readonly outbox: { readonly list: OptionalOperation<{
readonly state?: OutboxState
readonly limit?: number
readonly cursor?: string
}, AdminOutboxListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly retry: Operation<AdminOutboxRetryInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "message_not_found">; readonly discard: Operation<AdminOutboxDiscardInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "message_not_found"> }; readonly keys: { readonly list: OptionalOperation<NoInput, AdminKeysListPayload, "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh">; readonly rotate: OptionalOperation<AdminKeysRotateInput, AdminKeysRotatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "idempotency_key_reused">; readonly secrets: OptionalOperation<NoInput, AdminKeysSecretsPayload, "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh"> }; readonly health: OptionalOperation<NoInput, AdminHealthPayload, "unauthorized" | "forbidden" | "impersonation_refused">; readonly settings: OptionalOperation<NoInput, AdminSettingsPayload, "unauthorized" | "forbidden" | "impersonation_refused">; readonly organizations: { readonly list: OptionalOperation<{
readonly name_prefix?: string
readonly slug?: string
readonly limit?: number
readonly cursor?: string
readonly total?: boolean
}, AdminOrganizationsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly show: Operation<{
readonly organization_id: string
}, AdminOrganizationsShowPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found">; readonly members: Operation<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, AdminOrganizationsMembersPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found">; readonly invitations: Operation<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, AdminOrganizationsInvitationsPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found">; readonly create: Operation<AdminOrganizationsCreateInput, AdminOrganizationsCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found" | "slug_taken" | "idempotency_key_reused">; readonly update: Operation<AdminOrganizationsUpdateInput, AdminOrganizationsUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found" | "slug_taken" | "version_mismatch" | "version_required">; readonly delete: Operation<AdminOrganizationsDeleteInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "organization_not_found">; readonly addMember: Operation<AdminOrganizationsAddMemberInput, AdminOrganizationsAddMemberPayload, "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found" | "user_not_found">; readonly setMemberRole: Operation<AdminOrganizationsSetMemberRoleInput, AdminOrganizationsSetMemberRolePayload, "invalid_request" | "invalid_role" | "sole_owner" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member" | "organization_not_found" | "user_not_found" | "version_mismatch" | "version_required">; readonly updateMember: Operation<AdminOrganizationsUpdateMemberInput, AdminOrganizationsUpdateMemberPayload, "invalid_request" | "invalid_role" | "sole_owner" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member" | "organization_not_found" | "user_not_found" | "version_mismatch" | "version_required">; readonly removeMember: Operation<AdminOrganizationsRemoveMemberInput, Success, "invalid_request" | "sole_owner" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member" | "organization_not_found" | "user_not_found">; readonly manageUser: Operation<AdminOrganizationsManageUserInput, AdminOrganizationsManageUserPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member" | "organization_not_found" | "user_not_found">; readonly releaseUser: Operation<AdminOrganizationsReleaseUserInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "user_not_found">; readonly invite: Operation<AdminOrganizationsInviteInput, AdminOrganizationsInvitePayload, "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found">; readonly resendInvitation: Operation<AdminOrganizationsResendInvitationInput, AdminOrganizationsResendInvitationPayload, "invalid_invitation" | "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found">; readonly cancelInvitation: Operation<AdminOrganizationsCancelInvitationInput, Success, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "organization_not_found"> }; readonly audit: { readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
readonly subject_id?: string
readonly actor_id?: string
readonly type?: "access.denied" | "access.read" | "api_key.created" | "api_key.reported" | "api_key.revoked" | "api_key.rotated" | "api_key.updated" | "audit.exported" | "audit.sealed" | "client.blocked" | "client.created" | "client.deleted" | "client.discovered" | "client.document_changed" | "client.unblocked" | "client.updated" | "credential.added" | "credential.changed" | "credential.removed" | "guest.merged" | "impersonation.ended" | "impersonation.started" | "invitation.accepted" | "invitation.cancelled" | "invitation.created" | "invitation.rejected" | "invitation.resent" | "job.created" | "job.finished" | "limit.reached" | "organization.created" | "organization.deleted" | "organization.member_added" | "organization.member_removed" | "organization.member_role_changed" | "organization.updated" | "organization.user_managed" | "organization.user_released" | "outbox.discarded" | "outbox.retried" | "recovery.completed" | "recovery.requested" | "registration.invitation_cancelled" | "registration.invited" | "registration.refused" | "role.assigned" | "role.withdrawn" | "secret.rotated" | "service_account.created" | "service_account.deleted" | "service_account.updated" | "session.opened" | "session.revoked" | "session.stepped_up" | "sign_in.challenged" | "sign_in.failed" | "sign_in.locked" | "sign_in.reported" | "sign_in.succeeded" | "team.created" | "team.deleted" | "team.member_added" | "team.member_removed" | "team.updated" | "token.exchanged" | "token.reused" | "token.revoked" | "user.action_required" | "user.banned" | "user.created" | "user.deleted" | "user.email_changed" | "user.email_verified" | "user.erased" | "user.erasure_cancelled" | "user.erasure_scheduled" | "user.exported" | "user.merged" | "user.private_read" | "user.resumed" | "user.role_changed" | "user.suspended" | "user.unbanned" | "user.updated" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.tested" | "webhook.updated"
readonly since?: string
readonly until?: string
readonly organization_id?: string
}, AdminAuditListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly export: Operation<AdminAuditExportInput, AdminAuditExportPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh"> }; readonly webhooks: { readonly create: Operation<AdminWebhooksCreateInput, AdminWebhooksCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "idempotency_key_reused">; readonly list: OptionalOperation<NoInput, AdminWebhooksListPayload, "unauthorized" | "forbidden" | "impersonation_refused">; readonly update: Operation<AdminWebhooksUpdateInput, AdminWebhooksUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found">; readonly rotateSecret: Operation<AdminWebhooksRotateSecretInput, AdminWebhooksRotateSecretPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found" | "idempotency_key_reused">; readonly delete: Operation<AdminWebhooksDeleteInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found">; readonly deliveries: Operation<{
readonly webhook_id: string
readonly state?: DeliveryState
readonly limit?: number
readonly cursor?: string
}, AdminWebhooksDeliveriesPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found">; readonly replay: Operation<AdminWebhooksReplayInput, AdminWebhooksReplayPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found">; readonly enable: Operation<AdminWebhooksEnableInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found">; readonly test: Operation<AdminWebhooksTestInput, AdminWebhooksTestPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "webhook_not_found"> }; readonly apiKeys: { readonly create: Operation<AdminApiKeysCreateInput, AdminApiKeysCreatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "api_key_not_found" | "too_many_api_keys" | "idempotency_key_reused">; readonly rotate: Operation<AdminApiKeysRotateInput, AdminApiKeysRotatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "api_key_not_found" | "idempotency_key_reused">; readonly revoke: Operation<AdminApiKeysRevokeInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "api_key_not_found">; readonly list: OptionalOperation<{
readonly owner_kind?: ApiKeyOwnerKind
readonly owner_id?: string
readonly limit?: number
readonly cursor?: string
}, AdminApiKeysListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused"> }; readonly impersonate: { readonly start: Operation<AdminImpersonateStartInput, AdminImpersonateStartPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "user_not_found"> }; readonly impersonations: { readonly list: OptionalOperation<{
readonly state?: ImpersonationState
readonly limit?: number
readonly cursor?: string
}, AdminImpersonationsListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly end: Operation<AdminImpersonationsEndInput, AdminImpersonationsEndPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused"> }; readonly figures: Operation<{
readonly from: string
readonly to?: string
readonly step: FigureStep
}, AdminFiguresPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused"> }; readonly emailOtp: { readonly send: Operation<EmailOtpSendInput, Success, "invalid_request" | "impersonation_refused"> }; readonly magicLink: { readonly send: Operation<MagicLinkSendInput, Success, "invalid_request" | "impersonation_refused">; readonly sendToGuest: Operation<MagicLinkSendToGuestInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "address_not_allowed">; readonly show: Operation<MagicLinkShowInput, MagicLinkShowPayload, "invalid_request" | "invalid_token" | "impersonation_refused">; readonly verify: Operation<MagicLinkVerifyInput, MagicLinkVerifyPayload, "invalid_request" | "invalid_token" | "banned" | "forbidden" | "impersonation_refused" | "second_factor_unavailable" | "suspended" | "email_taken" | "address_not_allowed">; readonly verifyCode: Operation<MagicLinkVerifyCodeInput, MagicLinkVerifyCodePayload, "invalid_otp" | "invalid_request" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> }; readonly username: { readonly set: Operation<UsernameSetInput, UsernameSetPayload, "invalid_request" | "invalid_username" | "unauthorized" | "impersonation_refused" | "username_taken">; readonly show: OptionalOperation<NoInput, UsernameShowPayload, "unauthorized">; readonly available: Operation<{
readonly username: string
}, UsernameAvailablePayload, "invalid_request" | "impersonation_refused"> }; readonly oneTimeToken: { readonly generate: OptionalOperation<NoInput, OneTimeTokenGeneratePayload, "unauthorized" | "impersonation_refused">; readonly verify: Operation<OneTimeTokenVerifyInput, OneTimeTokenVerifyPayload, "invalid_token" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> }; readonly multiSession: { readonly list: OptionalOperation<NoInput, MultiSessionListPayload, "impersonation_refused">; readonly setActive: Operation<MultiSessionSetActiveInput, MultiSessionSetActivePayload, "banned" | "impersonation_refused" | "suspended" | "session_not_found">; readonly revoke: Operation<MultiSessionRevokeInput, Success, "impersonation_refused" | "session_not_found"> }; readonly native: { readonly request: Operation<{
readonly redirect_uri: string
readonly state?: string
readonly code_challenge: string
readonly code_challenge_method: "S256"
}, NativeRequestPayload, "invalid_request" | "impersonation_refused">; readonly exchange: Operation<NativeExchangeInput, NativeExchangePayload, "invalid_token" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> }; readonly token: OptionalOperation<NoInput, TokenPayload, "unauthorized" | "impersonation_refused"> & { readonly verify: Operation<TokenVerifyInput, TokenVerifyPayload, "invalid_token" | "impersonation_refused"> }; readonly oauth2: { readonly consent: Operation<{
readonly request_uri: string
}, ConsentRequest, "invalid_request" | "invalid_state" | "unauthorized" | "impersonation_refused">; readonly organizations: Operation<{
readonly request_uri: string
}, OrganizationRequest, "invalid_request" | "invalid_state" | "unauthorized" | "impersonation_refused">; readonly grants: OptionalOperation<NoInput, Oauth2GrantsPayload, "unauthorized" | "impersonation_refused"> & { readonly revoke: Operation<Oauth2GrantsRevokeInput, Success, "invalid_request" | "unauthorized" | "impersonation_refused"> }; readonly profile: OptionalOperation<NoInput, Oauth2ProfilePayload, "unauthorized" | "impersonation_refused"> & { readonly update: OptionalOperation<Oauth2ProfileUpdateInput, Oauth2ProfileUpdatePayload, "invalid_request" | "unauthorized" | "impersonation_refused"> }; readonly logout: OptionalOperation<{
readonly id_token_hint?: string | ReadonlyArray<string>
readonly logout_hint?: string | ReadonlyArray<string>
readonly client_id?: string | ReadonlyArray<string>
readonly post_logout_redirect_uri?: string | ReadonlyArray<string>
readonly state?: string | ReadonlyArray<string>
readonly ui_locales?: string | ReadonlyArray<string>
readonly logout_request?: string | ReadonlyArray<string>
}, SignedOut, "invalid_redirect_uri" | "invalid_request" | "invalid_state" | "forbidden"> & { readonly confirm: OptionalOperation<Oauth2LogoutConfirmInput, SignedOut, "invalid_request"> }; readonly device: Operation<Oauth2DeviceInput, DeviceRequest, "invalid_otp" | "invalid_request" | "unauthorized" | "impersonation_refused"> & { readonly allow: Operation<Oauth2DeviceAllowInput, Success, "invalid_otp" | "invalid_request" | "unauthorized" | "impersonation_refused">; readonly deny: Operation<Oauth2DeviceDenyInput, Success, "invalid_otp" | "invalid_request" | "unauthorized" | "impersonation_refused"> }; readonly userinfo: OptionalOperation<NoInput, UserinfoClaims, "invalid_request" | "invalid_dpop_proof" | "invalid_token" | "unauthorized" | "use_dpop_nonce">; readonly jwks: OptionalOperation<NoInput, Oauth2JwksPayload, never>; readonly rotateKeys: OptionalOperation<Oauth2RotateKeysInput, Oauth2RotateKeysPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh"> }; readonly ".wellKnown": { readonly openidConfiguration: OptionalOperation<NoInput, WellKnownOpenidConfigurationPayload, never>; readonly webauthn: OptionalOperation<NoInput, WellKnownWebauthnPayload, never> }; readonly requiredActions: { readonly changePassword: Operation<RequiredActionsChangePasswordInput, RequiredActionsChangePasswordPayload, "invalid_request" | "invalid_token" | "password_too_long" | "password_too_short" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> }; readonly account: { readonly export: OptionalOperation<NoInput, AccountExportPayload, "unauthorized" | "impersonation_refused" | "session_not_fresh"> & { readonly download: Operation<{
readonly token: string
readonly part?: number
}, AccountExportDownloadPayload, "invalid_request" | "invalid_token" | "impersonation_refused"> } }; readonly organization: { readonly create: Operation<OrganizationCreateInput, OrganizationCreatePayload, "invalid_request" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "slug_taken">; readonly update: Operation<OrganizationUpdateInput, OrganizationUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "slug_taken">; readonly delete: Operation<OrganizationDeleteInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, OrganizationListPayload, "invalid_request" | "unauthorized">; readonly getFull: OptionalOperation<{
readonly organization_id?: string
}, OrganizationGetFullPayload, "invalid_request" | "unauthorized" | "forbidden">; readonly setActive: Operation<OrganizationSetActiveInput, OrganizationSetActivePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly getActive: OptionalOperation<NoInput, OrganizationGetActivePayload, "unauthorized">; readonly listMembers: Operation<{
readonly organization_id: string
readonly details?: boolean
readonly limit?: number
readonly cursor?: string
}, OrganizationListMembersPayload, "invalid_request" | "unauthorized" | "forbidden">; readonly removeMember: Operation<OrganizationRemoveMemberInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member">; readonly updateRole: Operation<OrganizationUpdateRoleInput, Success, "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member">; readonly updateMember: Operation<OrganizationUpdateMemberInput, OrganizationUpdateMemberPayload, "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused" | "not_a_member">; readonly leave: Operation<OrganizationLeaveInput, Success, "invalid_request" | "sole_owner" | "unauthorized" | "impersonation_refused" | "not_a_member">; readonly hasPermission: Operation<OrganizationHasPermissionInput, OrganizationHasPermissionPayload, "invalid_request" | "unauthorized">; readonly invite: Operation<OrganizationInviteInput, OrganizationInvitePayload, "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly acceptInvitation: Operation<OrganizationAcceptInvitationInput, OrganizationAcceptInvitationPayload, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused"> & { readonly signUp: Operation<OrganizationAcceptInvitationSignUpInput, OrganizationAcceptInvitationSignUpPayload, "invalid_invitation" | "invalid_request" | "password_too_long" | "password_too_short" | "banned" | "email_password_disabled" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "address_not_allowed" | "user_already_exists"> }; readonly rejectInvitation: Operation<OrganizationRejectInvitationInput, Success, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly cancelInvitation: Operation<OrganizationCancelInvitationInput, Success, "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly listInvitations: Operation<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, OrganizationListInvitationsPayload, "invalid_request" | "unauthorized" | "forbidden">; readonly showInvitation: Operation<OrganizationShowInvitationInput, OrganizationShowInvitationPayload, "invalid_invitation" | "invalid_request" | "impersonation_refused">; readonly createTeam: Operation<OrganizationCreateTeamInput, OrganizationCreateTeamPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly listTeams: Operation<{
readonly organization_id: string
readonly limit?: number
readonly cursor?: string
}, OrganizationListTeamsPayload, "invalid_request" | "unauthorized" | "forbidden">; readonly updateTeam: Operation<OrganizationUpdateTeamInput, OrganizationUpdateTeamPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "team_not_found">; readonly removeTeam: Operation<OrganizationRemoveTeamInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "team_not_found">; readonly addTeamMember: Operation<OrganizationAddTeamMemberInput, Success, "invalid_request" | "not_a_member" | "unauthorized" | "forbidden" | "impersonation_refused" | "team_not_found">; readonly removeTeamMember: Operation<OrganizationRemoveTeamMemberInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "team_not_found">; readonly listTeamMembers: Operation<{
readonly team_id: string
readonly limit?: number
readonly cursor?: string
}, OrganizationListTeamMembersPayload, "invalid_request" | "unauthorized" | "forbidden" | "team_not_found">; readonly audit: { readonly list: Operation<{
readonly limit?: number
readonly cursor?: string
readonly subject_id?: string
readonly actor_id?: string
readonly type?: "access.denied" | "access.read" | "api_key.created" | "api_key.reported" | "api_key.revoked" | "api_key.rotated" | "api_key.updated" | "audit.exported" | "audit.sealed" | "client.blocked" | "client.created" | "client.deleted" | "client.discovered" | "client.document_changed" | "client.unblocked" | "client.updated" | "credential.added" | "credential.changed" | "credential.removed" | "guest.merged" | "impersonation.ended" | "impersonation.started" | "invitation.accepted" | "invitation.cancelled" | "invitation.created" | "invitation.rejected" | "invitation.resent" | "job.created" | "job.finished" | "limit.reached" | "organization.created" | "organization.deleted" | "organization.member_added" | "organization.member_removed" | "organization.member_role_changed" | "organization.updated" | "organization.user_managed" | "organization.user_released" | "outbox.discarded" | "outbox.retried" | "recovery.completed" | "recovery.requested" | "registration.invitation_cancelled" | "registration.invited" | "registration.refused" | "role.assigned" | "role.withdrawn" | "secret.rotated" | "service_account.created" | "service_account.deleted" | "service_account.updated" | "session.opened" | "session.revoked" | "session.stepped_up" | "sign_in.challenged" | "sign_in.failed" | "sign_in.locked" | "sign_in.reported" | "sign_in.succeeded" | "team.created" | "team.deleted" | "team.member_added" | "team.member_removed" | "team.updated" | "token.exchanged" | "token.reused" | "token.revoked" | "user.action_required" | "user.banned" | "user.created" | "user.deleted" | "user.email_changed" | "user.email_verified" | "user.erased" | "user.erasure_cancelled" | "user.erasure_scheduled" | "user.exported" | "user.merged" | "user.private_read" | "user.resumed" | "user.role_changed" | "user.suspended" | "user.unbanned" | "user.updated" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.tested" | "webhook.updated"
readonly since?: string
readonly until?: string
readonly organization_id: string
}, OrganizationAuditListPayload, "invalid_request" | "unauthorized" | "forbidden"> } }; readonly siwe: { readonly nonce: OptionalOperation<NoInput, SiweNoncePayload, "impersonation_refused">; readonly verify: Operation<SiweVerifyInput, SiweVerifyPayload, "expired_message" | "invalid_message" | "invalid_nonce" | "invalid_signature" | "banned" | "impersonation_refused" | "registration_closed" | "second_factor_unavailable" | "suspended" | "address_not_allowed"> }; readonly "2fa": { readonly totp: { readonly challenge: Operation<TwoFactorTotpChallengeInput, TwoFactorTotpChallengePayload, "invalid_otp" | "invalid_request" | "invalid_token" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended">; readonly disable: OptionalOperation<TwoFactorTotpDisableInput, Success, "invalid_otp" | "invalid_request" | "two_factor_not_enabled" | "invalid_credentials" | "unauthorized" | "impersonation_refused" | "session_not_fresh">; readonly backupCodes: OptionalOperation<TwoFactorTotpBackupCodesInput, TwoFactorTotpBackupCodesPayload, "invalid_otp" | "invalid_request" | "two_factor_not_enabled" | "invalid_credentials" | "unauthorized" | "impersonation_refused" | "session_not_fresh">; readonly status: OptionalOperation<NoInput, TwoFactorTotpStatusPayload, "unauthorized">; readonly enable: OptionalOperation<TwoFactorTotpEnableInput, TwoFactorTotpEnablePayload, "invalid_request" | "invalid_credentials" | "unauthorized" | "impersonation_refused" | "session_not_fresh" | "two_factor_enabled">; readonly confirm: Operation<TwoFactorTotpConfirmInput, Success, "invalid_otp" | "invalid_request" | "two_factor_not_enabled" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh">; readonly enrol: Operation<TwoFactorTotpEnrolInput, TwoFactorTotpEnrolPayload, "invalid_request" | "invalid_token" | "banned" | "impersonation_refused" | "suspended"> & { readonly confirm: Operation<TwoFactorTotpEnrolConfirmInput, TwoFactorTotpEnrolConfirmPayload, "invalid_otp" | "invalid_request" | "invalid_token" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> } }; readonly codes: { readonly send: Operation<TwoFactorCodesSendInput, Success, "invalid_request" | "invalid_token" | "unauthorized" | "banned" | "impersonation_refused" | "suspended">; readonly enable: Operation<TwoFactorCodesEnableInput, Success, "invalid_otp" | "invalid_request" | "invalid_credentials" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh">; readonly disable: Operation<TwoFactorCodesDisableInput, TwoFactorCodesDisablePayload, "invalid_request" | "invalid_credentials" | "unauthorized" | "impersonation_refused" | "session_not_fresh">; readonly status: OptionalOperation<NoInput, TwoFactorCodesStatusPayload, "unauthorized"> }; readonly browsers: { readonly list: OptionalOperation<NoInput, TwoFactorBrowsersListPayload, "unauthorized">; readonly revoke: Operation<TwoFactorBrowsersRevokeInput, TwoFactorBrowsersRevokePayload, "invalid_request" | "unauthorized" | "impersonation_refused"> } }; readonly passkey: { readonly register: { readonly options: OptionalOperation<NoInput, PublicKeyCredentialCreationOptionsJSON, "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh">; readonly verify: Operation<PasskeyRegisterVerifyInput, PasskeyRegisterVerifyPayload, "invalid_passkey" | "invalid_request" | "unauthorized" | "email_not_verified" | "impersonation_refused" | "session_not_fresh" | "passkey_exists"> }; readonly authenticate: { readonly options: OptionalOperation<PasskeyAuthenticateOptionsInput, PublicKeyCredentialRequestOptionsJSON, "invalid_request" | "impersonation_refused">; readonly verify: Operation<PasskeyAuthenticateVerifyInput, PasskeyAuthenticateVerifyPayload, "invalid_request" | "invalid_passkey" | "banned" | "impersonation_refused" | "second_factor_unavailable" | "suspended"> }; readonly list: OptionalOperation<NoInput, PasskeyListPayload, "unauthorized">; readonly rename: Operation<PasskeyRenameInput, PasskeyRenamePayload, "invalid_request" | "unauthorized" | "impersonation_refused" | "session_not_fresh" | "passkey_not_found">; readonly delete: Operation<PasskeyDeleteInput, Success, "invalid_request" | "last_account" | "unauthorized" | "impersonation_refused" | "session_not_fresh" | "passkey_not_found"> }; readonly audit: { readonly list: OptionalOperation<{
readonly limit?: number
readonly cursor?: string
}, AuditListPayload, "invalid_request" | "unauthorized"> }; readonly apiKey: { readonly create: Operation<ApiKeyCreateInput, ApiKeyCreatePayload, "invalid_request" | "unauthorized" | "email_not_verified" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "too_many_api_keys">; readonly update: Operation<ApiKeyUpdateInput, ApiKeyUpdatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "api_key_not_found">; readonly rotate: Operation<ApiKeyRotateInput, ApiKeyRotatePayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "session_not_fresh" | "api_key_not_found">; readonly revoke: Operation<ApiKeyRevokeInput, Success, "invalid_request" | "unauthorized" | "impersonation_refused" | "api_key_not_found">; readonly list: OptionalOperation<{
readonly organization_id?: string
readonly limit?: number
readonly cursor?: string
}, ApiKeyListPayload, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly verify: Operation<ApiKeyVerifyInput, ApiKeyVerdict, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused">; readonly report: Operation<ApiKeyReportInput, Success, "invalid_request" | "impersonation_refused"> }; readonly impersonation: { readonly stop: OptionalOperation<NoInput, Success, "unauthorized"> }; readonly guest: { readonly sendCode: Operation<GuestSendCodeInput, Success, "invalid_request" | "unauthorized" | "forbidden" | "impersonation_refused" | "address_not_allowed">; readonly upgrade: Operation<GuestUpgradeInput, GuestUpgradePayload, "invalid_otp" | "invalid_request" | "unauthorized" | "banned" | "forbidden" | "impersonation_refused" | "second_factor_unavailable" | "suspended" | "email_taken" | "address_not_allowed">; readonly token: OptionalOperation<NoInput, GuestTokenPayload, "unauthorized" | "forbidden" | "impersonation_refused">; readonly merge: Operation<GuestMergeInput, Success, "invalid_request" | "invalid_token" | "unauthorized" | "email_not_verified" | "impersonation_refused"> } }

export const operations: OperationsOf<Operations> = { gets: ["/get-session","/list-sessions","/list-accounts","/oauth/callback","/accounts/access-token","/username/show","/username/available","/multi-session/list","/native/request","/token","/oauth2/consent","/oauth2/organizations","/oauth2/grants","/admin/users/consents","/oauth2/profile","/oauth2/logout","/oauth2/userinfo","/oauth2/jwks","/.well-known/openid-configuration","/admin/clients/list","/admin/clients/show","/admin/clients/agents","/admin/list-users","/admin/me","/admin/roles/list","/admin/service-accounts/list","/admin/service-accounts/show","/admin/users/show","/admin/users/list","/admin/search","/admin/users/credentials","/admin/users/sessions","/admin/users/memberships","/admin/invitations/list","/admin/jobs/list","/admin/jobs/show","/account/export/download","/admin/outbox/list","/admin/keys/list","/admin/keys/secrets","/admin/health","/admin/settings","/organization/list","/organization/get-full","/organization/get-active","/organization/list-members","/organization/list-invitations","/organization/list-teams","/organization/list-team-members","/admin/organizations/list","/admin/organizations/show","/admin/organizations/members","/admin/organizations/invitations","/siwe/nonce","/2fa/totp/status","/2fa/codes/status","/2fa/browsers/list","/passkey/list","/.well-known/webauthn","/audit/list","/admin/audit/list","/organization/audit/list","/admin/webhooks/list","/admin/webhooks/deliveries","/api-key/list","/admin/api-keys/list","/admin/impersonations/list","/admin/figures"] }

