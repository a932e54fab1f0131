import { html, type SafeHtml } from "@remix-run/html-template"

/** A file of `icons/`. `assets.ts` makes its style rule. */
type IconName = "envelope" | "passkey" | "phone" | "wallet"

/** A label behind an icon in the colour of the text. They are one line of text, so that a label that wraps keeps its icon. */
export const withIcon = (name: IconName, label: string): SafeHtml =>
  html`<span><span class="icon icon-${name}" aria-hidden="true"></span>${label}</span>`

/** A label behind the first letter of a name. */
export const withInitial = (name: string, label: string): SafeHtml => {
  const [first = ""] = name
  return html`<span><span class="icon initial" aria-hidden="true">${first.toUpperCase()}</span>${label}</span>`
}
