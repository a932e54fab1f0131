import type { Cause } from "effect"
import { Data } from "effect"

/** An error that the caller can act on. Its `_tag` is the wire code, which REST writes to `error.code`. */
export type AuthError<Code extends string = string> = Cause.YieldableError & {
  readonly _tag: Code
  readonly message: string
  /** The HTTP status, unless the endpoint declares another one. */
  readonly status: number
  /** Whether the response clears the caller's session cookie. */
  readonly session: "keep" | "clear"
  /** Seconds until a retry can succeed. */
  readonly retryAfter?: number
  /** The limit of the exhausted rate-limit budget. */
  readonly limit?: number
  /** Further header fields of the response over HTTP. */
  readonly fields?: Readonly<Record<string, string>>
}

interface ErrorProps {
  readonly message?: string
  readonly retryAfter?: number
  readonly limit?: number
  readonly fields?: Readonly<Record<string, string>>
}

/** The class of a declared error. Its code, default status and text are static members. */
export interface ErrorClass<Code extends string = string> {
  new (props?: ErrorProps): AuthError<Code>
  readonly code: Code
  readonly status: number
  readonly text: string
}

/** An error that an endpoint declares, with its default status or another one. */
export type DeclaredError = ErrorClass | readonly [error: ErrorClass, status: number]

/** Codes that every endpoint can return without declaring them. */
export type CommonCode = "overloaded" | "rate_limited"

/**
 * Stands for the codes of the modules' gates and challenges. Only endpoints with `signsIn` or `passesGates` can fail with it; `Auth.make` adds
 * the codes to them.
 */
export type GateCode = "~refused_by_gate"

/** Stands for the codes of the modules' `beforeUserRemoval`, as `GateCode` does. Only endpoints with `removesUsers` can fail with it. */
export type RemovalCode = "~refused_by_removal"

/** The code of a declared error. */
export type CodeOf<E extends DeclaredError> =
  E extends ErrorClass<infer Code> ? Code : E extends readonly [ErrorClass<infer Code>, number] ? Code : never

/** Declares an error: its wire code, default HTTP status, message for people, and whether it clears the caller's session cookie. */
export const define = <const Code extends string>(
  code: Code,
  status: number,
  text: string,
  session: AuthError["session"] = "keep",
): ErrorClass<Code> =>
  class extends Data.TaggedError(code)<ErrorProps & { readonly message: string }> {
    static readonly code = code
    static readonly status = status
    static readonly text = text
    readonly status = status
    readonly session = session
    constructor(props: ErrorProps = {}) {
      super({ message: text, ...props })
    }
  }

// Errors of every endpoint.
export const NotFound = define("not_found", 404, "No endpoint matches this method and path.")
export const InvalidJson = define("invalid_json", 400, "The body is not a JSON object.")
export const UntrustedOrigin = define(
  "untrusted_origin",
  403,
  "Requests from this origin are not accepted; see trusted_origins in the configuration.",
)
export const RateLimited = define("rate_limited", 429, "Too many requests. Try again later.")
export const PayloadTooLarge = define("payload_too_large", 413, "The body is larger than this service accepts.")
export const Overloaded = define("overloaded", 503, "The service is busy. Try again in a moment.")
export const Unavailable = define("unavailable", 503, "The service cannot reach its database.")
export const InternalError = define("internal_error", 500, "Something went wrong on our side.")

