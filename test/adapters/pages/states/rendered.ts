import { makeAssets } from "../../../../adapters/pages/assets.ts"
import { document } from "../../../../adapters/pages/components/layout.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import type { Branding } from "../../../../adapters/pages/theme.ts"
import { makeLanguages } from "../../../../adapters/texts/languages.ts"
import { owned } from "../../../owned.ts"
import type { PageState } from "./state.ts"

const branding: Branding = {
  name: "Sallyport",
  logo: null,
  logo_dark: null,
  favicon: null,
  links: { terms: "https://example.com/terms", privacy: "https://example.com/privacy", support: "mailto:help@example.com" },
  colors: {},
  radius: "0.5rem",
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  css: null,
}

export const assets = makeAssets(branding, {})
const { list: languages, load, loadForConsole } = makeLanguages({}, owned.texts)
export const tags = languages.map(({ tag }) => tag)

/** The view of a state in a language. */
export const viewOf = async (state: PageState, tag: string): Promise<ConsoleView> => {
  const texts = await (state.header === undefined ? load : loadForConsole)(tag)
  const { problem, notice } = state
  const shown = (key: string) => texts.find(key, { minutes: 5, seconds: 20 }) ?? key
  const hrefOf = (page: string, query = {}) => `${page}${Object.keys(query).length === 0 ? "" : `?${new URLSearchParams(query)}`}`
  return {
    texts,
    branding,
    href: hrefOf,
    at: (page, query) => hrefOf(page === "/" ? "/admin" : `/admin${page}`, query),
    hidesPrivate: (state.lacks ?? []).includes("users:private"),
    hasKeys: state.hasKeys ?? true,
    may: (permission) => !(state.lacks ?? []).includes(permission),
    asset: (name) => `/assets/${assets.pathOf(name)}`,
    here: state.page,
    token: "x".repeat(22),
    entered: () => "",
    problem: problem === undefined ? null : { message: shown(problem.code), field: problem.field },
    notice: notice === undefined ? null : shown(notice),
    impersonated: state.impersonated ?? null,
    languages,
    savesLanguage: state.nav !== undefined,
    wide: state.wide === true,
  }
}

/** The document of a state in a language. */
export const rendered = async (state: PageState, tag: string): Promise<string> => {
  const view = await viewOf(state, tag)
  const { scripts = [], nav, header } = state
  return String(
    document(view, {
      title: state.title(view),
      main: state.main(view),
      scripts,
      ...(nav && { nav: nav(view) }),
      ...(header && { header: header(view) }),
    }),
  )
}
