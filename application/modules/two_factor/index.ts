import { phrase } from "../../../domain/ports/texts.ts"
import * as Module from "../../service/module.ts"
import { browserList, browserRevoke, viewersBrowsers } from "./browser-endpoints.ts"
import { forgetAll, RememberedBrowsers, waiver } from "./browsers.ts"
import { challenge, challenger } from "./challenge.ts"
import { mails } from "./emails.ts"
import { confirm, disable, enable, replaceBackupCodes, status } from "./endpoints.ts"
import { confirmEnrolment, enrol } from "./enrol.ts"
import * as Errors from "./errors.ts"
import { events } from "./events.ts"
import { TwoFactorSettings } from "./settings.ts"
import { app, stepUps } from "./step-up.ts"
import { TwoFactors } from "./tables.ts"

const rememberedBrowsers = {
  challengeWaivers: [waiver],
  graphFields: [viewersBrowsers],
  passwordChanged: forgetAll,
  secondFactorRemoved: forgetAll,
  sessionsRevoked: forgetAll,
}

/** A second factor: codes of an authenticator app, and backup codes for users who have lost it. */
export const twoFactor = Module.define({
  name: "two_factor",
  errors: Object.values(Errors),
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: TwoFactorSettings,
  parts: (settings) => ({
    ...(settings.remember_browser === undefined ? {} : rememberedBrowsers),
    rowEvents: events,
    endpoints: [
      enable(settings),
      confirm,
      challenge(settings),
      disable,
      replaceBackupCodes(settings),
      status,
      enrol(settings),
      confirmEnrolment,
      ...(settings.remember_browser === undefined ? [] : [browserList, browserRevoke]),
    ],
    tables: [TwoFactors, ...(settings.remember_browser === undefined ? [] : [RememberedBrowsers])],
    challenge: challenger(settings),
    factor: app,
    factorEnrolment: "two_factor",
    administratorsNeedFactor: settings.required !== "none",
    stepUps,
    reclaimedTables: [
      { table: TwoFactors, label: phrase("mail.credential.authenticator_app") },
      ...(settings.remember_browser === undefined ? [] : [{ table: RememberedBrowsers }]),
    ],
  }),
})
