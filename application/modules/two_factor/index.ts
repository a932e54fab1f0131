import { Effect } from "effect"
import { Policies } from "../../../domain/policies.ts"
import { type Phrase, phrase } from "../../../domain/ports/texts.ts"
import { phoneProvider } from "../../../domain/users/credential-account.ts"
import type { User } from "../../../domain/users/user.ts"
import * as Module from "../../service/module.ts"
import { browserList, browserRevoke, viewersBrowsers } from "./browser-endpoints.ts"
import { forgetAll, RememberedBrowsers, waiver } from "./browsers.ts"
import { challenge, challenger } from "./challenge.ts"
import { mails } from "./emails.ts"
import { confirm, disable, enable, replaceBackupCodes, status } from "./endpoints.ts"
import { confirmEnrolment, enrol } from "./enrol.ts"
import * as Errors from "./errors.ts"
import { events } from "./events.ts"
import { sentCodeEndpoints } from "./sent-codes/endpoints.ts"
import { isOn, offeredBy, type SentMethod } from "./sent-codes/methods.ts"
import { factorTables, notePassword, SentCodes } from "./sent-codes/tables.ts"
import { TwoFactorSettings } from "./settings.ts"
import { factorOf, stepUpsOf } from "./step-up.ts"
import { TwoFactors } from "./tables.ts"

const rememberedBrowsers = {
  challengeWaivers: [waiver],
  graphFields: [viewersBrowsers],
  secondFactorRemoved: forgetAll,
  sessionsRevoked: forgetAll,
}

/** A new password forgets browsers, and counts less for mailed codes if a mailed link set it. */
const passwordChanged = (settings: TwoFactorSettings) =>
  Effect.fnUntraced(function* passwordChanged(user: User) {
    const { path } = (yield* Policies).endpoint
    const forgotten = settings.remember_browser === undefined ? [] : yield* forgetAll(user)
    const noted = !settings.methods.includes("email") ? [] : yield* notePassword(user, path === "/reset-password")
    return [...forgotten, ...noted]
  })

/** What mails call the factor of each method. */
const labels: Readonly<Record<SentMethod, Phrase>> = {
  email: phrase("mail.credential.email_codes"),
  sms: phrase("mail.credential.sms_codes"),
}

/** Keeps the phone number of users to whom codes are sent. */
const factorAccounts = (user_id: string) => Effect.map(isOn("sms", user_id), (isTexted) => (isTexted ? [phoneProvider] : []))

/** A second factor: codes of an authenticator app, and backup codes for users who have lost it; or codes that are sent. */
export const twoFactor = Module.define({
  name: "two_factor",
  errors: Object.values(Errors),
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: TwoFactorSettings,
  faults: ({ methods, required }, { modules = {} }) => [
    ...(required === "none" || methods.includes("totp")
      ? []
      : [{ path: ["methods"], wanted: '"totp" among them, since a required factor is set up as an app' }]),
    ...(!methods.includes("sms") || "phone" in modules ? [] : [{ path: ["methods"], wanted: 'modules.phone as well, for "sms"' }]),
  ],
  parts: (settings) => {
    const remembers = settings.remember_browser !== undefined
    const sent = offeredBy(settings)
    const sends = sent.length > 0
    const hasApps = settings.methods.includes("totp")
    return {
      ...(remembers ? rememberedBrowsers : {}),
      ...(remembers || sends ? { passwordChanged: passwordChanged(settings) } : {}),
      ...(settings.methods.includes("sms") ? { factorAccounts } : {}),
      rowEvents: events,
      endpoints: [
        challenge(settings),
        disable,
        replaceBackupCodes(settings),
        status,
        ...(hasApps ? [enable(settings), confirm, enrol(settings), confirmEnrolment] : []),
        ...(sends ? [...sentCodeEndpoints(settings)] : []),
        ...(remembers ? [browserList, browserRevoke] : []),
      ],
      tables: [
        TwoFactors,
        ...sent.map((method) => factorTables[method]),
        ...(sends ? [SentCodes] : []),
        ...(remembers ? [RememberedBrowsers] : []),
      ],
      challenge: challenger(settings),
      factor: factorOf(settings),
      ...(hasApps ? { factorEnrolment: "two_factor" } : {}),
      administratorsNeedFactor: settings.required !== "none",
      stepUps: stepUpsOf(settings),
      reclaimedTables: [
        { table: TwoFactors, label: phrase("mail.credential.authenticator_app") },
        ...sent.map((method) => ({ table: factorTables[method], label: labels[method] })),
        ...(sends ? [{ table: SentCodes }] : []),
        ...(remembers ? [{ table: RememberedBrowsers }] : []),
      ],
    }
  },
})
