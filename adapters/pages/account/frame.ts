import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { Unauthorized } from "../../../domain/errors.ts"
import type { Key } from "../../texts/texts.ts"
import { errorSummary, notice } from "../components/form.ts"
import { type Page, page, type Script, type Shown, Visit } from "../page.ts"
import type { Picture } from "../picture.ts"
import type { View } from "../view.ts"

/** Declares a page of the account, which visitors without a session do not get. */
export const accountPage = (declared: Omit<Parameters<typeof page>[0], "access">): Page => page({ ...declared, access: "session" })

/** The sections of the account, in the order of the navigation. */
const sections = {
  profile: { path: "/account", label: "account.profile" },
  security: { path: "/account/security", label: "account.security" },
  connections: { path: "/account/connections", label: "account.connections" },
  applications: { path: "/account/applications", label: "account.applications" },
  sessions: { path: "/account/sessions", label: "account.sessions" },
  activity: { path: "/account/activity", label: "account.activity" },
  organizations: { path: "/account/organizations", label: "account.organizations" },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly label: Key }>>
export type Section = keyof typeof sections

interface Place {
  readonly path: string
  readonly label: string
}

/** The links to sections. */
export const placesOf = ({ texts }: View, names: ReadonlyArray<Section>): ReadonlyArray<Place> =>
  names.map((name) => ({ path: sections[name].path, label: texts.t(sections[name].label) }))

/** The navigation of the account. */
export const navigation = (view: View, current: string, places: ReadonlyArray<Place>) => {
  const { t } = view.texts
  const links = places.map(({ path, label }) => {
    const mark = path === current ? html.raw` aria-current="page"` : null
    return html`<li><a href="${view.href(path)}"${mark}>${label}</a></li>`
  })
  return html`<nav class="sections" aria-label="${t("account.sections")}"><ul>${links}<li><a href="${view.href("/sign-out")}">${t("account.sign_out")}</a></li></ul></nav>`
}

interface Framed {
  readonly title: string
  /** The page above this one: the first page of a section, or another one. */
  readonly parent?: Section | { readonly href: string; readonly label: string }
}

const parentLink = (view: View, parent: NonNullable<Framed["parent"]>) => {
  const { href, label } =
    typeof parent === "object" ? parent : { href: view.href(sections[parent].path), label: view.texts.t(sections[parent].label) }
  return html`<p class="back"><a href="${href}"><bdi>${label}</bdi></a></p>`
}

/** The content of an account page: what has happened, the heading, and cards. */
export const framed = (view: View, { title, parent }: Framed, ...cards: Array<SafeHtml | null>) =>
  html`${errorSummary(view)}${notice(view)}${parent === undefined ? null : parentLink(view, parent)}
<h1><bdi>${title}</bdi></h1>
${cards}`

/** A card with a heading. */
export const section = (title: string, ...content: Array<SafeHtml | null>) =>
  html`<section class="card"><h2>${title}</h2>${content}</section>`

/** A card without a heading of its own, for pages with one form. */
export const plainCard = (...content: Array<SafeHtml | null>) => html`<div class="card">${content}</div>`

interface Extras {
  readonly scripts?: ReadonlyArray<Script>
  readonly picture?: Picture | null
}

/** An account page in one of the sections. */
export const inSection = (current: Section, title: string, main: SafeHtml, extras?: Extras) =>
  beside(sections[current].path, title, main, extras)

/** A page with the navigation of the account, in which the link to this path is marked. */
export const beside = Effect.fnUntraced(function* accountPage(
  path: string,
  title: string,
  main: SafeHtml,
  { scripts = [], picture = null }: Extras = {},
): Effect.fn.Return<Shown, never, Visit> {
  const { view, has, site } = yield* Visit
  const isOn: Readonly<Record<Section, boolean>> = {
    profile: true,
    security: true,
    connections: site.providers.length > 0 || has("phoneVerify") || has("siweVerify"),
    applications: has("oauth2Grants"),
    sessions: true,
    activity: has("auditList"),
    organizations: has("organizationList"),
  }
  const own = (Object.keys(sections) as ReadonlyArray<Section>).filter((name) => isOn[name])
  const added = site.pages.flatMap(({ path, section }) =>
    section === undefined ? [] : [{ path, label: view.texts.find(section) ?? section }],
  )
  return { title, main, nav: navigation(view, path, [...placesOf(view, own), ...added]), scripts, picture }
})

/** The session and user of a page with `access: "session"`. */
export const signedIn = Effect.flatMap(Visit, ({ session }) =>
  session === null ? Effect.fail(new Unauthorized()) : Effect.succeed(session),
)

/** Redirects to another page of the account, which shows this text once. */
export const goTo = Effect.fnUntraced(function* goToPage(page: string, notice?: Key, query?: Readonly<Record<string, string>>) {
  const { view, setFlow } = yield* Visit
  if (notice !== undefined) setFlow({ notice })
  return { to: view.href(page, query) }
})
