import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { startBrowser } from "./browser.ts"
import { openVisitor } from "./page-visitor.ts"
import { type Program, start } from "./program.ts"

const password = "correct horse battery staple"
let program: Program
let browser: Browser

beforeAll(async () => {
  program = await start({
    store: { kind: "memory" },
    mail: { kind: "console" },
    email_password: { enabled: true, require_email_verification: true },
    cookie: { secure: false },
    pages: { admin: {} },
    modules: { admin: { admin_emails: ["root@example.com"], jobs: true }, audit: {}, organization: {} },
  })
  browser = await startBrowser()
})

describe("the keyboard shortcuts of the console in a real browser", () => {
  it("move, open and choose without changing data, and rest in fields, with modifiers and after 1.5 seconds", async () => {
    const visitor = await openVisitor(browser, program)
    const { page, go, press, fill, at, printed, faults } = visitor
    await go("/sign-up")
    const link = await printed(/(\/verify-email\?token=[\w%.~-]+)/, async () => {
      await fill("Email address", "root@example.com")
      await fill("New password", password)
      await press("Sign up")
    })
    await go(link)
    await press("Verify the address")
    await go("/admin/users")

    const keys = async (...pressed: ReadonlyArray<string>) => {
      for (const key of pressed) await page.keyboard.press(key)
    }
    const focused = () =>
      page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.getAttribute("name") ?? ""}`.trim())
    const changes: Array<string> = []
    page.on("request", (request) => request.method() !== "GET" && changes.push(request.url()))

    await keys("j", "x")
    await expect.poll(focused).toBe("A")
    expect(await page.locator("tbody input").first().isChecked()).toBe(true)
    await keys("x")
    expect(await page.locator("tbody input").first().isChecked()).toBe(false)

    await keys("/")
    await expect.poll(focused).toBe("INPUT q")
    await keys("g", "a", "?")
    expect(await page.locator("main input[type=search]").inputValue()).toBe("ga?")
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())

    await page.keyboard.press("g")
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Alt+j")
    expect([at(), await focused()]).toEqual(["/admin/users", "BODY"])
    await keys("Escape")
    await page.keyboard.press("g")
    await page.waitForTimeout(1600)
    await page.keyboard.press("a")
    expect(at()).toBe("/admin/users")
    await keys("g", "a")
    await page.waitForURL("**/admin/audit")
    await keys("g", "r")
    await page.waitForURL("**/admin/organizations")
    await keys("g", "u")
    await page.waitForURL("**/admin/users")
    await keys("j", "Enter")
    await page.waitForURL("**/admin/user?id=*")
    await keys("e")
    await expect.poll(focused).toBe("INPUT name")
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await keys("?")
    await page.waitForURL("**/admin/shortcuts")
    expect(changes).toEqual([])

    await press("Switch off")
    await keys("g", "u")
    await page.waitForTimeout(200)
    expect(at()).toBe("/admin/shortcuts")
    await press("Switch on")
    await keys("g", "u")
    await page.waitForURL("**/admin/users")
    expect(faults).toEqual([])
  })
})
