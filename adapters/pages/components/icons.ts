import { html, type SafeHtml } from "@remix-run/html-template"

/** A file of `icons/`. `assets.ts` makes its style rule. */
type IconName = "envelope" | "passkey" | "phone" | "wallet" | Mark

/** The providers whose marks are here. */
const marks = ["apple", "github", "google", "microsoft"] as const
type Mark = (typeof marks)[number]

/** A label behind an icon in the colour of the text. They are one line of text, so that a label that wraps keeps its icon. */
export const withIcon = (name: IconName, label: string): SafeHtml =>
  html`<span><span class="icon icon-${name}" aria-hidden="true"></span>${label}</span>`

/** A label behind the mark of a provider, or else behind the first letter of its name. */
export const withMark = (provider: string, name: string, label: string): SafeHtml => {
  const mark = marks.find((each) => each === provider)
  if (mark !== undefined) return withIcon(mark, label)
  const [first = ""] = name
  return html`<span><span class="icon initial" aria-hidden="true">${first.toUpperCase()}</span>${label}</span>`
}
