import { html } from "@remix-run/html-template"
import type { Shown } from "../page.ts"
import { type ConsoleView, type Content, type Group, groups, type Operator, type Place, type Screen } from "./screen.ts"

/** The whole page: the content with header and navigation, in which only the screens are that the visitor may see. */
export const framed = (
  content: Content,
  { view, places }: Operator["Service"],
  { path, section }: Pick<Screen, "path" | "section">,
  label: string | undefined,
): Shown => ({
  ...content,
  title: label === undefined ? content.title : `${content.title} – ${label}`,
  nav: navigation(view, typeof section === "string" ? section : path, places),
  header: header(view, label ?? null),
})

/** The links to the screens that the service has and the visitor may see. */
export const placesOf = (screens: ReadonlyArray<Screen>, view: ConsoleView, has: (operation: string) => boolean): ReadonlyArray<Place> =>
  screens.flatMap(({ path, section, permission, also = [], anyOf, needs }) => {
    if (typeof section === "string" || !needs.every(has) || (permission !== null && !view.may(permission))) return []
    if (!also.every(view.may) || (anyOf !== undefined && !anyOf.some(view.may))) return []
    return [{ ...section, path, label: view.texts.t(section.label) }]
  })

/** The name of the service, the label of the console, and the ways out of it. */
export const header = (view: ConsoleView, label: string | null) => {
  const { texts, branding, href } = view
  return html`<header class="console-header">
<p class="brand"><a href="${view.at("/")}">${branding.name}</a>${label === null ? null : html` <span class="tag">${label}</span>`}</p>
${search(view)}
<p class="account"><a href="${href("/account")}">${texts.t("account.sections")}</a> <a href="${href("/sign-out")}">${texts.t("account.sign_out")}</a></p>
</header>`
}

const search = (view: ConsoleView) => {
  const label = view.texts.t("console.search")
  return html`<form class="search" role="search" method="get" action="${view.at("/search")}"><input name="q" type="search" aria-label="${label}" placeholder="${label}" minlength="2" maxlength="254" autocomplete="off" spellcheck="false"><button class="small secondary" type="submit">${view.texts.t("console.users.find")}</button></form>`
}

/** The links to screens, by groups. On a small screen they are in a menu. */
export const navigation = (view: ConsoleView, current: string, places: ReadonlyArray<Place>) => {
  const { t } = view.texts
  const link = ({ path, label, key }: Place) =>
    html`<li><a href="${view.at(path)}"${path === current ? html.raw` aria-current="page"` : null}${keyOf(key)}>${label}</a></li>`
  const listOf = (group: Group | null) => {
    const own = places.filter((place) => place.group === group)
    if (own.length === 0) return null
    const list = html`<ul>${own.map(link)}</ul>`
    return group === null ? list : html`<p class="group">${t(titles[group])}</p>${list}`
  }
  const shortcuts = html`<ul><li><a href="${view.at("/shortcuts")}"${current === "/shortcuts" ? html.raw` aria-current="page"` : null} data-shortcuts>${t("console.shortcuts")}</a></li></ul>`
  const here = places.find(({ path }) => path === current)?.label ?? t("console.menu")
  return html`<nav class="console-nav" aria-label="${t("console.sections")}"${view.hasKeys ? html.raw` data-keys` : null}><details class="menu"><summary>${here}</summary><div>${[null, ...groups].map(listOf)}${shortcuts}</div></details></nav>`
}

/** By which the script finds the link. */
const keyOf = (key: string | undefined) => (key === undefined ? null : html` data-go="${key}"`)

const titles = {
  people: "console.group.people",
  applications: "console.group.applications",
  activity: "console.group.activity",
  service: "console.group.service",
  extensions: "console.group.extensions",
} as const
