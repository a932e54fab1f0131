import * as Module from "../Module.ts"
import { challenge, challenger } from "./two-factor/challenge.ts"
import { confirm, disable, enable, replaceBackupCodes, status } from "./two-factor/endpoints.ts"
import { confirmEnrolment, enrol } from "./two-factor/enrol.ts"
import { TwoFactorSettings } from "./two-factor/settings.ts"
import { app, stepUps } from "./two-factor/step-up.ts"
import { TwoFactors } from "./two-factor/tables.ts"

/** A second factor: the codes of an authenticator app, and backup codes for whoever has lost it. */
export const twoFactor = Module.define({
  name: "two_factor",
  settings: TwoFactorSettings,
  parts: (settings) => ({
    tables: [TwoFactors],
    endpoints: {
      twoFactorTotpEnable: enable(settings),
      twoFactorTotpConfirm: confirm,
      twoFactorTotpChallenge: challenge,
      twoFactorTotpDisable: disable,
      twoFactorTotpBackupCodes: replaceBackupCodes(settings),
      twoFactorTotpStatus: status,
      twoFactorTotpEnrol: enrol(settings),
      twoFactorTotpEnrolConfirm: confirmEnrolment,
    },
    challenge: challenger(settings),
    factor: app,
    stepUps,
    authenticators: [{ table: TwoFactors, label: "authenticator app" }],
  }),
})
