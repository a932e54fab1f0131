import { HttpServerResponse } from "effect/http"
import type { Reply } from "../../application/service/endpoint.ts"
import type { Cookie } from "../../domain/sessions/signed-cookie.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import type { HttpSettings } from "./settings.ts"

/** Writes the session cookie as configured (RFC 6265bis §4.1.3 for the `__Host-` prefix), and cookies of modules with the same attributes. */
export const sessionCookie = (cookie: HttpSettings["Service"]["cookie"], session: SettingsValue["session"]) => {
  const hostOnly = cookie.host_prefix && cookie.secure
  const name = hostOnly ? `__Host-${cookie.name}` : cookie.name
  const attributes = {
    httpOnly: cookie.http_only,
    secure: cookie.secure,
    sameSite: cookie.same_site.toLowerCase() as "lax" | "strict" | "none",
    path: hostOnly ? "/" : cookie.path,
    ...(cookie.host_prefix || cookie.domain === null ? {} : { domain: cookie.domain }),
  }

  const add = (response: HttpServerResponse.HttpServerResponse, { name, value, max_age, from_elsewhere = false }: Cookie) =>
    HttpServerResponse.setCookieUnsafe(response, name, value, {
      ...attributes,
      ...(from_elsewhere && attributes.sameSite === "strict" ? { sameSite: "lax" } : {}),
      maxAge: max_age === 0 ? 0 : `${max_age} seconds`,
    })

  const applySession = (response: HttpServerResponse.HttpServerResponse, outcome: Reply<unknown>["session"]) => {
    if (outcome === "keep") return response
    if (outcome === "clear") return add(response, { name, value: "", max_age: 0 })
    return add(response, { name, value: outcome.credential, max_age: session.expires_in })
  }

  /** The session cookie comes first: simple clients read only the first cookie. */
  const apply = (response: HttpServerResponse.HttpServerResponse, { session: outcome, cookies = [] }: Omit<Reply<unknown>, "body">) =>
    cookies.reduce(add, applySession(response, outcome))
  return { name, apply }
}
