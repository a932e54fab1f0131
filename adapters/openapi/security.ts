import { type AnyEndpoint, classOf } from "../../application/service/endpoint.ts"
import type { SessionTransport } from "../../application/service/module.ts"
import type { Json } from "./json.ts"

export interface Ways {
  readonly transports: ReadonlyArray<SessionTransport>
  /** The name of the session cookie. */
  readonly cookie: string
  readonly takesApiKeys: boolean
}

/** The ways to authenticate. Sessions come in the cookie or, where a module reads it, in `Authorization: Bearer`. */
export const securityOf = (endpoints: ReadonlyArray<AnyEndpoint>, { transports, cookie, takesApiKeys }: Ways) => {
  const session = {
    cookie: { type: "apiKey", in: "cookie", name: cookie, description: "The session cookie." },
    ...(transports.some(readsBearer)
      ? { bearer: { type: "http", scheme: "bearer", description: "The session's value from the response field `set-auth-token`." } }
      : {}),
  }
  const all: Json = {
    ...session,
    client: { type: "http", scheme: "basic", description: "The id and the secret of an OAuth client (RFC 6749 section 2.3.1)." },
    access_token: { type: "http", scheme: "bearer", description: "An access token of an OAuth client (RFC 6750)." },
    api_key: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key." },
    api_key_bearer: { type: "http", scheme: "bearer", description: "The same API key, such as `spk_s_…`, as a bearer token." },
  }
  const issuesTokens = endpoints.some(({ path }) => path === "/oauth2/token")

  const ofMachines = [...(issuesTokens ? ["access_token"] : []), ...(takesApiKeys ? ["api_key", "api_key_bearer"] : [])]

  const requirementsOf = (endpoint: AnyEndpoint): ReadonlyArray<Json> => {
    if (endpoint.access !== "public") {
      return [...Object.keys(session), ...(typeof endpoint.access === "object" ? ofMachines : [])].map((scheme) => ({ [scheme]: [] }))
    }
    if (endpoint.protocol?.client !== undefined) return [{ client: [] }, {}]
    if (!takesAccessToken(endpoint)) return []
    const isInForm = endpoint.method === "POST" && endpoint.protocol?.form === true
    return isInForm ? [{ access_token: [] }, {}] : [{ access_token: [] }]
  }

  const used = new Set(endpoints.flatMap((endpoint) => requirementsOf(endpoint).flatMap(Object.keys)))
  return { requirementsOf, schemes: Object.fromEntries(Object.entries(all).filter(([scheme]) => used.has(scheme))) }
}

const readsBearer = ({ read }: SessionTransport) => read((name) => (name === "authorization" ? "Bearer c2VjcmV0" : undefined)) !== null

/** Public endpoints that answer `unauthorized` demand a credential of their protocol. */
const takesAccessToken = ({ access, protocol, errors }: AnyEndpoint): boolean =>
  access === "public" && protocol?.anyOrigin === true && errors.some((declared) => classOf(declared).code === "unauthorized")
