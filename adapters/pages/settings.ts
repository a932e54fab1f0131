import { Schema } from "effect"
import { orElse } from "../../domain/settings.ts"
import { Places } from "./places.ts"

const isPage = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")
const Route = Schema.String.check(Schema.makeFilter(isPage, { expected: "a URL that begins with https:// or http://" })).pipe(
  Schema.optionalKey,
)

/** The settings of the pages. */
export const Settings = Schema.Struct({
  /** The path of the first page; the others are below it. */
  path: Schema.String.check(
    Schema.isPattern(/^\/$|^(\/[A-Za-z0-9._~-]+)+$/, { expected: "/ or a path such as /auth, without a slash at its end" }),
  ).pipe(orElse("/")),
  /** Pages of your own in place of these. Links and redirects lead to them. */
  routes: Schema.Struct({
    sign_in: Route,
    sign_up: Route,
    account: Route,
    reset_password: Route,
    verify_email: Route,
    magic_link: Route,
    invitation: Route,
  }).pipe(orElse({})),
  /** Names of places by ranges of addresses, for the list of devices. */
  places: Places.pipe(orElse({})),
})
export type Settings = typeof Settings.Type

/** The settings of pages that can be replaced, by the paths of these pages. */
const replaceable: Readonly<Record<string, keyof Settings["routes"]>> = {
  "/sign-in": "sign_in",
  "/sign-up": "sign_up",
  "/account": "account",
  "/reset-password": "reset_password",
  "/verify-email": "verify_email",
  "/magic-link": "magic_link",
  "/accept-invitation": "invitation",
}

/** The page of the operator's own in place of this one. */
export const routeOf = ({ routes }: Settings, page: string): string | undefined => {
  const name = replaceable[page]
  return name === undefined ? undefined : routes[name]
}

/** An address with a further query. In an application with its routes in the fragment, the query belongs to the fragment. */
export const withQuery = (address: string, query: string): string =>
  query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`

/** The route of all pages in metrics and traces: one for each page would be too many series. */
export const pagesRoute = "pages"

/** The path of a page. */
export const pathOf = ({ path }: Settings, page: string): string => (path === "/" ? page : page === "/" ? path : `${path}${page}`)
