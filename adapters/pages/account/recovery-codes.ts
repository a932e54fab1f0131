import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../components/form.ts"
import { Visit } from "../page.ts"
import { downloadRecoveryCodes, newRecoveryCodes, recoveryCodesForm } from "../recovery-codes.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"
import { isEnabled, proofFields, proofOf } from "./second-factor.ts"

/** New recovery codes, which are shown until the user has saved them. */
export const codesTemplate: Template<{ readonly codes: ReadonlyArray<string> }> = (view, props) =>
  framed(view, { title: view.texts.t("recovery_codes.title") }, plainCard(recoveryCodesForm(view, props)))

/** The confirmation before all recovery codes are replaced. */
export const template: Template<{ readonly email: string; readonly hasPassword: boolean }> = (view, owner) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.recovery.title"), parent: "security" },
    plainCard(
      html`<p>${t("account.recovery.about")}</p>`,
      form(view, { action: "replace", submit: t("account.recovery.replace"), body: proofFields(view, owner) }),
    ),
  )
}

const replace = Effect.gen(function* () {
  const { call, setFlow } = yield* Visit
  const { user } = yield* signedIn
  const { backup_codes } = yield* call("twoFactorTotpBackupCodes", yield* proofOf)
  setFlow({ recovery_codes: { user_id: user.id, codes: backup_codes } })
  return yield* goTo("/account/recovery-codes", "account.recovery.replaced")
})

export const recoveryCodes = accountPage({
  path: "/account/recovery-codes",
  needs: ["twoFactorTotpBackupCodes", "twoFactorTotpStatus"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const { user } = yield* signedIn
    const title = view.texts.t("account.recovery.title")
    const codes = yield* newRecoveryCodes
    if (codes !== undefined)
      return yield* inSection("security", view.texts.t("recovery_codes.title"), codesTemplate(view, { codes }), { scripts: ["print"] })
    if (!(yield* isEnabled)) return yield* goTo("/account/security")
    return yield* inSection("security", title, template(view, { email: user.email, hasPassword: yield* hasPassword }))
  }),
  actions: { replace, download: downloadRecoveryCodes, saved: goTo("/account/security") },
})
