import { readFileSync } from "node:fs"

// Files of `registration.email.lists`: one domain a line, and comments that begin with `#`.

const isDomain = (text: string): boolean => /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text)

/** The domain of a line in ASCII and lower case; null for a line that is not a domain. */
const domainOf = (line: string): string | null => {
  const host = /[/:@?#\\]/.test(line) ? undefined : URL.parse(`https://${line}`)?.hostname
  return host !== undefined && isDomain(host) ? host : null
}

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"))

/** The domains of a file. Throws if it cannot be read. */
export const domainsIn = (path: string): ReadonlyArray<string> => linesOf(path).flatMap(({ text }) => domainOf(text) ?? [])

/** What is wrong with a file, as the words after "wanted"; undefined if nothing is. */
export const listFault = (path: string): string | undefined => {
  try {
    const wrong = linesOf(path).find(({ text }) => domainOf(text) === null)
    return wrong === undefined ? undefined : `a file with a domain in each line, and line ${wrong.number} is none`
  } catch (error) {
    const { code } = Object(error) as { readonly code?: string }
    return `a file that can be read (${code ?? "fault"})`
  }
}
