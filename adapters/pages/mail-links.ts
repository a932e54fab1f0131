import type { SettingsValue } from "../../domain/settings.ts"
import { type Paths, pathOf, routeOf, withQuery } from "./settings.ts"

type Links = SettingsValue["links"]

/** The pages that mails and clients lead to, with their queries. That of `reset_password` is the default of `choose_password` too. */
const targets = {
  verify_email: ["/verify-email", "token={token}"],
  reset_password: ["/reset-password", "token={token}"],
  change_email: ["/verify-email", "token={token}"],
  magic_link: ["/magic-link", "token={token}"],
  report_sign_in: ["/report-sign-in", "token={token}"],
  invitation: ["/accept-invitation", "invitation_id={invitation_id}&token={token}"],
  sign_up: ["/sign-up", "login_hint={email}"],
  existing_account: ["/sign-in", ""],
  security: ["/account/security", ""],
  sign_in: ["/sign-in", "return_to={return_to}&login_hint={login_hint}&prompt={prompt}"],
  create_account: ["/sign-up", "another&return_to={return_to}&login_hint={login_hint}"],
  consent: ["/consent", "request_uri={request_uri}&ui_locales={ui_locales}"],
  choose_account: ["/choose-account", "request_uri={request_uri}&ui_locales={ui_locales}"],
  choose_organization: ["/choose-organization", "request_uri={request_uri}&ui_locales={ui_locales}"],
  device: ["/device", "user_code={user_code}"],
  sign_out: ["/sign-out", "logout_request={logout_request}&ui_locales={ui_locales}"],
} as const satisfies Readonly<Record<Exclude<keyof Links, "choose_password">, unknown>>

/** Pages that are served with some modules only: without them, clients get the error. */
const modulesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  create_account: ["idp"],
  consent: ["idp"],
  device: ["idp"],
  choose_account: ["multi_session"],
  choose_organization: ["idp", "organization"],
  sign_out: ["idp"],
}

/** The targets of links in mails and for clients: the URL in `links`, else the page or the one that replaces it. */
export const mailLinks = (
  settings: Paths,
  { public_url, links }: Pick<SettingsValue, "public_url" | "links">,
  modules: Readonly<Record<string, unknown>>,
): Links => {
  const served = Object.entries(targets).filter(([name]) => (modulesOf[name] ?? []).every((module) => Object.hasOwn(modules, module)))
  const own = served.map(([name, [page, query]]) => {
    const address = routeOf(settings, page) ?? `${public_url}${pathOf(settings, page)}`
    return [name, withQuery(address, query)]
  })
  return { ...Object.fromEntries(own), ...links }
}
