import { define } from "../../../domain/errors.ts"

export const NoCredential = define("no_credential", 400, "This account has no password.", {
  remedy: "Set a password with `POST /request-password-reset`.",
})
