import { Schema } from "effect"
import { isPublicUrl } from "../../../../../domain/values/public-address.ts"
import { isLocal } from "../../../../../domain/values/url.ts"

/** The longest URL of a document. */
const maxLength = 1024

const isPattern = (text: string) => {
  const plain = text.replace(/^https:\/\/\*\./, "https://")
  return isPublicUrl(plain) && URL.parse(plain)?.href === plain && !/[?#]/.test(plain)
}

/** Which documents a rule means: one URL, all of a host (`https://host/`), or all below a domain (`https://*.domain/`). */
export const Pattern = Schema.String.check(
  Schema.makeFilter(isPattern, { expected: "an https URL, https://host/ or https://*.domain/, in lower case" }),
)

/** A pattern, or `any`. */
export const Permission = Schema.String.check(
  Schema.makeFilter((text: string) => text === "any" || isPattern(text), {
    expected: "any, an https URL, https://host/ or https://*.domain/, in lower case",
  }),
)

/** The documents that this service reads. */
export interface Permitted {
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
}

const isMatch = (url: URL) => (pattern: string) => {
  if (pattern === url.href) return true
  const [, wildcard, host] = /^https:\/\/(\*\.)?([^/]+)\/$/.exec(pattern) ?? []
  if (host === undefined) return false
  return wildcard === undefined ? url.host === host : url.host.endsWith(`.${host}`)
}

/** The URL of a document. `isNamed`: whether the configuration names it, its host or its domain. */
export interface DocumentUrl {
  readonly url: URL
  readonly isNamed: boolean
}

/**
 * The URL of a client ID metadata document, if it has the form that all parsers read in the same way, a path, neither query nor user, and
 * the default port unless a rule names another. With `isLocalPermitted` also one of this machine, for development.
 */
export const documentUrl = (text: string, { allow, deny }: Permitted, isLocalPermitted: boolean): DocumentUrl | undefined => {
  const url = text.length <= maxLength && /^https?:\/\/[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  if (url === null || url.href !== text || url.pathname === "/" || /[?#@\\]/.test(text)) return undefined
  if (isLocalPermitted && isLocal(url)) return { url, isNamed: false }
  if (!isPublicUrl(text) || deny.some(isMatch(url))) return undefined
  const isNamed = allow.some(isMatch(url))
  return isNamed || (allow.includes("any") && url.port === "") ? { url, isNamed } : undefined
}
