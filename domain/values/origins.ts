/** Decides whether the `Origin` of a request is trusted. */
export type OriginTrust = "none" | "own" | "trusted" | "untrusted"

/** Classifies origins: the service's own, those listed, and for `https://*.example.com` every host below example.com. */
export const makeOriginClassifier = (publicUrl: string, trusted: ReadonlyArray<string>) => {
  const isWildcard = (entry: string) => entry.startsWith("https://*.")
  const exact = new Set(trusted.filter((entry) => !isWildcard(entry)))
  const suffixes = trusted.filter(isWildcard).map((entry) => entry.slice("https://*".length))
  const isBelow = (origin: string, suffix: string) =>
    /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) && origin.endsWith(suffix) && origin.length > "https://".length + suffix.length

  return (origin: string | undefined): OriginTrust => {
    if (origin === undefined) return "none"
    if (origin === publicUrl) return "own"
    return exact.has(origin) || suffixes.some((suffix) => isBelow(origin, suffix)) ? "trusted" : "untrusted"
  }
}

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
