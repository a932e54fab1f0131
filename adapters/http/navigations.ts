import type { HttpServerRequest } from "effect/http"

/** Browsers accept `text/html` where they navigate, and only there. */
const acceptsPages = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /(^|,)\s*text\/html\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/i.test(headers["accept"] ?? "")

/** Whether a person waits for the response. */
export const isNavigation = (request: HttpServerRequest.HttpServerRequest): boolean =>
  (request.method === "GET" || request.method === "HEAD") && acceptsPages(request)

/**
 * Whether a browser sent the request, as far as its header fields say. Some browsers send no Fetch Metadata (Safari before 16.4, and every
 * browser over plain http to a host other than localhost). A site of an attacker can make them navigate here. It can also make them load
 * a picture from here, but then they refuse cookies with `SameSite`.
 */
export const isFromBrowser = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["sec-fetch-site"] !== undefined || acceptsPages(request)
