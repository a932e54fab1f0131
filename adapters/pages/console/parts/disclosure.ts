import { html, type SafeHtml } from "@remix-run/html-template"

/** A form behind a button that opens it. `isOpen`: after a refusal, so that the fault is seen. */
export const disclosure = (label: string, { isOpen }: { readonly isOpen: boolean }, content: SafeHtml) =>
  html`<details class="confirm"${isOpen ? html.raw` open` : null}><summary class="button small secondary">${label}</summary><div>${content}</div></details>`
