import * as Module from "../../service/module.ts"
import { challenge, challenger } from "./challenge.ts"
import { confirm, disable, enable, replaceBackupCodes, status } from "./endpoints.ts"
import { confirmEnrolment, enrol } from "./enrol.ts"
import { TwoFactorSettings } from "./settings.ts"
import { app, stepUps } from "./step-up.ts"
import { TwoFactors } from "./tables.ts"

/** A second factor: codes of an authenticator app, and backup codes for users who have lost it. */
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
    administratorsNeedFactor: settings.required !== "none",
    stepUps,
    authenticators: [{ table: TwoFactors, label: "authenticator app" }],
  }),
})
