import { Effect } from "effect"
import type { Attributes } from "../../domain/attributes/attributes.ts"
import type { AccessControl } from "../../domain/organizations/access-control.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import type { HttpSettings } from "../http/settings.ts"
import type { Languages } from "../texts/languages.ts"
import { pathOf, routeOf, type Settings, withQuery } from "./settings.ts"
import type { Branding } from "./theme.ts"

/** Where a page is, and what leads there. */
export interface Entry {
  /** Below `pages.path`. */
  readonly path: string
  /** The key of the text of its link on the sign-in page. */
  readonly signIn?: string
  /** The key of the text of its link in the navigation of the account. */
  readonly section?: string
  /** A member of the challenge of its module, by which sign-ins are led here. */
  readonly challenge?: string
}

/** What is the same for all visits. */
export interface Site {
  readonly settings: Settings
  readonly core: SettingsValue
  readonly sameSite: HttpSettings["Service"]["cookie"]["same_site"]
  readonly branding: Branding
  readonly languages: Languages
  /** The ids of the social providers. */
  readonly providers: ReadonlyArray<string>
  /** The pages of the operator's modules. */
  readonly pages: ReadonlyArray<Entry>
  /** The roles of organizations; null where the module is off. */
  readonly accessControl: AccessControl | null
  /** The digits of mailed codes and of those by SMS; null where the service sends none. */
  readonly codeDigits: { readonly email: number | null; readonly phone: number | null }
  /** The attributes that visitors enter when they sign up. */
  readonly signUpAttributes: Attributes
  /** All attributes that the configuration declares. */
  readonly attributes: Readonly<Record<"user" | "organization" | "member", Attributes>>
  /** The types of all security events. */
  readonly eventTypes: ReadonlyArray<string>
  /** The path of a file among the assets. */
  readonly asset: (name: string) => string
  /** A telephone number as people read it; another text as it is. */
  readonly phoneShown: (number: string) => Effect.Effect<string>
  /** The name of the place of a client's address; null without one. */
  readonly placeOf: (address: string | null) => string | null
  /** Whether the service has an endpoint of this name. */
  readonly has: (endpoint: string) => boolean
  /** A target that visitors may be sent to; null for any other text. */
  readonly returnTarget: (text: string | null) => string | null
}

/** Whether anyone can sign up. */
export const opensAccounts = ({ core }: Pick<Site, "core">): boolean => core.registration?.mode !== "closed"

/** The texts in the best language for these preferences. */
export const textsFor = (
  { languages }: Pick<Site, "languages">,
  preferences: Parameters<Languages["best"]>[0],
  load: "load" | "loadForConsole" = "load",
) => Effect.promise(() => languages[load](languages.best(preferences)))

/** The address of a page with these query parameters: its path, or the URL of the page that replaces it. */
export const hrefOf = (
  { settings, core }: Pick<Site, "settings" | "core">,
  page: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const route = routeOf(settings, page)
  if (route === undefined) return withQuery(pathOf(settings, page), new URLSearchParams(query).toString())
  const { return_to } = query
  const absolute = return_to?.startsWith("/") ? { ...query, return_to: `${core.public_url}${return_to}` } : query
  return withQuery(route, new URLSearchParams(absolute).toString())
}
