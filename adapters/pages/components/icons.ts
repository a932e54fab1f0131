import { html, type SafeHtml } from "@remix-run/html-template"

/** A file of `icons/`. `assets.ts` makes its style rule. */
type IconName = "envelope" | "passkey" | "phone" | "wallet"

/** A label behind an icon in the colour of the text. */
export const withIcon = (name: IconName, label: string): SafeHtml =>
  html`<span class="icon icon-${name}" aria-hidden="true"></span><span>${label}</span>`

/** A label behind the first letter of a name. */
export const withInitial = (name: string, label: string): SafeHtml => {
  const [first = ""] = name
  return html`<span class="icon initial" aria-hidden="true">${first.toUpperCase()}</span><span>${label}</span>`
}
