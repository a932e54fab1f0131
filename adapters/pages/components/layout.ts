import { html, type SafeHtml } from "@remix-run/html-template"
import { defaultIcon } from "../assets.ts"
import { leavingPath } from "../impersonation.ts"
import type { Shown } from "../page.ts"
import type { View } from "../view.ts"
import { form } from "./form.ts"
import { time } from "./time.ts"

type Content = Omit<Extract<Shown, { readonly main: SafeHtml }>, "status" | "picture">

/** Seconds that frames have to load before the browser is redirected. */
const patience = 3

/** The document around the content of a page. */
export const document = (view: View, { title, main, nav, header, scripts = [], refresh, frames = [] }: Content): SafeHtml => {
  const { texts, branding, asset, problem } = view
  const heading = problem === null ? title : texts.t("problem.page_title", { title })
  return html`<!DOCTYPE html>
<html lang="${texts.tag}" dir="${texts.dir}">
<head>
<meta charset="utf-8">
<title>${heading} – ${branding.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh === undefined ? null : html`<meta http-equiv="refresh" content="${frames.length === 0 ? 0 : patience}; url=${refresh}">`}
<link rel="icon" href="${asset(branding.favicon ?? defaultIcon)}">
<link rel="stylesheet" href="${asset("page.css")}">
${header === undefined ? null : html`<link rel="stylesheet" href="${asset("console.css")}">`}
<link rel="stylesheet" href="${asset("theme.css")}">
${(["page", ...(header === undefined ? [] : (["console"] as const)), ...scripts] as const).map((name) => html`<script src="${asset(`${name}.js`)}" defer></script>`)}
</head>
<body>
<a class="skip" href="#main">${texts.t("layout.skip")}</a>
${header ?? html`<header class="header">${logo(view)}</header>`}
${banner(view)}
${nav}
<main id="main" tabindex="-1"${html.raw`${header !== undefined ? ' class="console"' : view.wide ? ' class="wide"' : ""}`}>${main}</main>
${frames.map((src) => html`<iframe src="${src}" title="${title}" sandbox="allow-scripts allow-same-origin" hidden></iframe>`)}
${footer(view)}
</body>
</html>
`
}

/** Reminds administrators of whose account they are in, until they leave it. */
const banner = (view: View) => {
  const { impersonated, texts } = view
  if (impersonated === null) return null
  const { user, until } = impersonated
  const leave = { action: "stop", submit: texts.t("impersonation.stop"), look: "small" } as const
  return html`<div class="notice banner" role="status">
<p>${texts.rich("impersonation.banner", { user: html`<strong><bdi>${user}</bdi></strong>`, until: time(view, until) })}</p>
${form({ ...view, here: view.href(leavingPath) }, leave)}
</div>`
}

const logo = ({ branding, asset }: View) => {
  const { name, logo, logo_dark } = branding
  if (logo === null) return html`<span>${name}</span>`
  const dark = logo_dark === null ? null : html`<source srcset="${asset(logo_dark)}" media="(prefers-color-scheme: dark)">`
  return html`<picture>${dark}<img src="${asset(logo)}" alt="${name}"></picture>`
}

const footer = (view: View) => {
  const { texts, branding } = view
  const { terms, privacy, support } = branding.links
  const links = [
    [terms, texts.t("layout.terms")],
    [privacy, texts.t("layout.privacy")],
    [support, texts.t("layout.support")],
  ] as const
  return html`<footer class="footer">
<div>${links.map(([url, label]) => (url === undefined ? null : html`<a href="${url}">${label}</a>`))}</div>
${languageMenu(view)}
</footer>`
}

/** The current language, which opens the others: links, or buttons where the account stores the choice. */
const languageMenu = (view: View) => {
  const { texts, languages, savesLanguage } = view
  const current = languages.find(({ tag }) => tag === texts.tag)
  if (current === undefined) return null
  const others = languages.filter(({ tag }) => tag !== texts.tag)
  return html`<details class="languages"><summary>${current.name}</summary>${savesLanguage ? buttons(view, others) : links(view, others)}</details>`
}

type Others = View["languages"]

const links = ({ href, here }: View, others: Others) => {
  const each = others.map(
    ({ tag, name }) => html`<li><a href="${href("/language", { tag, return_to: here })}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  )
  return html`<ul>${each}</ul>`
}

const buttons = ({ href, here, token }: View, others: Others) => {
  const each = others.map(
    ({ tag, name }) => html`<li><button type="submit" name="tag" value="${tag}" class="link" lang="${tag}">${name}</button></li>`,
  )
  return html`<form method="post" action="${href("/language", { return_to: here })}">
<input type="hidden" name="form_token" value="${token}"><input type="hidden" name="action" value="save"><ul>${each}</ul></form>`
}
