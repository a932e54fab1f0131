import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { signedIn } from "./account/frame.ts"
import { copyButton } from "./components/copy.ts"
import { button, form } from "./components/form.ts"
import { Visit } from "./page.ts"
import type { Template } from "./view.ts"

/** New recovery codes, with buttons to download, copy, print and confirm them. */
export const recoveryCodesForm: Template<{ readonly codes: ReadonlyArray<string> }> = (view, { codes }) => {
  const { t } = view.texts
  const print = html`<button type="button" class="small secondary" hidden data-print>${t("recovery_codes.print")}</button>`
  return html`<p>${t("recovery_codes.text")}</p>
<ul class="codes" dir="ltr" id="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
${form(view, {
  action: "saved",
  submit: t("recovery_codes.saved"),
  body: html`<div class="actions">${button(t("recovery_codes.download"), "download", "small secondary")}${copyButton(view, "codes")}${print}</div>`,
})}`
}

/** The new codes of the user, until the user has saved them; undefined without any. */
export const newRecoveryCodes = Effect.gen(function* () {
  const { flow } = yield* Visit
  const { user } = yield* signedIn
  const { recovery_codes } = flow()
  return recovery_codes?.user_id === user.id ? recovery_codes.codes : undefined
})

/** The new codes as a file. A response needs no script, and works where browsers do not save `data:` addresses. */
export const downloadRecoveryCodes = Effect.gen(function* () {
  const { view } = yield* Visit
  const { user } = yield* signedIn
  const codes = yield* newRecoveryCodes
  if (codes === undefined) return { to: view.here }
  const heading = view.texts.t("recovery_codes.file", { service: view.branding.name, account: user.email })
  return { file: { name: "recovery-codes.txt", text: `${heading}\n\n${codes.join("\n")}\n` } }
})
