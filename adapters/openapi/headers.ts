import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { SessionTransport } from "../../application/service/module.ts"
import { canChangeSession } from "../http/exchange.ts"
import { headerMembersOf, isVersioned } from "../http/header-members.ts"
import { component, type Json } from "./json.ts"

const integer = { type: "integer", minimum: 0 }
const text = { type: "string" }

type Transports = ReadonlyArray<SessionTransport>

/** The header fields of responses. Each is optional: none is in every response. */
export const headerComponents = (transports: Transports): Json => ({
  ...Object.fromEntries(
    transports.map(({ field }) => [field, { description: "The new value of the session; empty where it ends.", schema: text }]),
  ),
  ETag: { description: "The `version` of what the body shows, as an entity tag.", schema: text },
  "Idempotency-Replayed": {
    description: "`true` where an earlier request with the same `Idempotency-Key` got this answer.",
    schema: { ...text, enum: ["true"] },
  },
  Location: { description: "Where the browser is redirected.", schema: { ...text, format: "uri" } },
  "RateLimit-Limit": { description: "The requests of the budget that counted this one.", schema: integer },
  "RateLimit-Remaining": { description: "The requests that are left in the budget.", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the budget is full again.", schema: integer },
  "Retry-After": { description: "Seconds until a retry can succeed.", schema: { ...integer, minimum: 1 } },
  "Session-Changed": {
    description: "`?1` where clients should read the session again: it began or ended, or its user or rights may have changed.",
    schema: { ...text, enum: ["?1"] },
  },
  "Set-Cookie": {
    description: "The session cookie, where the response begins, renews or ends the session, and cookies of modules.",
    schema: text,
  },
  "WWW-Authenticate": { description: "How to authenticate (RFC 9110 section 11.6.1).", schema: text },
})

const credentialFields = (transports: Transports) => ["Set-Cookie", ...transports.map(({ field }) => field)]

/** The header fields about the session in a successful response. Endpoints for pages of any origin have none, since they get no session. */
export const sessionFields = (endpoint: AnyEndpoint, transports: Transports): ReadonlyArray<string> => {
  if (endpoint.protocol?.anyOrigin === true) return []
  return canChangeSession(endpoint) ? changeFields(transports) : credentialFields(transports)
}

/** The header fields of a response that changes the session. */
export const changeFields = (transports: Transports): ReadonlyArray<string> => [...credentialFields(transports), "Session-Changed"]

/** The header fields of a response with this status; `session` are those about the session. */
export const headersOf = (endpoint: AnyEndpoint, status: number, session: ReadonlyArray<string>): Json => {
  const { protocol } = endpoint
  const fields = [
    ...session,
    ...(status < 300 && isVersioned(endpoint) ? ["ETag"] : []),
    ...(status < 300 && headerMembersOf(endpoint).includes("idempotency_key") ? ["Idempotency-Replayed"] : []),
    ...(status === 302 ? ["Location"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...(protocol?.refusal !== undefined && (status === 400 || status === 401) ? ["WWW-Authenticate"] : []),
    ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
  ]
  return Object.fromEntries(fields.map((field) => [field, component("headers", field)]))
}
