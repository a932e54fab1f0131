import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import type { Reply } from "../../application/service/endpoint.ts"
import type { Caller } from "../../domain/sessions/caller.ts"
import { Settings } from "../../domain/settings.ts"
import { sessionChanged } from "./response-headers.ts"
import { sessionCookie } from "./session-cookie.ts"

/** A longer `User-Agent` is cut before a session stores it. */
const maxUserAgentLength = 500

/** Reads the caller from a request and writes sessions and cookies to a response, for REST and GraphQL. */
export const makeExchange = ({ sessionTransports }: Pick<Auth<unknown>, "sessionTransports">) =>
  Effect.map(Settings, (settings) => {
    const cookie = sessionCookie(settings)

    const readTransports = ({ headers }: HttpServerRequest.HttpServerRequest) => {
      for (const { read } of sessionTransports) {
        const credential = read((name) => headers[name])
        if (credential !== null) return credential
      }
      return null
    }

    /** The caller of a request. The cookie takes precedence over other transports. */
    const callerOf = (request: HttpServerRequest.HttpServerRequest, address: string | null): Caller["Service"] => ({
      credential: request.cookies[cookie.name] ?? readTransports(request),
      cookies: request.cookies,
      authorization: request.headers["authorization"] ?? null,
      from_browser: request.headers["sec-fetch-site"] !== undefined,
      ip_address: address,
      user_agent: request.headers["user-agent"]?.slice(0, maxUserAgentLength) ?? null,
    })

    /** Writes the session, cookies and redirect of a reply or refusal to the response. */
    const answer = (response: HttpServerResponse.HttpServerResponse, reply: Omit<Reply<unknown>, "body">) => {
      const { session } = reply
      const withCookies = cookie.apply(reply.location === undefined ? response : redirected(response, reply.location), reply)
      if (session === "keep") return withCookies
      if (session === "clear") return HttpServerResponse.setHeaders(withCookies, sessionChanged)
      const transports = Object.fromEntries(sessionTransports.map(({ field }) => [field, session.credential]))
      return HttpServerResponse.setHeaders(withCookies, { ...sessionChanged, ...transports })
    }
    return { callerOf, answer }
  })

/** After a 302 browsers send a GET without the body; a 307 would resend the credentials of a POST (RFC 9700 section 4.12). */
const redirected = (response: HttpServerResponse.HttpServerResponse, location: string) =>
  HttpServerResponse.setHeader(HttpServerResponse.setStatus(response, 302), "location", location)

/** The caller without session and cookies, for endpoints that pages of any origin may call. */
export const anonymous = (caller: Caller["Service"]): Caller["Service"] => ({ ...caller, credential: null, cookies: {} })
