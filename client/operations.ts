// Generated from the OpenAPI document; see CONTRIBUTING.md.

import type { NoInput, Operation, OptionalOperation } from "./http.ts"

export type AdminCreateUserPayload = {
  readonly user: AdministeredUser
}

export type AdminListUsersPayload = {
  readonly users: ReadonlyArray<AdministeredUser>
  readonly next_cursor: string | null
}

export type AdminRevokeUserSessionsPayload = {
  readonly revoked: number
}

export type AdministeredUser = {
  readonly id: string
  /** Lowercased. */
  readonly email: string
  readonly email_verified: boolean
  readonly name: string | null
  /** Avatar URL. */
  readonly image: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly role: string
  readonly banned: boolean
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

export type ChangeEmailPayload = ChangeEmailUser | ChangeEmailVerificationSent | Success

export type ChangeEmailUser = {
  readonly user: User
}

export type ChangeEmailVerificationSent = {
  readonly status: "verification_sent"
}

export type GetSessionPayload = {
  readonly session: Session | null
  readonly user: User | null
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

export type ListedMember = {
  readonly user_id: string
  readonly role: string
  readonly email: string
}

export type MagicLinkVerifyPayload = MagicLinkVerifyUser | TwoFactorChallenge

export type MagicLinkVerifyUser = {
  readonly user: User
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

export type MultiSessionSetActivePayload = {
  readonly active: string
}

export type Oauth2JwksKeysItem = {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly use: "sig"
  readonly alg: "EdDSA"
  readonly kid: string
}

export type Oauth2JwksPayload = {
  readonly keys: ReadonlyArray<Oauth2JwksKeysItem>
}

export type OauthCallbackPayload = OauthCallbackUser | Success | TwoFactorChallenge

export type OauthCallbackUser = {
  readonly user: User
}

export type OneTimeTokenGeneratePayload = {
  readonly token: string
  readonly expires_in: number
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

export type OrganizationAcceptInvitationPayload = {
  readonly member: Member
}

export type OrganizationCreatePayload = {
  readonly organization: Organization
}

export type OrganizationCreateTeamPayload = {
  readonly team: Team
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

export type OrganizationHasPermissionPayload = {
  readonly allowed: boolean
}

export type OrganizationInvitePayload = {
  readonly invitation: Invitation
}

export type OrganizationListInvitationsPayload = {
  readonly invitations: ReadonlyArray<Invitation>
  readonly next_cursor?: string | null
}

export type OrganizationListMembersPayload = {
  readonly members: ReadonlyArray<ListedMember>
  readonly next_cursor?: string | null
}

export type OrganizationListOrganizationsItem = {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly role: string
}

export type OrganizationListPayload = {
  readonly organizations: ReadonlyArray<OrganizationListOrganizationsItem>
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

export type OrganizationSetActivePayload = {
  readonly active_organization_id: string
}

export type OrganizationUpdatePayload = {
  readonly organization: Organization
}

export type OrganizationUpdateTeamPayload = {
  readonly team: Team
}

export type Passkey = {
  readonly id: string
  readonly name: string | null
  readonly created_at: string
  readonly last_used_at: string | null
  readonly backed_up: boolean
  readonly transports: ReadonlyArray<string>
}

export type PasskeyAuthenticateVerifyPayload = {
  readonly user: User
}

export type PasskeyListPayload = {
  readonly passkeys: ReadonlyArray<Passkey>
}

export type PasskeyRegisterVerifyPayload = {
  readonly passkey: Passkey
}

export type PasskeyRenamePayload = {
  readonly passkey: Passkey
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

export type RevokeOtherSessionsPayload = {
  readonly revoked: number
}

export type RevokeSessionPayload = {
  readonly success: boolean
}

export type RevokeSessionsPayload = {
  readonly revoked: number
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

export type SignInEmailOtpPayload = SignInEmailOtpUser | TwoFactorChallenge

export type SignInEmailOtpUser = {
  readonly user: User
}

export type SignInEmailPayload = SignInEmailUser | TwoFactorChallenge

export type SignInEmailUser = {
  readonly user: User
}

export type SignInPhonePayload = SignInPhoneUser | TwoFactorChallenge

export type SignInPhoneUser = {
  readonly user: User
}

export type SignInSocialPayload = {
  readonly url: string
}

export type SignInUsernamePayload = SignInUsernameUser | TwoFactorChallenge

export type SignInUsernameUser = {
  readonly user: User
}

export type SignUpEmailPayload = {
  readonly user: User
}

export type SiweNoncePayload = {
  readonly nonce: string
  readonly chain_id: number
}

export type SiweVerifyPayload = SiweVerifyUser | TwoFactorChallenge

export type SiweVerifyUser = {
  readonly user: User
  readonly address: string
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
}

export type TokenVerifyPayload = {
  readonly valid: true
  readonly user_id: string
  readonly claims: TokenVerifyClaims
}

export type TwoFactorChallenge = {
  readonly two_factor_required: true
  readonly methods: ReadonlyArray<TwoFactorMethod>
  readonly challenge_token: string
  readonly expires_in: number
}

export type TwoFactorMethod = "totp" | "backup_code"

export type TwoFactorTotpBackupCodesPayload = {
  readonly backup_codes: ReadonlyArray<string>
}

export type TwoFactorTotpChallengePayload = {
  readonly user: User
}

export type TwoFactorTotpEnablePayload = {
  readonly secret: string
  readonly totp_uri: string
  readonly backup_codes: ReadonlyArray<string>
}

export type TwoFactorTotpEnrolConfirmPayload = {
  readonly user: User
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
  readonly created_at: string
  readonly updated_at: string
}

export type UserinfoClaims = {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly picture?: string
  readonly updated_at?: number
}

export type UsernameAvailablePayload = {
  readonly available: boolean
}

export type UsernameSetPayload = {
  readonly username: string
}

export type WellKnownOpenidConfigurationPayload = {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  readonly scopes_supported: ReadonlyArray<string>
  readonly response_types_supported: ReadonlyArray<string>
  readonly response_modes_supported: ReadonlyArray<string>
  readonly grant_types_supported: ReadonlyArray<string>
  readonly subject_types_supported: ReadonlyArray<string>
  readonly id_token_signing_alg_values_supported: ReadonlyArray<string>
  readonly token_endpoint_auth_methods_supported: ReadonlyArray<string>
  readonly code_challenge_methods_supported: ReadonlyArray<string>
  readonly prompt_values_supported: ReadonlyArray<string>
  readonly claims_supported: ReadonlyArray<string>
  readonly claims_parameter_supported: boolean
  readonly request_parameter_supported: boolean
  readonly request_uri_parameter_supported: boolean
  readonly authorization_response_iss_parameter_supported: boolean
}

/** All operations, by the segments of their paths. */
export interface Operations {
  readonly signOut: OptionalOperation<NoInput, Success, "overloaded" | "unavailable">
  readonly getSession: OptionalOperation<NoInput, GetSessionPayload, "overloaded" | "unavailable">
  readonly listSessions: OptionalOperation<NoInput, ListSessionsPayload, "unauthorized" | "overloaded" | "unavailable">
  readonly revokeSession: Operation<
    {
      readonly session_id: string
    },
    RevokeSessionPayload,
    "invalid_request" | "unauthorized" | "overloaded" | "unavailable"
  >
  readonly revokeSessions: OptionalOperation<NoInput, RevokeSessionsPayload, "unauthorized" | "overloaded" | "unavailable">
  readonly revokeOtherSessions: OptionalOperation<NoInput, RevokeOtherSessionsPayload, "unauthorized" | "overloaded" | "unavailable">
  readonly signUp: {
    readonly email: Operation<
      {
        readonly email: string
        readonly password: string
        readonly name?: string
      },
      SignUpEmailPayload,
      | "invalid_request"
      | "password_too_long"
      | "password_too_short"
      | "email_password_disabled"
      | "user_already_exists"
      | "overloaded"
      | "unavailable"
    >
  }
  readonly signIn: {
    readonly email: Operation<
      {
        readonly email: string
        readonly password: string
      },
      SignInEmailPayload,
      "invalid_request" | "invalid_credentials" | "email_not_verified" | "email_password_disabled" | "overloaded" | "unavailable"
    >
    readonly social: Operation<
      {
        readonly provider: string
      },
      SignInSocialPayload,
      "unknown_provider" | "overloaded" | "unavailable"
    >
    readonly phone: Operation<
      {
        readonly phone: string
        readonly otp: string
      },
      SignInPhonePayload,
      "invalid_otp" | "invalid_request" | "overloaded" | "unavailable"
    >
    readonly emailOtp: Operation<
      {
        readonly email: string
        readonly otp: string
      },
      SignInEmailOtpPayload,
      "invalid_otp" | "invalid_request" | "overloaded" | "unavailable"
    >
    readonly username: Operation<
      {
        readonly username: string
        readonly password: string
      },
      SignInUsernamePayload,
      "invalid_request" | "invalid_credentials" | "overloaded" | "unavailable"
    >
  }
  readonly changePassword: Operation<
    {
      readonly current_password: string
      readonly new_password: string
      readonly revoke_other_sessions?: unknown
    },
    Success,
    | "invalid_request"
    | "no_credential"
    | "password_too_long"
    | "password_too_short"
    | "invalid_credentials"
    | "unauthorized"
    | "overloaded"
    | "unavailable"
  >
  readonly requestPasswordReset: Operation<
    {
      readonly email: string
    },
    Success,
    "invalid_request" | "email_password_disabled" | "overloaded" | "unavailable"
  >
  readonly resetPassword: Operation<
    {
      readonly token: string
      readonly new_password: string
      /** Whether linked accounts other than passkeys are removed. */
      readonly remove_other_credentials?: boolean
    },
    Success,
    "invalid_request" | "invalid_token" | "password_too_long" | "password_too_short" | "overloaded" | "unavailable"
  >
  readonly sendVerificationEmail: Operation<
    {
      readonly email: string
    },
    Success,
    "invalid_request" | "overloaded" | "unavailable"
  >
  readonly verifyEmail: Operation<
    {
      readonly token: string
    },
    Success,
    "invalid_request" | "invalid_token" | "email_taken" | "overloaded" | "unavailable"
  >
  readonly changeEmail: Operation<
    {
      readonly new_email: string
    },
    ChangeEmailPayload,
    "invalid_request" | "unauthorized" | "session_not_fresh" | "email_taken" | "overloaded" | "unavailable"
  >
  readonly updateUser: OptionalOperation<
    {
      readonly name?: string
      readonly image?: string
    },
    UpdateUserPayload,
    "invalid_request" | "unauthorized" | "overloaded" | "unavailable"
  >
  readonly deleteUser: OptionalOperation<
    {
      readonly password?: string
    },
    Success,
    "invalid_request" | "invalid_credentials" | "unauthorized" | "session_not_fresh" | "overloaded" | "unavailable"
  >
  readonly listAccounts: OptionalOperation<NoInput, ListAccountsPayload, "unauthorized" | "overloaded" | "unavailable">
  readonly unlinkAccount: Operation<
    {
      readonly provider_id: string
    },
    Success,
    "invalid_request" | "last_account" | "unauthorized" | "session_not_fresh" | "account_not_found" | "overloaded" | "unavailable"
  >
  readonly stepUp: OptionalOperation<
    {
      readonly password?: string
      readonly otp?: string
      readonly code?: string
      readonly backup_code?: string
      readonly passkey?: AuthenticationResponseJSON
    },
    Success,
    "invalid_otp" | "invalid_request" | "invalid_credentials" | "invalid_passkey" | "unauthorized" | "overloaded" | "unavailable"
  >
  readonly linkSocial: Operation<
    {
      readonly provider: string
    },
    LinkSocialPayload,
    "unknown_provider" | "unauthorized" | "session_not_fresh" | "overloaded" | "unavailable"
  >
  readonly oauth: {
    readonly callback: Operation<
      {
        readonly state: string
        readonly code?: string
        readonly iss?: string
        readonly error?: string
      },
      OauthCallbackPayload,
      "invalid_request" | "invalid_state" | "account_linked" | "oauth_token_error" | "oauth_userinfo_error" | "overloaded" | "unavailable"
    >
  }
  readonly phone: {
    readonly sendOtp: Operation<
      {
        readonly phone: string
      },
      Success,
      "invalid_request" | "overloaded" | "unavailable"
    >
    readonly verify: Operation<
      {
        readonly phone: string
        readonly otp: string
      },
      Success,
      "invalid_otp" | "invalid_request" | "unauthorized" | "session_not_fresh" | "phone_taken" | "overloaded" | "unavailable"
    >
  }
  readonly emailOtp: {
    readonly send: Operation<
      {
        readonly email: string
      },
      Success,
      "invalid_request" | "overloaded" | "unavailable"
    >
  }
  readonly magicLink: {
    readonly send: Operation<
      {
        readonly email: string
      },
      Success,
      "invalid_request" | "overloaded" | "unavailable"
    >
    readonly verify: Operation<
      {
        readonly token: string
      },
      MagicLinkVerifyPayload,
      "invalid_request" | "invalid_token" | "overloaded" | "unavailable"
    >
  }
  readonly username: {
    readonly set: Operation<
      {
        readonly username: string
      },
      UsernameSetPayload,
      "invalid_request" | "invalid_username" | "unauthorized" | "username_taken" | "overloaded" | "unavailable"
    >
    readonly available: Operation<
      {
        readonly username: string
      },
      UsernameAvailablePayload,
      "invalid_request" | "overloaded" | "unavailable"
    >
  }
  readonly oneTimeToken: {
    readonly generate: OptionalOperation<NoInput, OneTimeTokenGeneratePayload, "unauthorized" | "overloaded" | "unavailable">
    readonly verify: Operation<
      {
        readonly token: string
      },
      OneTimeTokenVerifyPayload,
      "invalid_token" | "overloaded" | "unavailable"
    >
  }
  readonly multiSession: {
    readonly list: OptionalOperation<NoInput, MultiSessionListPayload, "overloaded" | "unavailable">
    readonly setActive: Operation<
      {
        readonly session_id: string
      },
      MultiSessionSetActivePayload,
      "session_not_found" | "overloaded" | "unavailable"
    >
    readonly revoke: Operation<
      {
        readonly session_id: string
      },
      Success,
      "session_not_found" | "overloaded" | "unavailable"
    >
  }
  readonly token: OptionalOperation<NoInput, TokenPayload, "unauthorized" | "overloaded" | "unavailable"> & {
    readonly verify: Operation<
      {
        readonly token: string
      },
      TokenVerifyPayload,
      "invalid_token" | "overloaded" | "unavailable"
    >
  }
  readonly oauth2: {
    readonly userinfo: OptionalOperation<
      NoInput,
      UserinfoClaims,
      "invalid_request" | "invalid_token" | "unauthorized" | "overloaded" | "unavailable"
    >
    readonly jwks: OptionalOperation<NoInput, Oauth2JwksPayload, "overloaded" | "unavailable">
  }
  readonly ".wellKnown": {
    readonly openidConfiguration: OptionalOperation<NoInput, WellKnownOpenidConfigurationPayload, "overloaded" | "unavailable">
  }
  readonly admin: {
    readonly setRole: Operation<
      {
        readonly user_id: string
        readonly role: "admin" | "user"
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "user_not_found" | "overloaded" | "unavailable"
    >
    readonly banUser: Operation<
      {
        readonly user_id: string
        readonly reason?: string
        readonly expires_in?: number
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "user_not_found" | "overloaded" | "unavailable"
    >
    readonly unbanUser: Operation<
      {
        readonly user_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "user_not_found" | "overloaded" | "unavailable"
    >
    readonly listUsers: OptionalOperation<
      {
        readonly limit?: number
        readonly cursor?: string
        readonly search?: string
      },
      AdminListUsersPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly createUser: Operation<
      {
        readonly email: string
        readonly password: string
        readonly name?: string
        readonly role?: unknown
      },
      AdminCreateUserPayload,
      | "invalid_request"
      | "password_too_long"
      | "password_too_short"
      | "unauthorized"
      | "forbidden"
      | "user_already_exists"
      | "overloaded"
      | "unavailable"
    >
    readonly removeUser: Operation<
      {
        readonly user_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "user_not_found" | "overloaded" | "unavailable"
    >
    readonly revokeUserSessions: Operation<
      {
        readonly user_id: string
      },
      AdminRevokeUserSessionsPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "user_not_found" | "overloaded" | "unavailable"
    >
  }
  readonly organization: {
    readonly create: Operation<
      {
        readonly name: string
        readonly slug: string
      },
      OrganizationCreatePayload,
      "invalid_request" | "unauthorized" | "slug_taken" | "overloaded" | "unavailable"
    >
    readonly update: Operation<
      {
        readonly organization_id: string
        readonly name?: string
        readonly slug?: string
      },
      OrganizationUpdatePayload,
      "invalid_request" | "unauthorized" | "forbidden" | "slug_taken" | "overloaded" | "unavailable"
    >
    readonly delete: Operation<
      {
        readonly organization_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly list: OptionalOperation<
      {
        readonly limit?: number
        readonly cursor?: string
      },
      OrganizationListPayload,
      "invalid_request" | "unauthorized" | "overloaded" | "unavailable"
    >
    readonly getFull: OptionalOperation<
      {
        readonly organization_id?: string
      },
      OrganizationGetFullPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly setActive: Operation<
      {
        readonly organization_id: string
      },
      OrganizationSetActivePayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly getActive: OptionalOperation<NoInput, OrganizationGetActivePayload, "unauthorized" | "overloaded" | "unavailable">
    readonly listMembers: Operation<
      {
        readonly organization_id: string
        readonly limit?: number
        readonly cursor?: string
      },
      OrganizationListMembersPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly removeMember: Operation<
      {
        readonly organization_id: string
        readonly user_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "not_a_member" | "overloaded" | "unavailable"
    >
    readonly updateRole: Operation<
      {
        readonly organization_id: string
        readonly user_id: string
        readonly role: string
      },
      Success,
      "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "not_a_member" | "overloaded" | "unavailable"
    >
    readonly leave: Operation<
      {
        readonly organization_id: string
      },
      Success,
      "invalid_request" | "sole_owner" | "unauthorized" | "not_a_member" | "overloaded" | "unavailable"
    >
    readonly hasPermission: Operation<
      {
        readonly organization_id: string
        readonly permissions: Readonly<Record<string, ReadonlyArray<string>>>
      },
      OrganizationHasPermissionPayload,
      "invalid_request" | "unauthorized" | "overloaded" | "unavailable"
    >
    readonly invite: Operation<
      {
        readonly organization_id: string
        readonly email: string
        readonly role?: string
      },
      OrganizationInvitePayload,
      "invalid_request" | "invalid_role" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly acceptInvitation: Operation<
      {
        readonly invitation_id: string
      },
      OrganizationAcceptInvitationPayload,
      "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly rejectInvitation: Operation<
      {
        readonly invitation_id: string
      },
      Success,
      "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly cancelInvitation: Operation<
      {
        readonly invitation_id: string
      },
      Success,
      "invalid_invitation" | "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly listInvitations: Operation<
      {
        readonly organization_id: string
        readonly limit?: number
        readonly cursor?: string
      },
      OrganizationListInvitationsPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly createTeam: Operation<
      {
        readonly organization_id: string
        readonly name: string
      },
      OrganizationCreateTeamPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly listTeams: Operation<
      {
        readonly organization_id: string
        readonly limit?: number
        readonly cursor?: string
      },
      OrganizationListTeamsPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "overloaded" | "unavailable"
    >
    readonly updateTeam: Operation<
      {
        readonly team_id: string
        readonly name: string
      },
      OrganizationUpdateTeamPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "team_not_found" | "overloaded" | "unavailable"
    >
    readonly removeTeam: Operation<
      {
        readonly team_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "team_not_found" | "overloaded" | "unavailable"
    >
    readonly addTeamMember: Operation<
      {
        readonly team_id: string
        readonly user_id: string
      },
      Success,
      "invalid_request" | "not_a_member" | "unauthorized" | "forbidden" | "team_not_found" | "overloaded" | "unavailable"
    >
    readonly removeTeamMember: Operation<
      {
        readonly team_id: string
        readonly user_id: string
      },
      Success,
      "invalid_request" | "unauthorized" | "forbidden" | "team_not_found" | "overloaded" | "unavailable"
    >
    readonly listTeamMembers: Operation<
      {
        readonly team_id: string
        readonly limit?: number
        readonly cursor?: string
      },
      OrganizationListTeamMembersPayload,
      "invalid_request" | "unauthorized" | "forbidden" | "team_not_found" | "overloaded" | "unavailable"
    >
  }
  readonly siwe: {
    readonly nonce: OptionalOperation<NoInput, SiweNoncePayload, "overloaded" | "unavailable">
    readonly verify: Operation<
      {
        readonly message: string
        readonly signature?: string
      },
      SiweVerifyPayload,
      "expired_message" | "invalid_message" | "invalid_nonce" | "invalid_signature" | "overloaded" | "unavailable"
    >
  }
  readonly "2fa": {
    readonly totp: {
      readonly enable: OptionalOperation<
        {
          readonly password?: string
        },
        TwoFactorTotpEnablePayload,
        | "invalid_request"
        | "invalid_credentials"
        | "unauthorized"
        | "session_not_fresh"
        | "two_factor_enabled"
        | "overloaded"
        | "unavailable"
      >
      readonly confirm: Operation<
        {
          readonly code: string
        },
        Success,
        | "invalid_otp"
        | "invalid_request"
        | "two_factor_not_enabled"
        | "unauthorized"
        | "email_not_verified"
        | "session_not_fresh"
        | "overloaded"
        | "unavailable"
      >
      readonly challenge: Operation<
        {
          readonly challenge_token: string
          readonly code?: string
          readonly backup_code?: string
        },
        TwoFactorTotpChallengePayload,
        "invalid_otp" | "invalid_request" | "invalid_token" | "overloaded" | "unavailable"
      >
      readonly disable: OptionalOperation<
        {
          readonly password?: string
          readonly code?: string
        },
        Success,
        | "invalid_otp"
        | "invalid_request"
        | "two_factor_not_enabled"
        | "invalid_credentials"
        | "unauthorized"
        | "session_not_fresh"
        | "overloaded"
        | "unavailable"
      >
      readonly backupCodes: OptionalOperation<
        {
          readonly password?: string
          readonly code?: string
        },
        TwoFactorTotpBackupCodesPayload,
        | "invalid_otp"
        | "invalid_request"
        | "two_factor_not_enabled"
        | "invalid_credentials"
        | "unauthorized"
        | "session_not_fresh"
        | "overloaded"
        | "unavailable"
      >
      readonly status: OptionalOperation<NoInput, TwoFactorTotpStatusPayload, "unauthorized" | "overloaded" | "unavailable">
      readonly enrol: Operation<
        {
          readonly challenge_token: string
        },
        TwoFactorTotpEnrolPayload,
        "invalid_request" | "invalid_token" | "overloaded" | "unavailable"
      > & {
        readonly confirm: Operation<
          {
            readonly challenge_token: string
            readonly code: string
          },
          TwoFactorTotpEnrolConfirmPayload,
          "invalid_otp" | "invalid_request" | "invalid_token" | "overloaded" | "unavailable"
        >
      }
    }
  }
  readonly passkey: {
    readonly register: {
      readonly options: OptionalOperation<
        NoInput,
        PublicKeyCredentialCreationOptionsJSON,
        "unauthorized" | "email_not_verified" | "session_not_fresh" | "overloaded" | "unavailable"
      >
      readonly verify: Operation<
        {
          readonly response: RegistrationResponseJSON
          readonly name?: string
        },
        PasskeyRegisterVerifyPayload,
        | "invalid_passkey"
        | "invalid_request"
        | "unauthorized"
        | "email_not_verified"
        | "session_not_fresh"
        | "passkey_exists"
        | "overloaded"
        | "unavailable"
      >
    }
    readonly authenticate: {
      readonly options: OptionalOperation<
        {
          readonly email?: string | null
        },
        PublicKeyCredentialRequestOptionsJSON,
        "invalid_request" | "overloaded" | "unavailable"
      >
      readonly verify: Operation<
        {
          readonly response: AuthenticationResponseJSON
        },
        PasskeyAuthenticateVerifyPayload,
        "invalid_request" | "invalid_passkey" | "overloaded" | "unavailable"
      >
    }
    readonly list: OptionalOperation<NoInput, PasskeyListPayload, "unauthorized" | "overloaded" | "unavailable">
    readonly rename: Operation<
      {
        readonly passkey_id: string
        readonly name: string
      },
      PasskeyRenamePayload,
      "invalid_request" | "unauthorized" | "session_not_fresh" | "passkey_not_found" | "overloaded" | "unavailable"
    >
    readonly delete: Operation<
      {
        readonly passkey_id: string
      },
      Success,
      "invalid_request" | "last_account" | "unauthorized" | "session_not_fresh" | "passkey_not_found" | "overloaded" | "unavailable"
    >
  }
}

/** The paths that are read by GET. */
export const gets: ReadonlyArray<string> = [
  "/get-session",
  "/list-sessions",
  "/list-accounts",
  "/oauth/callback",
  "/username/available",
  "/multi-session/list",
  "/token",
  "/oauth2/userinfo",
  "/oauth2/jwks",
  "/.well-known/openid-configuration",
  "/admin/list-users",
  "/organization/list",
  "/organization/get-full",
  "/organization/get-active",
  "/organization/list-members",
  "/organization/list-invitations",
  "/organization/list-teams",
  "/organization/list-team-members",
  "/siwe/nonce",
  "/2fa/totp/status",
  "/passkey/list",
]
