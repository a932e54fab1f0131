import { Record, Schema } from "effect"
import { about, between, brandingFields, Colour, flag, orElse, PageUrl, section } from "../../domain/settings.ts"
import { Network, Places } from "./places.ts"
import { fixed } from "./sign-in/method-names.ts"
import { colours } from "./theme.ts"

const isPage = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")
const Route = Schema.String.check(Schema.makeFilter(isPage, { expected: "a URL that begins with https:// or http://" })).pipe(
  Schema.optionalKey,
)

const Path = Schema.String.check(
  Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)+$/, { expected: "a path such as /admin, without a slash at its end" }),
)

const Method = Schema.String.check(
  Schema.isPattern(new RegExp(`^(${fixed.join("|")}|provider:.+|page:/.+)$`), {
    expected: `${fixed.join(", ")}, provider:<id> or page:<path>`,
  }),
)

/** The settings of the sign-in page. */
const SignIn = section({
  order: Schema.Array(Method).pipe(
    orElse([]),
    about(
      `The ways to sign in that come first, in this order: ${fixed.map((name) => `\`${name}\``).join(", ")}, \`provider:<id>\`, and \`page:<path>\` for pages of your modules. The one that the browser used last comes before them. Ways that need a name share one form, which begins with the password.`,
    ),
  ),
  hidden: Schema.Array(Method).pipe(
    orElse([]),
    about("The ways to sign in, by the same names, that the pages do not show. Their endpoints stay, so that an application can use them."),
  ),
  identifier_first: flag(
    "Whether the first page asks for the name only, beside passkeys and providers, and the next one for the password or another way. Both are the same for names with and without an account.",
  ),
})

/** The settings of the console. */
const Console = Schema.Struct({
  path: Path.pipe(orElse("/admin"), about("The path of its first page, below `pages.path`.")),
  label: Schema.NonEmptyString.check(Schema.isMaxLength(40, { expected: "1 to 40 characters" })).pipe(
    Schema.optionalKey,
    about("A word beside the name of the service, such as `Production`, so that administrators see where they are."),
  ),
  max_age: between(60, 2_592_000).pipe(
    orElse(43_200),
    about("Seconds after which administrators prove their identity again before they see the console."),
  ),
  networks: Schema.Array(Network).pipe(
    orElse([]),
    about("The addresses that can open it, such as `10.0.0.0/8`; all if the list is empty. For others, its pages do not exist."),
  ),
  live: Schema.Boolean.pipe(orElse(true), about("Whether the page of the audit log can show new records as they are added.")),
})

/** The settings of the pages. */
export const Settings = Schema.Struct({
  path: Schema.String.check(
    Schema.isPattern(/^\/$|^(\/[A-Za-z0-9._~-]+)+$/, { expected: "/ or a path such as /auth, without a slash at its end" }),
  ).pipe(orElse("/"), about("The path of the first page; all other pages are below it.")),
  routes: Schema.Struct({
    sign_in: Route,
    sign_up: Route,
    account: Route,
    reset_password: Route,
    verify_email: Route,
    magic_link: Route,
    invitation: Route,
  }).pipe(
    orElse({}),
    about(
      "URLs of [pages of your own](docs/configuration.md#pages-of-your-own) that replace these pages: `sign_in`, `sign_up`, `account`, `reset_password`, `verify_email`, `magic_link`, `invitation`. Links and redirects lead to your URLs.",
    ),
  ),
  sign_in: SignIn,
  offer_passkeys: flag(
    "Whether users without a passkey are offered one after a sign-in by another way, on a page that they can skip, every 30 days in a browser.",
  ),
  places: Places.pipe(
    orElse({}),
    about(
      'Names of places by ranges of addresses, for the list of devices: `{ "10.0.0.0/8": "Office", "2001:db8::/32": "Campus" }`. If several ranges contain an address, the one with the longest prefix applies. A name has at most 64 characters and is the same in every language.',
    ),
  ),
  admin: Console.pipe(
    Schema.optionalKey,
    about(
      "With `{}` the pages include the [console](docs/console.md), in which administrators manage the service. It needs `modules.admin`.",
    ),
  ),
})
export type Settings = typeof Settings.Type
/** Where the pages are. */
export type Paths = Pick<Settings, "path" | "routes">

const File = Schema.NonEmptyString.pipe(Schema.optionalKey)

/** The name and look of the service in pages and mails. */
export const Branding = Schema.Struct({
  name: brandingFields.name,
  logo: File.pipe(about("The file of an image (`.svg`, `.png`, `.webp`, `.jpg`, `.ico`), relative to the working directory.")),
  logo_dark: File.pipe(about("The image that replaces `logo` on dark pages.")),
  favicon: File.pipe(about("The icon of the pages.")),
  colors: section(Record.map(colours, () => Colour)).pipe(
    about(
      "Colours such as `#3451b2`, or objects with `light` and `dark`: `brand`, `on_brand`, `page`, `surface`, `field`, `text`, `muted`, `border`, `focus`, `danger` and `success`. Each has a default. The service does not start if the contrast of a pair is too low (WCAG 2.2: less than 4.5:1 for text, 3:1 for borders).",
    ),
  ),
  radius: brandingFields.radius,
  font: brandingFields.font,
  links: section({ terms: PageUrl, privacy: PageUrl, support: PageUrl }).pipe(
    about("The links at the end of every page: `terms`, `privacy` and `support`."),
  ),
  css: File.pipe(about("A file of further style rules for the pages.")),
})

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
export const routeOf = ({ routes }: Pick<Paths, "routes">, page: string): string | undefined => {
  const name = replaceable[page]
  return name === undefined ? undefined : routes[name]
}

/** An address with a further query. In an application with its routes in the fragment, the query belongs to the fragment. */
export const withQuery = (address: string, query: string): string =>
  query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`

/** The route of all pages in metrics and traces: one for each page would be too many series. */
export const pagesRoute = "pages"

/** The path of a page. */
export const pathOf = ({ path }: Pick<Paths, "path">, page: string): string =>
  path === "/" ? page : page === "/" ? path : `${path}${page}`
