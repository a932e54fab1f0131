import { HttpServerResponse } from "effect/http"
import { redirect } from "./responses.ts"
import { hrefOf, type Site } from "./site.ts"

/**
 * The addresses from which password managers lead to the pages for passwords and passkeys. They are at the root of the origin, wherever the
 * pages are (W3C "A Well-Known URL for Changing Passwords", "A Well-Known URL for Relying Party Passkey Endpoints").
 */
export const wellKnown = (site: Site): ReadonlyArray<readonly [path: string, response: HttpServerResponse.HttpServerResponse]> => {
  const urlOf = (page: string) => new URL(hrefOf(site, page), site.core.public_url).href
  const passkeys = { enroll: urlOf("/account/passkeys/add"), manage: urlOf("/account/security") }
  return [
    ["/.well-known/change-password", redirect(hrefOf(site, "/account/password"))],
    ...(site.has("passkeyList") ? [["/.well-known/passkey-endpoints", HttpServerResponse.jsonUnsafe(passkeys)] as const] : []),
  ]
}
