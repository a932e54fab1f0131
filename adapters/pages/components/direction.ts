import { html } from "@remix-run/html-template"

/** Characters that fit on one line of a phone, as text and as a heading. */
const lineLength = 28
const headingLength = 16

/** An address, number or code, which runs from left to right in every language. A long address breaks after a dot or before the `@`. */
export const leftToRight = (text: string, length = lineLength) =>
  html`<bdi dir="ltr">${text.length <= length ? text : text.split(breaks).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}</bdi>`

/** Not before the last label of a domain, which would be alone on its line. */
const breaks = /(?<=\.)(?=.*[.@])|(?=@)/

/** The same as the important word of a sentence. */
export const strongLeftToRight = (text: string) => html`<strong>${leftToRight(text)}</strong>`

/** The same in a heading, whose letters are larger. */
export const headingLeftToRight = (text: string) => leftToRight(text, headingLength)
