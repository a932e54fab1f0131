import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose"
import { type Incoming, reader } from "./incoming.ts"
import { unreadKeys } from "./unread-keys.ts"

export interface ResourceServerOptions {
  /** The provider: `public_url` and `base_path` of the service. */
  readonly issuer: string
  /** The identifier of this server, as in `modules.idp.resources`: the `aud` of its access tokens (RFC 8707). */
  readonly resource: string
  /** The name that clients show. */
  readonly name?: string
  /** The scopes that a client needs for most requests. */
  readonly scopes?: ReadonlyArray<string>
  /** Where the public keys of the provider are, if not at `{issuer}/oauth2/jwks`. */
  readonly jwksUrl?: string
  /**
   * A client of the provider with `resource_server`, which asks it about each token: tokens can then be opaque, and end at once when a user
   * revokes them. Without it, the signature is verified here, and a token lives until its `exp`.
   */
  readonly introspection?: { readonly client_id: string; readonly client_secret: string }
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds after which the provider counts as unavailable. */
  readonly timeout?: number
}

/** Who sent a request, and what the access token permits. */
export interface Authorized {
  readonly status: "authorized"
  /** The user, or the client itself for a token without a user. */
  readonly subject: string
  readonly client_id: string
  readonly scopes: ReadonlyArray<string>
  /** The party that acts for the user (`act`, RFC 8693 section 4.1). */
  readonly actor: unknown
  /** Seconds since 1970. */
  readonly expires_at: number
  readonly token: string
}

/** The response to a request that is not permitted: `Response.json(body, { status, headers })`. */
export interface Refusal {
  readonly status: 401 | 403 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: string; readonly error_description: string }
}
/** `reason`: for the log, why the provider could not be asked, such as a wrong secret of `introspection`. */
export type Authorization = Authorized | { readonly status: "refused"; readonly refusal: Refusal; readonly reason?: string }

export interface ResourceServer {
  /** The metadata of this server (RFC 9728 section 2). */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The path at which clients read it (RFC 9728 section 3.1). */
  readonly metadataPath: string
  /** Answers a request for the metadata; undefined for any other request. */
  readonly respond: (request: Request) => Response | undefined
  /** Checks the access token of a request, and that it has all of these scopes. */
  readonly authorize: (request: Incoming, needed?: { readonly scopes?: ReadonlyArray<string> }) => Promise<Authorization>
}

/** The claims of a valid token; undefined for one that is not valid. Fails if the provider does not answer. */
type Check = (token: string) => Promise<JWTPayload | undefined>

/** The tolerance for clocks that differ, in seconds. */
const clockTolerance = 5
const algorithms = ["EdDSA", "Ed25519", "ES256", "RS256"]

/** Verifies the signature by the published keys (RFC 9068 section 4). */
const bySignature = ({ issuer, resource, jwksUrl = `${issuer}/oauth2/jwks`, fetch, timeout = 3000 }: ResourceServerOptions): Check => {
  const own = fetch === undefined ? {} : { [customFetch]: fetch }
  const keys = createRemoteJWKSet(new URL(jwksUrl), { cacheMaxAge: 5 * 60_000, timeoutDuration: timeout, ...own })
  return async (token) => {
    try {
      const options = { issuer, audience: resource, algorithms, typ: "at+jwt", requiredClaims: ["sub", "client_id", "exp"], clockTolerance }
      return (await jwtVerify(token, keys, options)).payload
    } catch (error) {
      if (error instanceof errors.JOSEError && !unreadKeys.includes(error.code)) return undefined
      throw error
    }
  }
}

/** Asks the provider (RFC 7662). */
const byIntrospection =
  (client: NonNullable<ResourceServerOptions["introspection"]>) =>
  ({ issuer, fetch = globalThis.fetch, timeout = 3000 }: ResourceServerOptions): Check => {
    const credentials = btoa(`${encodeURIComponent(client.client_id)}:${encodeURIComponent(client.client_secret)}`)
    return async (token) => {
      const response = await fetch(`${issuer}/oauth2/introspect`, {
        method: "POST",
        headers: { authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ token }),
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      })
      if (!response.ok) throw new Error(`the provider answered ${response.status}`)
      const claims = (await response.json()) as JWTPayload & { readonly active?: unknown }
      return claims.active === true ? claims : undefined
    }
  }

const tokenOf = ({ headers }: Incoming) => /^bearer +(\S+) *$/i.exec(reader(headers)("authorization") ?? "")?.[1]

/**
 * A server that accepts access tokens of the provider, such as one of the Model Context Protocol. A token counts only if it is for this
 * server alone. One that is bound to a key is refused, because this function does not check the proof.
 */
export const createResourceServer = (options: ResourceServerOptions): ResourceServer => {
  const { issuer, resource, name, scopes = [], introspection } = options
  const check = (introspection === undefined ? bySignature : byIntrospection(introspection))(options)
  const { origin, pathname } = new URL(resource)
  const metadataPath = `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    ...(name === undefined ? {} : { resource_name: name }),
  }

  const refused = (status: 401 | 403 | 503, error: string, error_description: string, needed = scopes): Authorization => {
    const parameters = {
      ...(status === 401 && error === "unauthorized" ? {} : { error, error_description }),
      ...(needed.length === 0 ? {} : { scope: needed.join(" ") }),
      resource_metadata: `${origin}${metadataPath}`,
    }
    const challenge = Object.entries(parameters).map(([key, value]) => `${key}="${value}"`)
    const headers = status === 503 ? { "retry-after": "1" } : { "www-authenticate": `Bearer ${challenge.join(", ")}` }
    return {
      status: "refused",
      refusal: { status, headers: { ...headers, "cache-control": "no-store" }, body: { error, error_description } },
    }
  }

  return {
    metadata,
    metadataPath,
    respond: (request) => {
      if (new URL(request.url).pathname !== metadataPath) return undefined
      const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "cache-control": "public, max-age=3600" }
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers })
      if (request.method !== "GET" && request.method !== "HEAD")
        return new Response(null, { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } })
      return Response.json(metadata, { headers })
    },
    authorize: async (request, { scopes: needed = scopes } = {}) => {
      const token = tokenOf(request)
      if (token === undefined) return refused(401, "unauthorized", "An access token is required.", needed)
      let claims: JWTPayload | undefined
      try {
        claims = await check(token)
      } catch (error) {
        // Not 401: the client would ask the user to sign in again.
        const reason = error instanceof Error ? error.message : String(error)
        return { ...refused(503, "temporarily_unavailable", "The provider does not answer."), reason }
      }
      const { sub, client_id, scope = "", exp, aud, cnf } = claims ?? {}
      const isOurs = aud === resource && cnf === undefined && typeof client_id === "string" && typeof exp === "number"
      if (!isOurs || typeof scope !== "string") return refused(401, "invalid_token", "The access token is not valid here.", needed)
      const granted = scope.split(" ").filter((each) => each !== "")
      if (!needed.every((each) => granted.includes(each))) {
        return refused(403, "insufficient_scope", "The access token lacks a scope.", needed)
      }
      return {
        status: "authorized",
        subject: sub ?? client_id,
        client_id,
        scopes: granted,
        actor: claims?.["act"] ?? null,
        expires_at: exp,
        token,
      }
    },
  }
}
