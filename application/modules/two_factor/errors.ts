import { define } from "../../../domain/errors.ts"

export const TwoFactorEnabled = define("two_factor_enabled", 409, "An authenticator app is set up already.", {
  remedy: "Disable the factor with `POST /2fa/totp/disable` before you set up another.",
})
export const TwoFactorNotEnabled = define("two_factor_not_enabled", 400, "No authenticator app is set up.", {
  remedy: "Enable the factor with `POST /2fa/totp/enable` and confirm it.",
})
export const SecondFactorUnavailable = define(
  "second_factor_unavailable",
  403,
  "Your second factor does not count after this way to sign in. Sign in with your password or a passkey.",
  { remedy: "Offer another way to sign in: a mailed code never counts after a mailed code or link." },
)
