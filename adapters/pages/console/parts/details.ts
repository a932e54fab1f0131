import { html, type SafeHtml } from "@remix-run/html-template"

/** Names with their values; those without a value are left out. */
export const details = (entries: ReadonlyArray<readonly [label: string, value: SafeHtml | string | null]>) =>
  html`<dl class="details">${entries.map(([label, value]) => (value === null ? null : html`<div><dt>${label}</dt><dd>${value}</dd></div>`))}</dl>`
