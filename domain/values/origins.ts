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
