import type { SettingsValue } from "../../domain/settings.ts"
import type { Settings } from "./settings.ts"
import { pathOf, routeOf, withQuery } from "./settings.ts"

type Links = SettingsValue["links"]

const targets = {
  verify_email: ["/verify-email", "token"],
  reset_password: ["/reset-password", "token"],
  change_email: ["/verify-email", "token"],
  magic_link: ["/magic-link", "token"],
  invitation: ["/accept-invitation", "invitation_id"],
} as const satisfies Readonly<Record<Exclude<keyof Links, "sign_in" | "choose_account" | "consent" | "sign_out">, unknown>>

const signInQuery = "return_to={return_to}&login_hint={login_hint}&prompt={prompt}"

/** Where the links of mails and clients lead: to what `links` says, else to the page, or to the one that replaces it. */
export const mailLinks = (settings: Settings, { public_url, links }: Pick<SettingsValue, "public_url" | "links">): Links => ({
  sign_in: withQuery(routeOf(settings, "/sign-in") ?? `${public_url}${pathOf(settings, "/sign-in")}`, signInQuery),
  ...Object.fromEntries(
    Object.entries(targets).map(([name, [page, parameter]]) => {
      const address = routeOf(settings, page) ?? `${public_url}${pathOf(settings, page)}`
      return [name, withQuery(address, `${parameter}={${parameter}}`)]
    }),
  ),
  ...links,
})
