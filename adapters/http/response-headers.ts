import { Duration } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import type { Consumed } from "../../domain/limits/limits.ts"

type Headers = Readonly<Record<string, string>>

/** The headers of every response, which is JSON for one caller: not cacheable, and never rendered as a page. */
export const securityHeaders = (publicUrl: string): Headers => ({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
})

/** How long a successful response of the endpoint may be kept; it replaces the default of `securityHeaders`. */
export const cacheHeaders = ({ protocol }: AnyEndpoint): Headers =>
  protocol?.maxAge === undefined ? {} : { "cache-control": `public, max-age=${protocol.maxAge}` }

/** Announces that clients should read the session again (RFC 9651 boolean); `outcomeOf` of `exchange.ts` decides when. */
export const sessionChanged: Headers = { "session-changed": "?1" }

/** The `ratelimit-*` fields of the budget that counted the request. */
export const limitHeaders = (consumed: Consumed | null): Headers =>
  consumed === null ? {} : budgetHeaders(consumed.limit, consumed.remaining, Math.ceil(Duration.toSeconds(consumed.resetAfter)))

/** `retry-after`, in seconds, and the `ratelimit-*` fields of the budget that refused the request. */
export const retryHeaders = (error: AuthError): Headers => {
  const seconds = error.retryAfter ?? (error.status === 503 ? 1 : undefined)
  if (seconds === undefined) return {}
  const retry = { "retry-after": String(seconds) }
  return error.limit === undefined ? retry : { ...retry, ...budgetHeaders(error.limit, 0, seconds) }
}

const budgetHeaders = (limit: number, remaining: number, reset: number): Headers => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
})
