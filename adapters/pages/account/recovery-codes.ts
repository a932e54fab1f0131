import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { TwoFactorTotpBackupCodesPayload } from "../../../client/operations.ts"
import { button, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { isEnabled, proofFields, proofOf } from "./authenticator.ts"
import { framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"

/** New recovery codes, which are shown until the user has saved them. */
export const codesTemplate: Template<{ readonly codes: ReadonlyArray<string> }> = (view, { codes }) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.recovery.title") },
    plainCard(
      html`<p>${t("account.recovery.shown")}</p><ul class="codes" dir="ltr">${codes.map((code) => html`<li>${code}</li>`)}</ul>`,
      form(view, {
        action: "done",
        submit: t("account.recovery.done"),
        more: html`${button(t("account.recovery.download"), "download")}<button type="button" class="secondary" hidden data-print>${t("account.recovery.print")}</button>`,
      }),
    ),
  )
}

/** Asks before all recovery codes are replaced. */
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

/** The new codes of the user; undefined without any. */
const fresh = Effect.gen(function* () {
  const { flow } = yield* Visit
  const { user } = yield* signedIn
  const { recovery_codes } = flow()
  return recovery_codes?.user_id === user.id ? recovery_codes.codes : undefined
})

const replace = Effect.gen(function* () {
  const { call, setFlow } = yield* Visit
  const { user } = yield* signedIn
  const replaced = call<TwoFactorTotpBackupCodesPayload>("twoFactorTotpBackupCodes", yield* proofOf)
  const { backup_codes } = yield* replaced
  setFlow({ recovery_codes: { user_id: user.id, codes: backup_codes } })
  return yield* goTo("/account/recovery-codes", "account.recovery.replaced")
})

const download = Effect.gen(function* () {
  const { view } = yield* Visit
  const { user } = yield* signedIn
  const codes = yield* fresh
  if (codes === undefined) return yield* goTo("/account/recovery-codes")
  const heading = view.texts.t("account.recovery.file", { service: view.branding.name, account: user.email })
  return { file: { name: "recovery-codes.txt", text: `${heading}\n\n${codes.join("\n")}\n` } }
})

export const recoveryCodes = page({
  path: "/account/recovery-codes",
  needs: ["twoFactorTotpBackupCodes", "twoFactorTotpStatus"],
  access: "session",
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const { user } = yield* signedIn
    const title = view.texts.t("account.recovery.title")
    const codes = yield* fresh
    if (codes !== undefined) return yield* inSection("security", title, codesTemplate(view, { codes }), ["print"])
    if (!(yield* isEnabled)) return yield* goTo("/account/security")
    return yield* inSection("security", title, template(view, { email: user.email, hasPassword: yield* hasPassword }))
  }),
  actions: { replace, download, done: goTo("/account/security") },
})
