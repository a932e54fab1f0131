import { define } from "../../../domain/errors.ts"

export const EmailPasswordDisabled = define("email_password_disabled", 403, "Sign-in by e-mail and password is off.", {
  remedy: "Set `email_password.enabled`, or offer another way to sign in.",
})
export const NoCredential = define("no_credential", 400, "This account has no password.", {
  remedy: "Set a password with `POST /request-password-reset`.",
})
