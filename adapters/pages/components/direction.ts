import { html } from "@remix-run/html-template"

/** Characters that fit on one line of a phone. */
const lineLength = 28

/** An address, number or code, which runs from left to right in every language. A long address breaks after a dot or before the `@`. */
export const leftToRight = (text: string) =>
  html`<bdi dir="ltr">${text.length <= lineLength ? text : text.split(breaks).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}</bdi>`

/** Not before the last label of a domain, which would be alone on its line. */
const breaks = /(?<=\.)(?=.*[.@])|(?=@)/

/** The same as the important word of a sentence. */
export const strongLeftToRight = (text: string) => html`<strong>${leftToRight(text)}</strong>`
