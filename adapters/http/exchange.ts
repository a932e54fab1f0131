import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import type { Reply } from "../../application/service/endpoint.ts"
import type { Caller } from "../../domain/sessions/caller.ts"
import { Settings } from "../../domain/settings.ts"
import { sessionCookie } from "./session-cookie.ts"

/** As much of a `User-Agent` as a session keeps. */
const maxUserAgent = 500

/** How a session travels over HTTP, whichever shell speaks: in with the request, out with the answer. */
export const makeExchange = ({ sessionTransports }: Pick<Auth<unknown>, "sessionTransports">) =>
  Effect.map(Settings, (settings) => {
    const cookie = sessionCookie(settings)

    const carried = ({ headers }: HttpServerRequest.HttpServerRequest) => {
      for (const { read } of sessionTransports) {
        const credential = read((name) => headers[name])
        if (credential !== null) return credential
      }
      return null
    }

    /** Who sent a request. The cookie wins where there are several ways. */
    const callerOf = (request: HttpServerRequest.HttpServerRequest, address: string | null): Caller["Service"] => ({
      credential: request.cookies[cookie.name] ?? carried(request),
      cookies: request.cookies,
      authorization: request.headers["authorization"] ?? null,
      from_browser: request.headers["sec-fetch-site"] !== undefined,
      ip_address: address,
      user_agent: request.headers["user-agent"]?.slice(0, maxUserAgent) ?? null,
    })

    /** What a reply or a refusal leaves with the caller, on the response that carries it. */
    const answer = (response: HttpServerResponse.HttpServerResponse, reply: Omit<Reply<unknown>, "body">) => {
      const { session } = reply
      const withCookies = cookie.apply(reply.location === undefined ? response : sentOn(response, reply.location), reply)
      if (session === "keep" || session === "clear") return withCookies
      return HttpServerResponse.setHeaders(
        withCookies,
        Object.fromEntries(sessionTransports.map(({ field }) => [field, session.credential])),
      )
    }
    return { callerOf, answer }
  })

/** Browsers go on with a GET after 302, also from a POST; 307 would have them send credentials along (RFC 9700 section 4.12). */
const sentOn = (response: HttpServerResponse.HttpServerResponse, location: string) =>
  HttpServerResponse.setHeader(HttpServerResponse.setStatus(response, 302), "location", location)

/** Somebody of whom nothing is known but their address: what a page of any origin may be to us. */
export const anonymous = (caller: Caller["Service"]): Caller["Service"] => ({ ...caller, credential: null, cookies: {} })