// Errors that endpoints declare.
export const AccountLinked = define("account_linked", 409, "This account is linked to another user.")
export const AccountNotFound = define("account_not_found", 404, "No such account is linked to this user.")
export const Banned = define("banned", 403, "This account is banned.", "clear")
export const EmailNotVerified = define("email_not_verified", 403, "Verify the e-mail address first.")
export const EmailPasswordDisabled = define("email_password_disabled", 403, "Sign-in by e-mail and password is off.")
export const EmailTaken = define("email_taken", 409, "Another user has this e-mail address.")
export const ExpiredMessage = define("expired_message", 401, "The message has expired.")
export const Forbidden = define("forbidden", 403, "You are not allowed to do this.")
export const InvalidClient = define("invalid_client", 400, "The client is unknown or failed to authenticate.")
export const InvalidCredentials = define("invalid_credentials", 401, "The sign-in name or the password is wrong.")
export const AccessDenied = define("access_denied", 400, "The user has denied the request.")
export const AuthorizationPending = define("authorization_pending", 400, "The user has not decided yet. Poll again after the interval.")
export const ExpiredToken = define("expired_token", 400, "The device code has expired. Request a new one.")
export const InvalidDpopProof = define("invalid_dpop_proof", 400, "The DPoP proof is missing, not valid or already used.")
export const InvalidGrant = define(
  "invalid_grant",
  400,
  "The code or token is unknown, expired, already used or was issued for another request.",
)
export const InvalidInvitation = define("invalid_invitation", 400, "The invitation is unknown, expired or no longer open.")
export const InvalidMessage = define("invalid_message", 401, "This message cannot be used to sign in here.")
export const InvalidNonce = define("invalid_nonce", 401, "The nonce is unknown, expired or already used.")
export const InvalidOtp = define("invalid_otp", 400, "The code is wrong, expired or already used.")
export const InvalidPasskey = define(
  "invalid_passkey",
  401,
  "The passkey is unknown or its response does not match the challenge. Start again.",
)
export const InvalidRedirectUri = define("invalid_redirect_uri", 400, "This redirect_uri is not registered for the client.")
export const InvalidRequest = define("invalid_request", 400, "A required field is missing or invalid.")
export const InvalidRequestObject = define(
  "invalid_request_object",
  400,
  "The request object is not signed by the client, or is not valid.",
)
export const InvalidRole = define("invalid_role", 400, "This role does not exist.")
export const InvalidState = define("invalid_state", 400, "The sign-in is unknown, expired or already completed. Start it again.")
export const InvalidScope = define("invalid_scope", 400, "The scope is unknown, or was not granted.")
export const InvalidSignature = define("invalid_signature", 401, "The signature does not match the address and the message.")
export const InvalidTarget = define("invalid_target", 400, "The client may not request tokens for this resource.")
export const InvalidToken = define("invalid_token", 400, "The token is unknown, expired or already used.")
export const InvalidUsername = define("invalid_username", 400, "A username has 3 to 32 characters: a to z, 0 to 9 and _.")
export const LastAccount = define("last_account", 400, "The only remaining way to sign in cannot be removed.")
export const NoCredential = define("no_credential", 400, "This account has no password.")
export const NoProviderToken = define(
  "no_provider_token",
  404,
  "No valid token of this account's provider is kept: sign in with the provider again.",
)
export const NotAMember = define("not_a_member", 404, "This user is not a member of the organization.")
export const OauthTokenError = define("oauth_token_error", 502, "The provider did not confirm the sign-in.")
export const OauthUserinfoError = define("oauth_userinfo_error", 502, "The provider did not say who signed in.")
export const PasskeyExists = define("passkey_exists", 409, "This passkey is registered already.")
export const InvalidClientMetadata = define("invalid_client_metadata", 400, "The metadata of the client is not valid.")
export const ClientNotFound = define("client_not_found", 404, "There is no such client.")
export const WebhookNotFound = define("webhook_not_found", 404, "There is no such webhook, or it is in the configuration.")
export const PasskeyNotFound = define("passkey_not_found", 404, "This user has no such passkey.")
export const PasswordTooLong = define("password_too_long", 400, "The password is too long.")
export const PasswordTooShort = define("password_too_short", 400, "The password is too short.")
export const PhoneTaken = define("phone_taken", 409, "Another user has this phone number.")
export const SessionNotFound = define("session_not_found", 404, "This browser has no such session.")
export const SessionNotFresh = define(
  "session_not_fresh",
  403,
  "This operation requires recent authentication: POST /step-up, or sign in again.",
)
export const SlugTaken = define("slug_taken", 409, "Another organization has this slug.")
export const SoleOwner = define("sole_owner", 400, "An organization with members needs an owner: make another member an owner first.")
export const TeamNotFound = define("team_not_found", 404, "This team does not exist.")
export const TwoFactorEnabled = define("two_factor_enabled", 409, "An authenticator app is set up already.")
export const TwoFactorNotEnabled = define("two_factor_not_enabled", 400, "No authenticator app is set up.")
export const Unauthorized = define("unauthorized", 401, "A valid session is required.")
export const SlowDown = define("slow_down", 400, "The device polls too often. The interval is now 5 seconds longer.")
export const UnauthorizedClient = define("unauthorized_client", 400, "The client may not use this grant type.")
export const UnsupportedGrantType = define("unsupported_grant_type", 400, "This grant type is unknown, or the client may not use it.")
export const UnknownProvider = define("unknown_provider", 400, "This provider does not exist.")
export const UseDpopNonce = define("use_dpop_nonce", 400, "The DPoP proof needs the nonce of the DPoP-Nonce header field.")
export const UserAlreadyExists = define("user_already_exists", 422, "A user with this e-mail address exists.")
export const UsernameTaken = define("username_taken", 409, "Another user has this username.")
export const UserNotFound = define("user_not_found", 404, "This user does not exist.")
