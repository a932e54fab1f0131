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
  "Your second factor does not count after this way to sign in, nor within 3 days of a password reset. Use your password or a passkey, or wait.",
  {
    remedy:
      "Offer another way to sign in: a mailed code never counts after a mailed code or link, and not until 72 hours after a link has set the password; a code by SMS never counts after a code by SMS.",
  },
)
