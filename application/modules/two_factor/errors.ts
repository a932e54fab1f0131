import { define } from "../../../domain/errors.ts"

export const TwoFactorEnabled = define("two_factor_enabled", 409, "An authenticator app is set up already.", {
  remedy: "Disable the factor with `POST /2fa/totp/disable` before you set up another.",
})
export const TwoFactorNotEnabled = define("two_factor_not_enabled", 400, "No authenticator app is set up.", {
  remedy: "Enable the factor with `POST /2fa/totp/enable` and confirm it.",
})
