import { extname, join } from "node:path/posix"
import { commandsPage } from "./commands.ts"
import { errorPages } from "./errors.ts"
import { frameworkPages } from "./frameworks.ts"
import { linkedFiles } from "./links.ts"
import { code, sectionsOf, under } from "./markdown.ts"
import { endpointsPage, modulePages, modulesPage } from "./module-pages.ts"
import { movingBody } from "./moving-code.ts"
import { nextTutorial } from "./next-tutorial.ts"
import { type Page, pageOf } from "./page.ts"
import { foldersIn, read } from "./repository.ts"
import { settingsPage } from "./settings-page.ts"

/** A page of a whole file, or of one section of it. */
const from = (source: string, slug: string, { section, title }: { readonly section?: string; readonly title?: string } = {}): Page => {
  const sections = sectionsOf(read(source))
  return pageOf(source, section === undefined ? sections : under(sections, section), slug, title)
}

const withoutSection = (source: string, heading: string, slug: string): Page => {
  const sections = sectionsOf(read(source))
  const left = under(sections, heading)
  return pageOf(
    source,
    sections.filter((section) => !left.includes(section)),
    slug,
  )
}

const quickStart = (): Page => {
  const [, introduction] = sectionsOf(read("README.md"))
  const page = from("README.md", "start/quick-start", { section: "Five minutes", title: "Quick start" })
  const next =
    "## Next\n\n- [Your page and your backend](/guides/your-app/): the typed client, and sessions in your backend.\n- [Origins, cookies and proxies](/guides/hosts/): the layout of hosts.\n- [Modules](/modules/): passkeys, social sign-in, second factors, organizations.\n- [Production](/guides/production/): the checklist, and [commands](/reference/commands/)."
  return { ...page, body: `${introduction!.body}\n## Five minutes\n\n${page.body}\n${next}\n`, headings: ["Sallyport", ...page.headings] }
}

/** A page with the code of files of a folder below its text. */
const withFiles = (page: Page, folder: string, ...files: ReadonlyArray<string>): Page => {
  const blocks = files.map((file) => `## \`${file}\`\n\n${code(extname(file).slice(1), read(join(folder, file)))}`)
  return { ...page, body: [page.body, ...blocks].join("\n\n") }
}

const movingIn = (): ReadonlyArray<Page> => {
  const source = "docs/moving-in.md"
  const systems = under(sectionsOf(read(source)), "From each system").slice(1)
  const slugOf = (heading: string) => `moving-in/${heading.toLowerCase().replace(".", "")}`
  const pages = systems.map(({ heading }) => {
    const page = from(source, slugOf(heading), { section: heading, title: `From ${heading}` })
    return { ...page, body: movingBody(heading, page.body) }
  })
  const overview = withoutSection(source, "From each system", "moving-in")
  const list = systems.map(({ heading }) => `- [${heading}](/${slugOf(heading)}/)`).join("\n")
  return [
    { ...overview, body: `${overview.body}\n## From each system\n\n${list}\n`, headings: [...overview.headings, "From each system"] },
    ...pages,
  ]
}

const graphql = (): Page => {
  const page = from("README.md", "guides/graphql", { section: "GraphQL" })
  const federation = under(sectionsOf(read("adapters/graphql/README.md")), "Apollo Federation")
  return { ...page, body: `${page.body}\n## Apollo Federation\n\n${federation[0]!.body}` }
}

const understood: ReadonlyArray<readonly [source: string, slug: string]> = [
  ["docs/walk.md", "walk"],
  ["SECURITY.md", "security"],
  ["docs/asvs.md", "asvs"],
  ["docs/rfc9700.md", "rfc9700"],
  ["docs/conformance.md", "conformance"],
  ["docs/differences.md", "differences"],
  ["application/README.md", "application"],
  ["domain/README.md", "domain"],
  ...foldersIn("application/modules/idp").map((room): readonly [string, string] => [
    `application/modules/idp/${room}/README.md`,
    `idp/${room}`,
  ]),
  ...foldersIn("domain").flatMap(
    (folder): ReadonlyArray<readonly [string, string]> =>
      ["limits", "mail", "sessions", "sign-in", "storage", "tokens", "users", "values"].includes(folder)
        ? [[`domain/${folder}/README.md`, `domain/${folder}`]]
        : [],
  ),
  ["adapters/README.md", "adapters"],
  ["adapters/http/README.md", "adapters/http"],
  ["adapters/graphql/README.md", "adapters/graphql"],
  ["adapters/openapi/README.md", "adapters/openapi"],
  ["adapters/telemetry/README.md", "adapters/telemetry"],
  ["adapters/postgres/README.md", "adapters/postgres"],
  ["adapters/mongo/README.md", "adapters/mongo"],
  ["client/README.md", "client"],
  ["backend/README.md", "backend"],
  ["test/README.md", "tests"],
  ["bench/README.md", "speed"],
  ["CONTRIBUTING.md", "contributing"],
  ["CHANGELOG.md", "changelog"],
]

const written = async (): Promise<ReadonlyArray<Page>> => [
  quickStart(),
  nextTutorial,
  from("docs/your-app.md", "guides/your-app"),
  from("docs/hosts.md", "guides/hosts"),
  withFiles(from("docs/refuse-sign-up.md", "guides/refuse-sign-up"), "", "examples/company-only.ts"),
  from("docs/administration.md", "guides/administration"),
  from("docs/console.md", "guides/console"),
  withFiles(from("docs/recipes.md", "guides/recipes"), "", "examples/sync-users.ts"),
  from("docs/google.md", "guides/google"),
  from("docs/providers.md", "guides/providers"),
  withFiles(
    withFiles(from("docs/two-origins.md", "guides/two-origins"), "examples/react-express", "main.tsx", "api.ts"),
    "examples",
    "organization-api.ts",
  ),
  withFiles(from("docs/own-mailer.md", "guides/own-mailer"), "", "examples/own-mailer.ts"),
  from("docs/jobs.md", "guides/jobs"),
  from("docs/testing.md", "guides/testing"),
  from("docs/operating.md", "guides/production", { title: "In production" }),
  from("docs/scaling.md", "guides/scaling"),
  from("docs/monitoring.md", "guides/monitoring"),
  from("deploy/README.md", "guides/deployment"),
  from("adapters/sms/README.md", "guides/sms", { title: "Short messages" }),
  graphql(),
  from("examples/graphql-client/README.md", "guides/graphql-client"),
  from("application/writing-a-module.md", "guides/modules"),
  from("application/sign-in-methods.md", "guides/sign-in-methods"),
  ...frameworkPages,
  ...movingIn(),
  modulesPage,
  ...modulePages,
  from("docs/configuration.md", "reference/configuration"),
  settingsPage,
  endpointsPage,
  ...errorPages,
  await commandsPage(),
  ...understood.map(([source, slug]) => from(source, `understand/${slug}`)),
]

const languages: Readonly<Record<string, string>> = { ".yaml": "yaml", ".json": "json", "": "docker" }

/** A page that shows a file of the repository. */
const filePage = (file: string): Page => ({
  slug: `files/${file.toLowerCase().replace(/[^a-z0-9/-]/g, "-")}`,
  title: file,
  body: code(languages[extname(file)] ?? "ts", read(file)),
  source: file,
  headings: [],
  searched: false,
})

/** Every page of the site except its start page. */
export const allPages = async (): Promise<ReadonlyArray<Page>> => {
  const pages = await written()
  return [...pages, ...linkedFiles(pages).map(filePage)]
}
