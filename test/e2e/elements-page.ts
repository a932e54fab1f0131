import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { build } from "esbuild"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { openVisitor } from "./page-visitor.ts"
import { type Program, repository } from "./program.ts"

const script = `import { hydrateRoot } from "react-dom/client"
import { createApp, h } from "vue"
import { header } from "./test/e2e/elements-react.ts"
import { createClient } from "./client/index.ts"
import "./client/elements/user-button.ts"
import "./client/elements/organization-switcher.ts"
import "./client/elements/sign-in.ts"
const client = createClient()
for (const element of document.querySelectorAll("[data-sallyport]")) element.client = client
const place = document.querySelector("#vue")
const link = () => h("a", { href: "/sign-in" }, "Sign in")
if (place) createApp({ render: () => h("sallyport-user-button", { client, accounts: true }, [link()]) }).mount(place)
const rendered = document.querySelector("#react")
if (rendered) setTimeout(() => hydrateRoot(rendered, header(client)), 300)
for (const name of ["change", "sign-in", "sign-out"])
  document.addEventListener(name, ({ target, detail }) => {
    if (target.matches("[data-sallyport]")) document.querySelector("output").textContent = name + ": " + (detail?.name ?? detail?.email ?? "")
  })`

const base = ":root { color-scheme: light dark; font: 1rem system-ui } body { margin: 1rem; max-inline-size: 27rem }"

/** The style sheet of an application with the reset of Tailwind, in the documented order, and a dark page that declares no `color-scheme`. */
export const resetStyles = `@layer theme, base, sallyport, components, utilities;
@layer base {
  *, ::before, ::after, ::backdrop { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid }
  button, input { font: inherit; color: inherit; background: transparent; border-radius: 0 }
  a { color: inherit; text-decoration: inherit }
}
body { background: #0a0a0a; color: #ededed }`

/** The files of an application that a bundler has built, by their names. */
const files = async (styles: string): Promise<ReadonlyMap<string, string>> => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: repository, sourcefile: "app.js" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    outdir: "app",
    entryNames: "app",
    write: false,
  })
  const elements = readFileSync(join(repository, "client/elements/elements.css"), "utf8")
  return new Map([
    ["base.css", styles],
    ["elements.css", elements],
    ...outputFiles.map(({ path, text }) => [path.replace(/.*[/\\]/, ""), text] as const),
  ])
}

/** Nothing inline, nothing of other origins. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"

const pageOf = (body: string, tag: string) => `<!doctype html><html lang="${tag}"><head><meta name="viewport" content="width=device-width">
<title>Application</title><link rel="stylesheet" href="/app/base.css"><link rel="stylesheet" href="/app/elements.css">
<script type="module" src="/app/app.js"></script></head><body><main><h1>Application</h1>${body}<output></output></main></body></html>`

const types: Readonly<Record<string, string>> = { css: "text/css", js: "text/javascript" }

/** A visitor of an application on the origin of the service; `open` shows a page of it. */
export const openApplication = async (browser: Browser, program: Program, options: BrowserContextOptions = {}, styles = base) => {
  const visitor = await openVisitor(browser, program, options)
  visitor.page.setDefaultTimeout(10_000)
  const built = await files(styles)
  let document = ""
  await visitor.page.route("**/app/*", (route) => {
    const name = new URL(route.request().url()).pathname.replace("/app/", "")
    const text = built.get(name)
    return text === undefined
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: document, headers: { "content-security-policy": policy } })
      : route.fulfill({ contentType: `${types[name.split(".").at(-1) ?? ""]}; charset=utf-8`, body: text })
  })
  const open = async (body: string, tag = "en", waitUntil: "load" | "commit" = "load") => {
    document = pageOf(body, tag)
    await visitor.go("/app/page", waitUntil)
  }
  return { ...visitor, open, output: () => visitor.page.locator("output").textContent() }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The violations of WCAG 2.2 AA and good practice that axe finds. */
export const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    const { violations } = await (globalThis as any).axe.run(document, { runOnly, resultTypes: ["violations"] })
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join("; ")}`)
  })
}
