import { html } from "@remix-run/html-template"

/** Characters that fit on one line of a phone, as text and as a heading. */
const lineLength = 28
const headingLength = 16

/**
 * An address, number or code, which runs from left to right in every language. A long one breaks after a dot, before the `@`, in the middle
 * of an IP address, or before the parts of a path.
 */
export const leftToRight = (text: string, length = lineLength) =>
  html`<bdi dir="ltr">${text.length <= length ? text : broken(text.split(breaks))}</bdi>`

/** Not before the last label of a domain, which would be alone on its line. */
const breaks = /(?<=\.)(?=.*[.@])|(?=@)|(?<=^(?:[\da-f]*:){4})(?=[\da-f])|(?<=[^/:])(?=\/)/

const broken = (parts: ReadonlyArray<string>) => html`${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`

/** Characters of a word that fit in a column of a table. */
const wordLength = 18

/** A word of the service or the configuration. A long one breaks after dots, colons, underscores and slashes, as seldom as possible. */
export const inParts = (word: string) => {
  const lines: Array<string> = []
  for (const part of word.split(/(?<=[._:/])(?=[^._:/])/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + part.length > wordLength) lines.push(part)
    else lines[lines.length - 1] = line + part
  }
  return broken(lines)
}

/** The same as the important word of a sentence. */
export const strongLeftToRight = (text: string) => html`<strong>${leftToRight(text)}</strong>`

/** The same in a heading, whose letters are larger. */
export const headingLeftToRight = (text: string) => leftToRight(text, headingLength)
