import { html } from "@remix-run/html-template"
import type { View } from "../view.ts"

/** Recovery codes, to print, download or copy. The download needs neither a script nor a request. */
export const recoveryCodes = (view: View, codes: ReadonlyArray<string>) => {
  const { t } = view.texts
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${view.branding.name}\n\n${codes.join("\n")}\n`)}`
  return html`<ul class="codes" dir="ltr">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="actions"><a class="button secondary small" download="recovery-codes.txt" href="${file}">${t("recovery_codes.download")}</a>
<button type="button" class="secondary small" hidden data-print>${t("recovery_codes.print")}</button></div>`
}
