import { HttpServerResponse } from "effect/http"
import type { Reply } from "../../application/Endpoint.ts"
import type { SettingsValue } from "../../application/Settings.ts"
import type { Cookie } from "../../application/SignedCookie.ts"

/** The cookie that carries a session, as configured (RFC 6265bis §4.1.3 for the `__Host-` prefix), and those of modules with the same attributes. */
export const sessionCookie = ({ cookie, session }: Pick<SettingsValue, "cookie" | "session">) => {
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

  /** What becomes of the caller's session and of what modules keep with the browser, as cookies. */
  const apply = (response: HttpServerResponse.HttpServerResponse, { session: outcome, cookies = [] }: Omit<Reply<unknown>, "body">) => {
    const withCookies = cookies.reduce(add, response)
    if (outcome === "keep") return withCookies
    if (outcome === "clear") return add(withCookies, { name, value: "", max_age: 0 })
    return add(withCookies, { name, value: outcome.credential, max_age: session.expires_in })
  }
  return { name, apply }
}
