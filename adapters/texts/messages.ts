import type { IntlMessageFormat } from "intl-messageformat"
import { parsed } from "./texts.ts"

type Elements = ReturnType<IntlMessageFormat["getAst"]>

/** The names of the placeholders of a message. Throws if it is no ICU message. */
export const placeholders = (message: string): ReadonlySet<string> => new Set(namesIn(parsed(message, "en").getAst()))

const namesIn = (elements: Elements): ReadonlyArray<string> =>
  elements.flatMap((element) => {
    if (!("value" in element) || element.type === literal) return []
    if (!("options" in element)) return [element.value]
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
  })

/** The type of an element that is plain text. */
const literal = 0

/** The expected form of a message that cannot replace the English text `original`; null if it can. */
export const messageFault = (message: string, original: string): string | null => {
  const names = placeholders(original)
  try {
    const own = placeholders(message)
    const isSame = own.size === names.size && [...own].every((name) => names.has(name))
    return isSame ? null : names.size === 0 ? "a text without placeholders" : `a text with ${inBraces(names)}`
  } catch (error) {
    return `an ICU message (${(error as Error).message})`
  }
}

const inBraces = (names: ReadonlySet<string>) => [...names].map((name) => `{${name}}`).join(", ")
