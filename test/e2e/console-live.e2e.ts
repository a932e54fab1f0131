import { once } from "node:events"
import { createServer } from "node:http"
import type { Request } from "playwright-core"
import { expect, it } from "vitest"
import { nodeHandler, sallyport } from "../../index.ts"
import { freePort } from "../free-port.ts"
import { startBrowser } from "./browser.ts"
import { atEnd } from "./endings.ts"
import { until } from "./waiting.ts"

const password = "correct horse battery staple"

/** A service with the console, in this process. */
const served = async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const auth = sallyport({
    secret: "a secret for these tests only, 32+ bytes",
    public_url: url,
    store: { kind: "memory" },
    mail: { kind: "none" },
    log: { level: "none" },
    email_password: { enabled: true },
    rate_limit: { enabled: false },
    modules: { admin: {}, audit: {} },
    pages: { admin: {} },
  })
  const server = createServer(nodeHandler(auth))
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
    await auth.close()
  })
  await once(server.listen(port), "listening")
  return { auth, url }
}

it("the audit log shows new records while it is live: not before, paused, in a hidden tab, or without the right", async () => {
  const { auth, url } = await served()
  const browser = await startBrowser()
  const context = await browser.newContext()
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("pageerror", ({ message }) => faults.push(message))
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource")) faults.push(message.text())
  })
  const opened: Array<string> = []
  const ended: Array<string> = []
  const isTail = (address: string) => address.includes("/admin/audit/live?")
  page.on("request", (request) => isTail(request.url()) && opened.push(request.url()))
  const atEndOf = (request: Request) => isTail(request.url()) && ended.push(request.url())
  page.on("requestfinished", atEndOf)
  page.on("requestfailed", atEndOf)

  const signUp = (email: string) =>
    context.request.post(`${url}/api/auth/sign-up/email`, { data: { email, password }, headers: { origin: url } })
  const { user: other } = await (await signUp("other@example.com")).json()
  const { user: boss } = await (await signUp("boss@example.com")).json()
  const { user } = await (await signUp("ada@example.com")).json()
  const setRole = async (user_id: string, role: string) => {
    const { error } = await auth.call.adminSetRole({ actor: "test", input: { user_id, role } })
    expect(error).toBeNull()
  }
  for (const { id } of [boss, user]) await setRole(id, "admin")
  /** Adds a record to the log. */
  let roles = 0
  const record = () => setRole(other.id, `role_${++roles}`)
  const rows = page.locator("#results tbody tr")
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const rowsAre = (count: number) => until(`${count} rows`, async () => (await rows.count()) === count || undefined, 10)

  await page.goto(`${url}/admin/audit`)
  const before = await rows.count()
  await record()
  await button("Show live").click()
  await until("the connection", () => opened.length === 1 || undefined, 5)
  await rowsAre(before + 1)
  await record()
  await rowsAre(before + 2)
  expect(await rows.first().locator("time").textContent()).not.toContain("UTC")
  const news = page.getByRole("status").filter({ hasText: /^[12] new records?$/ })
  await until("the number of new records", async () => (await news.count()) === 1 || undefined, 20)

  await button("Pause").click()
  await until("the end of the connection", () => ended.length === 1 || undefined, 5)
  await record()
  await page.waitForTimeout(2500)
  expect(await rows.count()).toBe(before + 2)
  await button("Show live").click()
  await rowsAre(before + 3)

  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event("visibilitychange"))
    }, isHidden)
  await setHidden(true)
  await until("the end of the connection", () => ended.length === 2 || undefined, 5)
  await record()
  await page.waitForTimeout(2500)
  expect(await rows.count()).toBe(before + 3)
  await setHidden(false)
  await rowsAre(before + 4)

  for (let count = 0; count < 60; count++) await record()
  await page.getByRole("status").filter({ hasText: "of them shown here" }).waitFor()
  const newest = async () => (await rows.first().textContent())?.includes(`role_${roles}`) || undefined
  for (let second = 0; second < 22; second++) {
    for (let count = 0; count < 9; count++) await record()
    await page.waitForTimeout(1000)
  }
  await record()
  await until("the last record", newest, 20)
  expect(await rows.count()).toBe(200)

  await page.getByLabel("Event").fill("session.opened")
  await until("the filtered rows", async () => (await rows.count()) < 10 || undefined, 10)
  expect(await page.getByRole("link", { name: "Export records" }).getAttribute("href")).toContain("type=session.opened")
  const filtered = await rows.count()
  await record()
  await auth.call.signInEmail({ input: { email: "other@example.com", password } })
  await rowsAre(filtered + 1)

  await setRole(user.id, "user")
  await page.getByRole("status").filter({ hasText: "Live updates have ended." }).waitFor()
  await button("Show live").waitFor()
  expect(faults).toEqual([])
})
