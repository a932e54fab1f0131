import { Duration } from "effect"
import type { Consumed } from "../../application/Limits.ts"
import type { AuthError } from "../../domain/Errors.ts"

type Headers = Readonly<Record<string, string>>

/** What every answer carries: it is JSON for one caller, never a page, and nobody keeps a copy. */
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

/** What is left of the caller's budget of requests. */
export const limitHeaders = (consumed: Consumed | null): Headers =>
  consumed === null
    ? {}
    : {
        "ratelimit-remaining": String(consumed.remaining),
        "ratelimit-reset": String(Math.ceil(Duration.toSeconds(consumed.resetAfter))),
      }

/** When trying again can succeed; whichever budget it was that is used up, nothing is left of it. */
export const retryHeaders = (error: AuthError): Headers => {
  const seconds = error.retryAfter ?? (error.status === 503 ? 1 : undefined)
  if (seconds === undefined) return {}
  const retry = { "retry-after": String(seconds) }
  return error._tag === "rate_limited" ? { ...retry, "ratelimit-remaining": "0", "ratelimit-reset": String(seconds) } : retry
}
