/**
 * Removes control characters other than line breaks from a text for the terminal: escape sequences could change what the terminal shows.
 */
export const printable = (text: string) => text.replace(/(?!\n)\p{Cc}/gu, "")

/** Replaces line breaks and other whitespace by single spaces, so that a text stays on one line. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ")
