import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { nameOf, states } from "../adapters/pages/states/index.ts"
import { startBrowser } from "./browser.ts"
import { repository } from "./program.ts"
import { serveStates } from "./served-states.ts"

// What a screen reader says on pages of the console, beside what was recorded: `vitest -u` records it anew.

const reader = readFileSync(join(repository, "node_modules/@guidepup/virtual-screen-reader/lib/esm/index.browser.js"), "utf8")
const loading = `globalThis.reader = import(URL.createObjectURL(new Blob([${JSON.stringify(reader)}], { type: "text/javascript" })))`

/** What it says of a part of the page, and of new records. */
const spoken = async (part: string) => {
  const { virtual } = await (globalThis as any).reader
  await virtual.start({ container: document.querySelector(part) })
  const first: string = await virtual.lastSpokenPhrase()
  const end = `end of ${first}`
  for (let step = 0; step < 2000 && (await virtual.lastSpokenPhrase()) !== end; step++) await virtual.next()
  const news = document.querySelector("#news")
  if (news !== null) {
    news.textContent = "3 new records"
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const phrases: ReadonlyArray<string> = await virtual.spokenPhraseLog()
  await virtual.stop()
  return phrases
}

const recorded = [
  ["/admin/users: several", "main"],
  ["/admin/user: after a change", "main"],
  ["/admin/audit: several", "main"],
  ["/admin/user/suspend: refused", "main"],
  ["/account: impersonated", ".banner"],
] as const

it.each(recorded)("%s", async (name, part) => {
  const base = await serveStates()
  const browser = await startBrowser()
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" })
  const page = await context.newPage()
  // The times stay as the service wrote them, whatever the version of the browser.
  await page.route("**/assets/*.js", (route) => route.abort())
  await page.goto(`${base}/state/${states.findIndex((state) => nameOf(state) === name)}/en`)
  await page.addScriptTag({ content: loading })
  const phrases = await page.evaluate(spoken, part)
  await expect(`${phrases.join("\n")}\n`).toMatchFileSnapshot(`spoken/${name.replaceAll(/\W+/g, "-").slice(1)}.txt`)
})
