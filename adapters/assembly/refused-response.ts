import type { AuthError } from "../../domain/errors.ts"

/** The response to a request that does not reach the service. */
export const refusedResponse = ({ _tag: code, message, status, retryAfter }: AuthError) =>
  Response.json(
    { error: { code, message } },
    { status, headers: { "cache-control": "no-store", ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) } },
  )
