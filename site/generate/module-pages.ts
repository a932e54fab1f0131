import { optional } from "../../application/modules/index.ts"
import { sectionsOf, slugOf, table, textOf } from "./markdown.ts"
import { modules, operations, titleOf } from "./openapi.ts"
import { operationText } from "./operations.ts"
import { descriptionOf, madePage, type Page, pageOf } from "./page.ts"
import { read } from "./repository.ts"
import { moduleSettings } from "./settings-page.ts"

/** A module: its README, then each endpoint with its calls. */
const modulePage = (module: string): Page => {
  const source = `application/modules/${module}/README.md`
  const page = pageOf(source, sectionsOf(read(source)), `modules/${module}`)
  const own = operations.filter((operation) => operation.module === module)
  const settings = optionalNames.has(module) ? `## Settings\n\n${moduleSettings(module, source)}` : ""
  const endpoints = own.length === 0 ? "" : `## Endpoints\n\n${sessionNote}\n\n${own.map(operationText).join("\n\n")}`
  const parts = [beforeWhy(page.body), settings, endpoints, why(page.body)]
  return { ...page, body: parts.filter((part) => part !== "").join("\n\n") }
}

const optionalNames = new Set<string>(optional.map(({ name }) => name))

const sessionNote =
  "`jar` is the cookie of the session ([quick start](/start/quick-start/)), `client` is [`createClient()`](/guides/your-app/#the-page), `auth.call` is for [your own server](/guides/your-app/#in-your-own-server). Every endpoint also has [common errors](/reference/errors/#errors-of-every-endpoint)."

const whyOf = (body: string) => sectionsOf(body).filter(({ heading }) => heading === "Why")
const why = (body: string) => textOf(whyOf(body))
const beforeWhy = (body: string) => textOf(sectionsOf(body).filter(({ heading }) => heading !== "Why")).trimEnd()

export const modulePages: ReadonlyArray<Page> = modules.map(modulePage)

const tableOf = (pages: ReadonlyArray<Page>): string =>
  table(
    ["Module", "Purpose"],
    pages.map((page) => [`[\`${page.title}\`](/${page.slug}/)`, descriptionOf(page) ?? ""]),
  )

/** What each module adds, in one sentence: the first of its README. */
export const modulesPage: Page = {
  slug: "modules",
  title: "Modules",
  source: "application/modules/README.md",
  headings: ["Modules"],
  body: [
    "A key under `modules` in the configuration enables a module (`{}` is enough for most). Without the key its endpoints do not exist. Bans, required verification and second factors apply to every way to sign in.",
    tableOf(modulePages.filter(({ title }) => optionalNames.has(title))),
    "These parts of the service have no key, since every service has them:",
    tableOf(modulePages.filter(({ title }) => !optionalNames.has(title))),
  ].join("\n\n"),
}

/** All endpoints, by module. */
export const endpointsPage = madePage("reference/endpoints", "Endpoints", "docs/openapi.json", [
  "Paths are relative to `{public_url}{base_path}`, by default `http://localhost:3000/api/auth`. The [OpenAPI document](/docs/openapi.json) describes the same endpoints for generators; with `docs.enabled` the service serves that of its own configuration. [Errors](/reference/errors/) have one page each.",
  ...modules.map((module) => {
    const rows = operations
      .filter((operation) => operation.module === module)
      .map((operation) => [`[\`${titleOf(operation)}\`](/modules/${module}/#${slugOf(titleOf(operation))})`, operation.summary])
    return `## ${module}\n\n${table(["Endpoint", "Effect"], rows)}`
  }),
])
