import { HttpServerResponse } from "effect/http"
import type { Reply } from "../../application/Endpoint.ts"
import type { SettingsValue } from "../../application/Settings.ts"

/** The cookie that carries a session, as configured (RFC 6265bis §4.1.3 for the `__Host-` prefix). */
export const sessionCookie = ({ cookie, session }: Pick<SettingsValue, "cookie" | "session">) => {
  const hostOnly = cookie.host_prefix && cookie.secure
  const name = hostOnly ? `__Host-${cookie.name}` : cookie.name
  const attributes = {
    httpOnly: cookie.http_only,
    secure: cookie.secure,
    sameSite: cookie.same_site.toLowerCase() as "lax" | "strict" | "none",
    path: hostOnly ? "/" : cookie.path,
    ...(hostOnly || cookie.domain === null ? {} : { domain: cookie.domain }),
  }

  /** What becomes of the caller's session, as a cookie. */
  const apply = (response: HttpServerResponse.HttpServerResponse, outcome: Reply<unknown>["session"]) => {
    if (outcome === "keep") return response
    return outcome === "clear"
      ? HttpServerResponse.setCookieUnsafe(response, name, "", { ...attributes, maxAge: 0 })
      : HttpServerResponse.setCookieUnsafe(response, name, outcome.credential, { ...attributes, maxAge: `${session.expires_in} seconds` })
  }
  return { name, apply }
}
