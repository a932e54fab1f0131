import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { SessionTransport } from "../../application/service/module.ts"
import type { Json } from "./json.ts"
import { component } from "./json.ts"

const integer = { type: "integer", minimum: 0 }
const text = { type: "string" }

/** The header fields of responses. Each is optional: none is in every response. */
export const headerComponents = (transports: ReadonlyArray<SessionTransport>): Json => ({
  ...Object.fromEntries(
    transports.map(({ field }) => [field, { description: "The new value of the session, where there is one.", schema: text }]),
  ),
  Location: { description: "Where the browser is redirected.", schema: { ...text, format: "uri" } },
  "RateLimit-Limit": { description: "The requests of the budget that counted this one.", schema: integer },
  "RateLimit-Remaining": { description: "The requests that are left in the budget.", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the budget is full again.", schema: integer },
  "Retry-After": { description: "Seconds until a retry can succeed.", schema: { ...integer, minimum: 1 } },
  "Set-Cookie": {
    description: "The session cookie, where the response begins, renews or ends the session, and cookies of modules.",
    schema: text,
  },
  "WWW-Authenticate": { description: "How to authenticate (RFC 9110 section 11.6.1).", schema: text },
})

/** The header fields of a response with this status. */
export const headersOf = (endpoint: AnyEndpoint, status: number, transports: ReadonlyArray<SessionTransport> = []): Json => {
  const { protocol } = endpoint
  const fields = [
    ...(status < 400 && protocol?.anyOrigin !== true ? ["Set-Cookie", ...transports.map(({ field }) => field)] : []),
    ...(status === 403 ? ["Set-Cookie"] : []),
    ...(status === 302 ? ["Location"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...(protocol?.refusal !== undefined && (status === 400 || status === 401) ? ["WWW-Authenticate"] : []),
    ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
  ]
  return Object.fromEntries(fields.map((field) => [field, component("headers", field)]))
}
