/** A text for the terminal, without control characters: these could control the terminal. */
export const printable = (text: string) => text.replace(/(?!\n)\p{Cc}/gu, "")

/** A text that has to stay within its line. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ")
