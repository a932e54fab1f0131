import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { startBrowser } from "./browser.ts"
import { freshStore } from "./database.ts"
import { openVisitor } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { install } from "./program.ts"
import { until } from "./waiting.ts"

// A form that is sent twice is one form.

const password = "correct horse battery staple"

/** Two processes that share one database. */
let both: readonly [Program, Program]
let browser: Browser

beforeAll(async () => {
  const config = { store: await freshStore(), cookie: { secure: false }, pages: {} }
  both = [await install(config), await install(config)]
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))
  browser = await startBrowser()
})

describe("in Chromium, with two seconds of latency", () => {
  it.each([true, false])(
    "a double click on Sign up signs up once, and the visitor is signed in (scripts: %s)",
    async (javaScriptEnabled) => {
      const visitor = await openVisitor(browser, both[0], { javaScriptEnabled })
      const { context, page, go, fill, at, faults } = visitor
      const devtools = await context.newCDPSession(page)
      await go("/sign-up")
      await fill("Email address", `${javaScriptEnabled}@example.com`)
      await fill("New password", password)
      await devtools.send("Network.enable")
      await devtools.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 2_000,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      let posts = 0
      page.on("request", (request) => {
        if (request.method() === "POST") posts += 1
      })
      const noteBusy = () =>
        addEventListener("submit", ({ submitter }) => sessionStorage.setItem("busy", submitter?.getAttribute("aria-busy") ?? ""))
      if (javaScriptEnabled) await page.evaluate(noteBusy)
      await page.getByRole("button", { name: "Sign up", exact: true }).dblclick({ delay: 30 })
      await until("the account", () => at() === "/account" || undefined)
      if (javaScriptEnabled) expect(await page.evaluate(() => sessionStorage.getItem("busy"))).toBe("true")
      expect(posts).toBe(javaScriptEnabled ? 1 : 2)

      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
      const answer = await fetch(`http://127.0.0.1:${both[0].port}/api/auth/list-sessions`, { headers: { cookie } })
      expect(((await answer.json()) as { readonly sessions: ReadonlyArray<unknown> }).sessions).toHaveLength(1)
      expect(faults).toEqual([])
    },
  )
})

it("the same form at two processes at once signs up once, and every response has the same session", async () => {
  const page = await fetch(`http://127.0.0.1:${both[0].port}/sign-up`)
  const cookie = page.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const form_token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ""
  const body = new URLSearchParams({ form_token, email: "racer@example.com", name: "", new_password: password, action: "sign_up" })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const { port } = both[index % 2]!
      const headers = { cookie, origin: `http://localhost:${port}` }
      return fetch(`http://127.0.0.1:${port}/sign-up`, { method: "POST", headers, body, redirect: "manual" })
    }),
  )
  const outcomes = answers.map(({ status, headers }) => {
    const session = headers.getSetCookie().find((set) => set.startsWith("session=")) ?? "no session"
    return `${status} ${headers.get("location")} ${session}`
  })
  expect(new Set(outcomes).size).toBe(1)
  expect(outcomes[0]).toMatch(/^303 \/account session=./)
})
