import { type Cause, Data } from "effect"

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
  /** The member of the input with the fault. */
  readonly member?: string
  /** All faults of the input, for pages, which show every fault. */
  readonly causes?: ReadonlyArray<AuthError>
  /** Which of the rules behind the code refused the input, where pages have a text for it. */
  readonly reason?: string
  /** Further header fields of the response over HTTP. */
  readonly fields?: Readonly<Record<string, string>>
  /** Where the browser is sent in place of an error. */
  readonly location?: string
}

type ErrorProps = Partial<Pick<AuthError, "message" | "retryAfter" | "limit" | "member" | "causes" | "reason" | "fields">>

/** The class of a declared error. Its code, default status, text and remedy are static members. */
export interface ErrorClass<Code extends string = string> {
  new (props?: ErrorProps): AuthError<Code>
  readonly code: Code
  readonly status: number
  readonly text: string
  /** What a caller does about it, as the documentation shows it. */
  readonly remedy: string | undefined
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

interface ErrorOptions {
  readonly remedy?: string
  /** `clear` clears the caller's session cookie. */
  readonly session?: AuthError["session"]
}

/** Declares an error: its wire code, default HTTP status, message for people, and what a caller does about it. */
export const define = <const Code extends string>(
  code: Code,
  status: number,
  text: string,
  { remedy, session = "keep" }: ErrorOptions = {},
): ErrorClass<Code> =>
  class extends Data.TaggedError(code)<ErrorProps & { readonly message: string }> {
    static readonly code = code
    static readonly status = status
    static readonly text = text
    static readonly remedy = remedy
    readonly status = status
    readonly session = session
    constructor(props: ErrorProps = {}) {
      super({ message: text, ...props })
    }
  }

// Errors of every endpoint.
export const NotFound = define("not_found", 404, "No endpoint matches this method and path.", {
  remedy: "Check the path and the method. The endpoints of a module exist only if the module is enabled.",
})
export const InvalidJson = define("invalid_json", 400, "The body is not a JSON object.", {
  remedy: "Send `content-type: application/json` and a JSON object without duplicate members.",
})
export const UntrustedOrigin = define(
  "untrusted_origin",
  403,
  "Requests from this origin are not accepted; see trusted_origins in the configuration.",
  { remedy: "Add the origin of the page to `trusted_origins`; see [origins, cookies and proxies](/guides/hosts/)." },
)
export const RateLimited = define("rate_limited", 429, "Too many requests. Try again later.", {
  remedy:
    "Wait for the seconds in `Retry-After`. If all users get this error, the service counts them by the address of a proxy: list that address in `trusted_proxies`.",
})
export const PayloadTooLarge = define("payload_too_large", 413, "The body is larger than this service accepts.", {
  remedy: "Send less than `max_body_bytes`.",
})
export const Overloaded = define("overloaded", 503, "The service is busy. Try again in a moment.", {
  remedy: "Try again after the seconds in `Retry-After`.",
})
export const Unavailable = define("unavailable", 503, "The service cannot reach its database.", {
  remedy: "Try again in a moment. `/readyz` and the log of the service show whether the database answers.",
})
export const InternalError = define("internal_error", 500, "Something went wrong on our side.", {
  remedy: "Report it with the `x-request-id` of the response; the log of the service has the cause under the same id. A retry may succeed.",
})

// Errors that endpoints declare.
export const AccountNotFound = define("account_not_found", 404, "No such account is linked to this user.", {
  remedy: "Read the linked accounts from `GET /list-accounts`.",
})
export const AddressNotAllowed = define("address_not_allowed", 422, "This email address cannot be used here.", {
  remedy: "Let the user enter another address. The operator decides by `registration.email`.",
})
export const EmailPasswordDisabled = define("email_password_disabled", 403, "Sign-in by email and password is off.", {
  remedy: "Set `email_password.enabled`, or offer another way to sign in.",
})
export const EmailTaken = define("email_taken", 409, "Another user has this email address.", {
  remedy: "Let the user enter another address.",
})
export const EmailNotVerified = define("email_not_verified", 403, "Verify the email address first.", {
  remedy:
    "Send a mail with `POST /send-verification-email`. The user opens its link and signs in again. A mailed code or link also proves the address.",
})
export const ExpiredMessage = define("expired_message", 401, "The message has expired.", {
  remedy: "Request a new nonce, and have the wallet sign a new message.",
})
export const Forbidden = define("forbidden", 403, "You are not allowed to do this.", {
  remedy:
    "The session's user lacks the role for this operation. A user with the role has to call it, or an administrator or owner has to grant the role.",
})
export const IdempotencyKeyReused = define("idempotency_key_reused", 422, "This key was sent with another request.", {
  remedy: "Choose a new `Idempotency-Key` for each request, and repeat one only with the same input.",
})
export const ImpersonationRefused = define("impersonation_refused", 403, "Administrators cannot do this in the name of a user.", {
  remedy:
    "End the impersonation with `POST /impersonation/stop`. Some changes need one with the mode `act`; others only their user can make.",
})
export const InvalidCredentials = define("invalid_credentials", 401, "The sign-in name or the password is wrong.", {
  remedy:
    "Let the user enter the name and password again. The answer is the same for an unknown user, so that it does not reveal who is registered.",
})
export const InvalidInvitation = define("invalid_invitation", 400, "The invitation is unknown, expired or no longer open.", {
  remedy: "Let a member send a new invitation. Only the user with the invited address can accept it.",
})
export const InvalidMessage = define("invalid_message", 401, "This message cannot be used to sign in here.", {
  remedy: "Build the message from `GET /siwe/nonce`: domain, chain and nonce have to be those of this service.",
})
export const InvalidNonce = define("invalid_nonce", 401, "The nonce is unknown, expired or already used.", {
  remedy: "Request a new nonce with `GET /siwe/nonce`. A nonce is valid once.",
})
export const InvalidOtp = define("invalid_otp", 400, "The code is wrong, expired or already used.", {
  remedy:
    "Let the user enter the code again, or send a new one. After too many wrong codes, send a new code; with an authenticator app, wait.",
})
export const InvalidRequest = define("invalid_request", 400, "A required field is missing or invalid.", {
  remedy: "Read the `message`: it names the member and the rule. The tables of this site list the members of every endpoint.",
})
/** The refusal of a member of the input. */
export const invalidMember = (member: string, message: string) => new InvalidRequest({ member, message: `${member}: ${message}` })
export const InvalidState = define("invalid_state", 400, "The sign-in is unknown, expired or already completed. Start it again.", {
  remedy: "Start the sign-in again in the same browser. A flow is valid for ten minutes and one callback.",
})
export const InvalidToken = define("invalid_token", 400, "The token is unknown, expired or already used.", {
  remedy: "Request a new mail or token: each is valid once and for a limited time.",
})
export const LastAccount = define("last_account", 400, "The only remaining way to sign in cannot be removed.", {
  remedy: "Add another way to sign in first, such as a password or a passkey.",
})
export const PasswordTooLong = define("password_too_long", 400, "The password is too long.", {
  remedy: "Let the user choose a password of at most `email_password.max_password_length` characters.",
})
export const PasswordTooShort = define("password_too_short", 400, "The password is too short.", {
  remedy: "Let the user choose a password of at least `email_password.min_password_length` characters.",
})
export const RegistrationClosed = define("registration_closed", 403, "New users cannot sign up here.", {
  remedy: "The operator decides by `registration.mode`. An administrator can add the user, and where it is `invited`, invite them.",
})
export const SessionNotFresh = define(
  "session_not_fresh",
  403,
  "This operation requires recent authentication: POST /step-up, or sign in again.",
  { remedy: "Prove the identity with `POST /step-up`, or sign in again; then repeat the call." },
)
export const SoleOwner = define("sole_owner", 400, "An organization with members needs an owner: make another member an owner first.", {
  remedy: "Make another member an owner with `POST /organization/update-role`, or delete the organization.",
})
export const Unauthorized = define("unauthorized", 401, "A valid session is required.", {
  remedy: "Sign in. A session ends by sign-out, by expiry, and when a step-up replaces its token.",
})
export const UserAlreadyExists = define("user_already_exists", 422, "A user with this email address exists.", {
  remedy: "Offer to sign in instead, or to reset the password.",
})
export const UserNotFound = define("user_not_found", 404, "This user does not exist.", {
  remedy: "Read the users from `GET /admin/list-users`.",
})
export const VersionMismatch = define("version_mismatch", 412, "This has changed since you read it.", {
  remedy: "Read it again, and repeat the change with the new `version` if it is still wanted.",
})
export const VersionRequired = define("version_required", 428, "This service changes nothing without the version that you have read.", {
  remedy: "Send the `version` of the object as `expected_version`, or as `If-Match`.",
})

/** Why a way in refuses a new user: an endpoint that signs up declares them. */
export const notAdmitted = [RegistrationClosed, AddressNotAllowed] as const
