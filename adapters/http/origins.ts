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
  "access-control-allow-headers": "content-type, authorization, dpop, if-match, idempotency-key",
  "access-control-max-age": "600",
}
