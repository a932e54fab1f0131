import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { type AnyEndpoint, countsOnAddress, type Reply } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import type { Caller } from "../../domain/sessions/caller.ts"
import { Settings } from "../../domain/settings.ts"
import { isFromBrowser } from "./navigations.ts"
import { sessionChanged } from "./response-headers.ts"
import { sessionCookie } from "./session-cookie.ts"
import { HttpSettings } from "./settings.ts"

/** The result of a call without its body. The header fields of the response express it. */
export interface Outcome extends Omit<Reply<unknown>, "body"> {
  /** Whether clients should read the session again (`Session-Changed`). */
  readonly changed: boolean
}

/**
 * The outcome of a successful call. A reply changes the session if it begins, replaces or ends it. A POST with a session may have changed
 * its user or rights. An extension does not count as a change: otherwise every tab would read the session again after each extension.
 */
export const outcomeOf = (endpoint: AnyEndpoint, { body: _, ...reply }: Reply<unknown>, caller: Caller["Service"]): Outcome => {
  const { session } = reply
  const isOther = session !== "keep" && (session === "clear" || session.credential !== caller.credential)
  return { ...reply, changed: isOther || (endpoint.method === "POST" && endpoint.access !== "public") }
}

/** The outcome of a refused call. */
export const refusalOutcome = ({ session }: AuthError): Outcome => ({ session, changed: session === "clear" })

/** Whether a success of the endpoint can change the session. A GET with a session can only extend it. */
export const canChangeSession = (endpoint: AnyEndpoint): boolean => endpoint.method === "POST" || countsOnAddress(endpoint)

/** Reads the caller from a request and writes outcomes to a response, for all shells. */
export const makeExchange = ({ sessionTransports }: Pick<Auth<unknown>, "sessionTransports">) =>
  Effect.gen(function* () {
    const cookie = sessionCookie((yield* HttpSettings).cookie, (yield* Settings).session)

    /** The signed session credential of a request. The cookie takes precedence over other transports. */
    const credentialOf = (request: HttpServerRequest.HttpServerRequest): string | null =>
      request.cookies[cookie.name] ?? readTransports(request)

    const readTransports = ({ headers }: HttpServerRequest.HttpServerRequest) => {
      for (const { read } of sessionTransports) {
        const credential = read((name) => headers[name])
        if (credential !== null) return credential
      }
      return null
    }

    /** The caller of a request with bounded header fields. */
    const callerOf = (
      request: HttpServerRequest.HttpServerRequest,
      address: string | null,
      client_certificate: string | null = null,
    ): Caller["Service"] => ({
      credential: credentialOf(request),
      cookies: request.cookies,
      authorization: request.headers["authorization"] ?? null,
      api_key: request.headers["x-api-key"] ?? null,
      accept: request.headers["accept"] ?? null,
      dpop: request.headers["dpop"] ?? null,
      client_certificate,
      from_browser: isFromBrowser(request),
      ip_address: address,
      user_agent: request.headers["user-agent"] ?? null,
      accept_language: request.headers["accept-language"] ?? null,
      origin: request.headers["origin"] ?? null,
    })

    /** The header fields of the session transports, such as `set-auth-token`. An empty value means, as in the cookie, that the session ended. */
    const transportFields = (session: Outcome["session"]) => {
      if (session === "keep") return {}
      return Object.fromEntries(sessionTransports.map(({ field }) => [field, session === "clear" ? "" : session.credential]))
    }

    /** Writes an outcome to the response. */
    const answer = (response: HttpServerResponse.HttpServerResponse, outcome: Outcome) => {
      const { session, location, changed, cookies = [] } = outcome
      if (session === "keep" && !changed && location === undefined && cookies.length === 0) return response
      const withCookies = cookie.apply(location === undefined ? response : redirected(response, location), outcome)
      if (session === "keep" && !changed) return withCookies
      return HttpServerResponse.setHeaders(withCookies, { ...(changed ? sessionChanged : {}), ...transportFields(session) })
    }
    return { credentialOf, callerOf, answer }
  })

/** After a 302 browsers send a GET without the body; a 307 would resend the credentials of a POST (RFC 9700 section 4.12). */
const redirected = (response: HttpServerResponse.HttpServerResponse, location: string) =>
  HttpServerResponse.setHeader(HttpServerResponse.setStatus(response, 302), "location", location)

/** The caller without session and cookies, for endpoints that pages of any origin may call. */
export const anonymous = (caller: Caller["Service"]): Caller["Service"] => ({ ...caller, credential: null, cookies: {} })

/** The caller of the calls that follow a call with this outcome in the same request. */
export const callerAfter = (caller: Caller["Service"], { session, cookies = [] }: Outcome): Caller["Service"] => {
  if (session === "keep" && cookies.length === 0) return caller
  const credential = session === "keep" ? caller.credential : session === "clear" ? null : session.credential
  return { ...caller, credential, cookies: { ...caller.cookies, ...Object.fromEntries(cookies.map(({ name, value }) => [name, value])) } }
}

/** The outcome of a request before its first call. */
export const unchanged: Outcome = { session: "keep", changed: false }

/** The outcome of two calls in one request; the last session counts. */
export const joined = (one: Outcome, other: Outcome): Outcome => ({
  session: other.session === "keep" ? one.session : other.session,
  cookies: [...(one.cookies ?? []), ...(other.cookies ?? [])],
  changed: one.changed || other.changed,
})
