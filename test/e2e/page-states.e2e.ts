import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { nameOf, states } from "../adapters/pages/states/index.ts"
import { assets, rendered, tags } from "../adapters/pages/states/rendered.ts"
import { startBrowser } from "./browser.ts"
import { atEnd } from "./endings.ts"

// Every state of every page in Chromium. `PAGES=all` runs the whole matrix (`npm run test:pages`); otherwise each state is opened once, in one
// of the languages and colour schemes, with or without scripts. `SCREENSHOTS=folder` writes pictures of every state instead.
const isWhole = process.env["PAGES"] === "all"
const screenshots = process.env["SCREENSHOTS"]

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Serves the state of a number in a language, and the files of the pages. */
const serveStates = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const [, kind = "", first = "", tag = "en"] = (request.url ?? "").split("/")
    const asset = kind === "assets" ? assets.byPath.get(first) : undefined
    const state = kind === "state" ? states[Number(first)] : undefined
    if (asset !== undefined) response.writeHead(200, { "content-type": asset.type }).end(asset.body)
    else if (state !== undefined) response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(await rendered(state, tag))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The violations of WCAG 2.2 AA that axe finds. */
const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const run = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }
    const { violations } = await (globalThis as any).axe.run(document, run)
    return violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ html, failureSummary }: any) => `${html} ${failureSummary}`).join("; ")}`,
    )
  })
}

/** The elements that leave the page at the side. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth } = document.documentElement
    return [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        const isHidden = element.closest(".skip, [hidden]") !== null
        return !isHidden && width > 0 && (right > clientWidth + 1 || left < -1)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })

/** Controls with less than 24 by 24 pixels (WCAG 2.2, 2.5.8), except links in a sentence. */
const smallTargetsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, input:not([type=hidden]), select, a.button, nav a, .footer a, summary")]
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().height < 24 || element.getBoundingClientRect().width < 24)
      .map((element) => element.outerHTML.slice(0, 120)),
  )

/** The visible controls that the Tab key does not reach. */
const unreachedOf = async (page: Page) => {
  const all = "a[href], button, input:not([type=hidden]), select, summary"
  const count = await page.evaluate((selector) => {
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility() || each.matches(".skip"))
    for (const [index, control] of controls.entries()) control.dataset["control"] = String(index)
    return controls.length
  }, all)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const reached = new Set<string>()
  for (let presses = 0; presses < count + 3; presses++) {
    await page.keyboard.press("Tab")
    const at = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["control"])
    if (at !== undefined) reached.add(at)
  }
  return count - reached.size
}

/**
 * Opens a state. Without scripts, the browser parses the page as one that has them turned off; then they are turned on again, since axe needs
 * timers.
 */
const openState = async (page: Page, url: string, hasScripts: boolean) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: !hasScripts })
  await page.goto(url)
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: false })
  await devtools.detach()
}

interface Place {
  readonly colorScheme: "light" | "dark"
  readonly hasScripts: boolean
}
const places: ReadonlyArray<Place> = (["light", "dark"] as const).flatMap((colorScheme) =>
  [true, false].map((hasScripts) => ({ colorScheme, hasScripts })),
)

let base: string
let browser: Browser
const contexts = new Map<Place["colorScheme"], BrowserContext>()

beforeAll(async () => {
  base = await serveStates()
  browser = await startBrowser()
  for (const colorScheme of ["light", "dark"] as const)
    contexts.set(colorScheme, await browser.newContext({ colorScheme, viewport: { width: 320, height: 700 }, bypassCSP: true }))
})

const newPage = async ({ colorScheme }: Pick<Place, "colorScheme">) => {
  const page = await contexts.get(colorScheme)?.newPage()
  return page ?? expect.unreachable()
}

const check = async ({ index }: { readonly index: number }) => {
  const chosen = isWhole ? tags : [tags[index % tags.length] ?? "en"]
  for (const place of isWhole ? places : places.filter((_, at) => at === index % places.length)) {
    const page = await newPage(place)
    for (const tag of chosen) {
      await openState(page, `${base}/state/${index}/${tag}`, place.hasScripts)
      const where = `${tag}, ${JSON.stringify(place)}`
      expect(await violationsOf(page), where).toEqual([])
      expect(await overflowOf(page), where).toEqual([])
      expect(await smallTargetsOf(page), where).toEqual([])
      if (tag === chosen[0]) expect(await unreachedOf(page), where).toBe(0)
    }
    await page.close()
  }
}

/** Both colour schemes at two widths, in a language with long words and in one from right to left. */
const photograph = async ({ index, name }: { readonly index: number; readonly name: string }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await newPage({ colorScheme })
    for (const tag of ["de", "ar"])
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${base}/state/${index}/${tag}`)
        const file = `${String(index).padStart(3, "0")}-${name}-${tag}-${colorScheme}-${width}`.replaceAll(/[^\w-]+/g, "_")
        await page.screenshot({ path: `${screenshots}/${file}.png`, fullPage: true })
      }
    await page.close()
  }
}

describe("every state in Chromium", () => {
  it.each(states.map((state, index) => ({ name: nameOf(state), index })))("$name", screenshots === undefined ? check : photograph)
})
