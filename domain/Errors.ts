import type { Cause } from "effect"
import { Data } from "effect"

/**
 * A refusal that the caller can act on. Its `_tag` is the wire code, which REST
 * writes to `error.code`.
 */
export type AuthError<Code extends string = string> = Cause.YieldableError & {
  readonly _tag: Code
  readonly message: string
  /** HTTP status unless the endpoint states another. */
  readonly status: number
  /** Seconds after which trying again can succeed. */
  readonly retryAfter?: number
}

/** What a declared error is made from: its code, its default status and its sentence are static. */
export interface ErrorClass<Code extends string = string> {
  new (props?: { readonly message?: string; readonly retryAfter?: number }): AuthError<Code>
  readonly code: Code
  readonly status: number
  readonly text: string
}

/** Declares an error: its wire code, the HTTP status it has by default, and the sentence people read. */
export const define = <const Code extends string>(code: Code, status: number, text: string): ErrorClass<Code> =>
  class extends Data.TaggedError(code)<{ readonly message: string; readonly retryAfter?: number }> {
    static readonly code = code
    static readonly status = status
    static readonly text = text
    readonly status = status
    constructor(props: { readonly message?: string; readonly retryAfter?: number } = {}) {
      super({ message: text, ...props })
    }
  }

// What every endpoint can answer.
export const NotFound = define("not_found", 404, "No endpoint matches this method and path.")
export const InvalidJson = define("invalid_json", 400, "The body is not a JSON object.")
export const UntrustedOrigin = define("untrusted_origin", 403, "Requests from this origin are not accepted.")
export const RateLimited = define("rate_limited", 429, "Too many requests. Try again later.")
export const PayloadTooLarge = define("payload_too_large", 413, "The body is larger than this service accepts.")
export const Overloaded = define("overloaded", 503, "The service is busy. Try again in a moment.")
export const Unavailable = define("unavailable", 503, "The service cannot reach its database.")
export const InternalError = define("internal_error", 500, "Something went wrong on our side.")

// What endpoints declare.
export const AccountNotFound = define("account_not_found", 404, "No such account is linked to this user.")
export const EmailNotVerified = define("email_not_verified", 403, "The e-mail address has to be verified first.")
export const EmailPasswordDisabled = define("email_password_disabled", 403, "Sign-in by e-mail and password is off.")
export const EmailTaken = define("email_taken", 409, "Another user has this e-mail address.")
export const InvalidCredentials = define("invalid_credentials", 401, "The sign-in name or the password is wrong.")
export const InvalidRequest = define("invalid_request", 400, "A required field is missing or invalid.")
export const InvalidToken = define("invalid_token", 400, "The token is unknown, expired or already used.")
export const LastAccount = define("last_account", 400, "The only remaining way to sign in cannot be removed.")
export const NoCredential = define("no_credential", 400, "This account has no password.")
export const PasswordTooLong = define("password_too_long", 400, "The password is too long.")
export const PasswordTooShort = define("password_too_short", 400, "The password is too short.")
export const SessionNotFresh = define("session_not_fresh", 403, "Sign in again to do this.")
export const Unauthorized = define("unauthorized", 401, "A valid session is required.")
export const UserAlreadyExists = define("user_already_exists", 422, "A user with this e-mail address exists.")
