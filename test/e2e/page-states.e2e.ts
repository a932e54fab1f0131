import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, CDPSession, Page } from "playwright-core"
import { beforeAll, describe, expect, it, onTestFailed } from "vitest"
import { nameOf, states } from "../adapters/pages/states/index.ts"
import { tags } from "../adapters/pages/states/rendered.ts"
import { startBrowser } from "./browser.ts"
import { serveStates } from "./served-states.ts"

// Every state of every page in Chromium. `PAGES=all` runs the whole matrix (`npm run test:pages`); otherwise each state is opened once, in one
// of the languages and colour schemes, with or without scripts. `SCREENSHOTS=folder` writes pictures of every state instead.
const isWhole = process.env["PAGES"] === "all"
const screenshots = process.env["SCREENSHOTS"]

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
/** The rules that depend on colours. */
const colourRules = ["color-contrast", "link-in-text-block"]

/** The violations of WCAG 2.2 AA that axe finds; `rules` are tags or ids of rules. */
const violationsOf = async (page: Page, rules: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as any).axe.run(document, {
      runOnly,
      resultTypes: ["violations"],
      preload: false,
      iframes: false,
    })
    return violations.map(
      ({ id, nodes }: any) => `${id}: ${nodes.map(({ html, failureSummary }: any) => `${html} ${failureSummary}`).join("; ")}`,
    )
  }, rules)
}

/** The elements that leave the page or their card at the side, outside of what scrolls by itself. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth } = document.documentElement
    return [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        const isHidden = !element.checkVisibility() || element.closest(".skip, .hidden-text, [hidden], .scroll > *, .sections li") !== null
        const card = element.parentElement?.closest(".card")?.getBoundingClientRect()
        const [from, to] = [Math.max(0, card?.left ?? 0), Math.min(clientWidth, card?.right ?? clientWidth)]
        return !isHidden && width > 0 && (right > to + 1 || left < from - 1)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })

/** Controls with less than 24 by 24 pixels (WCAG 2.2, 2.5.8), except links in a sentence. */
const smallTargetsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, input:not([type=hidden]), textarea, select, a.button, nav a, .footer a, summary")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().height < 24 || element.getBoundingClientRect().width < 24)
      .map((element) => element.outerHTML.slice(0, 120)),
  )

/** The visible controls that the Tab key does not reach. */
const unreachedOf = async (page: Page) => {
  const all = "a[href], button, input:not([type=hidden]), textarea, select, summary"
  const count = await page.evaluate((selector) => {
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (each) => each.checkVisibility({ visibilityProperty: true }) || each.matches(".skip"),
    )
    for (const [index, control] of controls.entries()) control.dataset["control"] = String(index)
    document.addEventListener("focusin", ({ target }) => (target as HTMLElement).setAttribute("data-reached", ""))
    ;(document.activeElement as HTMLElement | null)?.blur()
    return controls.length
  }, all)
  // The key goes through the day, month, year and calendar of a date one by one.
  const dates = await page.evaluate(() => document.querySelectorAll("input[type=date], input[type=datetime-local]").length)
  for (let presses = 0; presses < count + 4 * dates + 3; presses++) await page.keyboard.press("Tab")
  return count - (await page.evaluate(() => document.querySelectorAll("[data-control][data-reached]").length))
}

/**
 * Opens a state. Without scripts, the browser parses the page as one that has them turned off; then they are turned on again, since axe needs
 * timers.
 */
const openState = async (page: Page, devtools: CDPSession, url: string, hasScripts: boolean) => {
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: !hasScripts })
  await page.goto(url)
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: false })
}

let base: string
let browser: Browser

beforeAll(async () => {
  base = await serveStates()
  browser = await startBrowser()
})

const openPage = async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 700 }, bypassCSP: true, reducedMotion: "reduce" })
  const page = await context.newPage()
  return { page, devtools: await context.newCDPSession(page) }
}

let shared: ReturnType<typeof openPage> | undefined

/** One page for all tests, until one fails: a page that hangs does not stop the others. */
const sharedPage = async () => {
  shared ??= openPage()
  onTestFailed(async () => {
    const failed = shared
    shared = undefined
    await (await failed)?.page.context().close()
  })
  return await shared
}

/** The narrowest page of the console with tables, a small screen with the navigation at its side, where they are cards, and a phone. */
const widths = [1265, 1024, 320]
const schemes = ["light", "dark"] as const

/** Checks a state in these languages: everything in the first colour scheme, and what depends on colours in the others. */
const checkIn = async (
  index: number,
  chosen: ReadonlyArray<string>,
  hasScripts: boolean,
  colorSchemes: ReadonlyArray<"light" | "dark">,
) => {
  const { page, devtools } = await sharedPage()
  for (const tag of chosen) {
    await page.emulateMedia({ colorScheme: colorSchemes[0] ?? "light" })
    await openState(page, devtools, `${base}/state/${index}/${tag}`, hasScripts)
    for (const [at, colorScheme] of colorSchemes.entries()) {
      const where = `${tag}, ${colorScheme}, ${hasScripts ? "with" : "without"} scripts`
      if (at > 0) await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page, at === 0 ? everyRule : colourRules), where).toEqual([])
      for (const width of at === 0 ? widths : []) {
        await page.setViewportSize({ width, height: 700 })
        expect(await overflowOf(page), `${where}, ${width} pixels wide`).toEqual([])
      }
      expect(await smallTargetsOf(page), where).toEqual([])
    }
    // The order of the controls is the same in all languages.
    if (tag === chosen[0]) expect(await unreachedOf(page), `${hasScripts ? "with" : "without"} scripts`).toBe(0)
  }
}

const check = async ({ index }: { readonly index: number }) => {
  if (!isWhole) return checkIn(index, [tags[index % tags.length] ?? "en"], index % 2 === 0, [schemes[(index >> 1) % 2] ?? "light"])
  for (const hasScripts of [true, false]) await checkIn(index, tags, hasScripts, schemes)
}

/** Both colour schemes at two widths, in a language with long words and in one from right to left. */
const photograph = async ({ index, name }: { readonly index: number; readonly name: string }) => {
  for (const colorScheme of schemes) {
    const { page } = await sharedPage()
    await page.emulateMedia({ colorScheme })
    for (const tag of ["de", "ar"])
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${base}/state/${index}/${tag}`)
        const file = `${String(index).padStart(3, "0")}-${name}-${tag}-${colorScheme}-${width}`.replaceAll(/[^\w-]+/g, "_")
        await page.screenshot({ path: `${screenshots}/${file}.png`, fullPage: true })
      }
  }
}

describe("every state in Chromium", () => {
  it.each(states.map((state, index) => ({ name: nameOf(state), index })))("$name", screenshots === undefined ? check : photograph)
})
