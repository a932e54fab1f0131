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

const exposed = ["x-request-id", "retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "session-changed"]

/** Lets a trusted page send cookies and read the response with these additional header fields. */
export const corsHeaders = (origin: string, fields: ReadonlyArray<string>) => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": [...exposed, ...fields].join(", "),
})

/** Lets any page read the response, without cookies. RFC 6749 section 5.1 requires `Pragma`. */
export const openHeaders = {
  pragma: "no-cache",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": [...exposed, "www-authenticate", "dpop-nonce"].join(", "),
  "cross-origin-resource-policy": "cross-origin",
}

export const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, authorization, dpop",
  "access-control-max-age": "600",
}
