import { makeOriginClassifier } from "./origins.ts"

/**
 * Where visitors may be sent after a page: this service's own origin and the trusted origins. Returns the parsed address, relative for the
 * own origin; null for any other text, so that no link makes this service redirect to a site of an attacker (CWE-601).
 */
export const makeReturnTarget = (publicUrl: string, trustedOrigins: ReadonlyArray<string>) => {
  const trustOf = makeOriginClassifier(publicUrl, trustedOrigins)
  return (text: string | null): string | null => {
    if (text === null || !/^(\/(?!\/)|https?:\/\/)[\x21-\x5b\x5d-\x7e]{0,2000}$/i.test(text)) return null
    const url = URL.parse(text, publicUrl)
    if (url === null || url.username !== "" || url.password !== "") return null
    const trust = trustOf(url.origin)
    if (trust === "own") return `${url.pathname.replace(/^\/+/, "/")}${url.search}${url.hash}`
    return trust === "trusted" ? url.href : null
  }
}
