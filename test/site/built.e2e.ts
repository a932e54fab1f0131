import { existsSync, globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, extname, join, posix } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import { questions } from "./questions.ts"

// The site as `npm run docs` builds it.

const dist = join(import.meta.dirname, "../../site/dist")
if (!existsSync(join(dist, "pagefind"))) throw new Error("there is no site: run npm run docs")
const files = globSync("**/*.html", { cwd: dist }).toSorted()
const textOf = (file: string) => readFileSync(join(dist, file), "utf8")

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
}

/** The file of a path, as servers of static files find it. */
const fileOf = (path: string) => (path.endsWith("/") ? `${path}index.html` : path).slice(1)

const server = createServer(({ url = "/" }, response) => {
  const file = fileOf(new URL(url, "http://localhost").pathname)
  if (!existsSync(join(dist, file))) return response.writeHead(404).end()
  return response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(join(dist, file)))
})
afterAll(() => server.close())

let browser: Browser
let origin = ""
beforeAll(async () => {
  browser = await startBrowser()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

it("finds what newcomers search for among the first three pages, for 46 of 50 questions", async () => {
  const page = await browser.newPage()
  await page.goto(origin)
  await page.locator("button[data-open-modal]").click()
  const found: Array<readonly [question: string, ...pages: ReadonlyArray<string>]> = []
  for (const [question] of questions) {
    await page.locator("input.pagefind-ui__search-input").fill(question)
    await page.locator(".pagefind-ui__message", { hasText: `for ${question}` }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll(".pagefind-ui__result:nth-child(-n+3) .pagefind-ui__loading").length === 0)
    const links = page.locator(".pagefind-ui__result:nth-child(-n+3) .pagefind-ui__result-inner > .pagefind-ui__result-title > a")
    found.push([question, ...(await links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname)))])
  }
  const missed = found.filter(([, ...paths], index) => !questions[index]!.slice(1).some((slug) => paths.includes(`/${slug}/`)))
  expect(questions).toHaveLength(50)
  expect(missed.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(4)
})

it("has no table that scrolls on a phone", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  const page = await context.newPage()
  const withTables = files.filter((file) => textOf(file).includes("<table"))
  expect(withTables.length).toBeGreaterThan(50)
  const wide: Array<string> = []
  for (const file of withTables) {
    await page.goto(`${origin}/${file}`)
    const tables = page.locator(".sl-markdown-content :is(table, .table)")
    if (await tables.evaluateAll((all) => all.some((each) => each.scrollWidth > each.clientWidth || each.clientWidth > 390)))
      wide.push(file)
  }
  expect(wide).toEqual([])
})

describe("a link", () => {
  const ids = (file: string) => new Set([...textOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const idsOf = new Map(files.map((file) => [file, ids(file)]))

  it("of a page leads to a page and a heading", () => {
    const dead = files.flatMap((file) =>
      [...new Set([...textOf(file).matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href))]
        .filter((href) => {
          if (/^[a-z]+:/.test(href)) return false
          const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `http://site/${file.replace(/index\.html$/, "")}`)
          const target = fileOf(pathname)
          return !existsSync(join(dist, target)) || (hash !== "" && idsOf.get(target)?.has(decodeURIComponent(hash.slice(1))) !== true)
        })
        .map((href) => `${file}: ${href}`),
    )
    expect(dead).toEqual([])
  })

  it("of a Markdown file leads to a file", () => {
    const texts = [...globSync("**/*.md", { cwd: dist }), "llms.txt"]
    expect(texts.length).toBeGreaterThan(files.length - 10)
    const dead = texts.flatMap((file) =>
      [
        ...textOf(file)
          .replace(/^ *```[\s\S]*?^ *```/gm, "")
          .matchAll(/\]\(([^)\s#]+)/g),
      ]
        .filter(([, target = ""]) => !/^[a-z]+:/.test(target) && !existsSync(join(dist, posix.join(dirname(file), target))))
        .map(([, target]) => `${file}: ${target}`),
    )
    expect(dead).toEqual([])
  })
})
