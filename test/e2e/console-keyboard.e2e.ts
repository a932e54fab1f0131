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
    modules: { admin: { admin_emails: ["root@example.com"], suspension: true }, audit: {} },
  })
  browser = await startBrowser()
})

/** Signs up in a browser of its own. */
const signedUp = async (email: string) => {
  const visitor = await openVisitor(browser, program)
  const { go, fill, press, printed } = visitor
  await go("/sign-up")
  const link = await printed(/(\/verify-email\?token=[\w%.~-]+)/, async () => {
    await fill("Email address", email)
    await fill("New password", password)
    await press("Sign up")
  })
  await go(link)
  await press("Verify the address")
  return visitor
}

describe("the console by keyboard alone", () => {
  it("finds a user, ends their session and suspends them for a reason, and the focus is never lost", async () => {
    const ada = await signedUp("ada@example.com")
    const { page, go, faults } = await signedUp("root@example.com")
    await go("/admin")

    /** The focused element with its text or its name; null if no element has the focus. */
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document
        if (element === null || element === document.body) return null
        return `${element.tagName} ${element.textContent?.trim() || element.getAttribute("name")}`
      })
    /** Presses Tab until an element with this text has the focus, which then is visible. */
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press("Tab")
        const reached = await focused()
        if (reached === wanted) {
          const { width, height } = await page.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON())
          expect(Math.min(width, height)).toBeGreaterThan(0)
          return
        }
      }
      throw new Error(`Tab does not reach ${wanted}`)
    }
    /** Presses a key that opens another page. */
    const opening = async (key: string, path: string) => {
      await Promise.all([page.waitForURL((url) => url.pathname === path), page.keyboard.press(key)])
      await page.waitForLoadState()
    }
    /** Presses a key that sends a form. The sentence about it has the focus on the next page, once it is rendered (`autofocus`). */
    const pressed = async (key: string, sentence: string) => {
      await Promise.all([page.waitForEvent("load"), page.keyboard.press(key)])
      await expect.poll(focused).toMatch(new RegExp(`^DIV ${sentence}`))
    }
    /** The first press of Tab on a new page reaches its beginning, not a place of the last page. */
    const beginsAtTop = async () => {
      expect(await focused()).toBe(null)
      await page.keyboard.press("Tab")
      expect(await focused()).toMatch(/^A Skip/)
    }

    await beginsAtTop()
    await page.keyboard.press("/")
    await expect.poll(focused).toBe("INPUT q")
    await page.keyboard.type("ada@")
    await opening("Enter", "/admin/search")

    await beginsAtTop()
    await tabTo("A ada@example.com")
    await opening("Enter", "/admin/user")
    await beginsAtTop()
    await tabTo("BUTTON End")
    await pressed("Enter", "The session has ended.")
    await ada.go("/account")
    expect(ada.at()).toBe("/sign-in")

    await tabTo("A Suspend")
    await opening("Enter", "/admin/user/suspend")
    await beginsAtTop()
    await tabTo("INPUT reason")
    await pressed("Enter", "There is a problem")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect.poll(focused).toBe("INPUT reason")
    await page.keyboard.type("sends spam, ticket 4711")
    await tabTo("BUTTON Suspend")
    await pressed("Enter", "The user is suspended.")
    expect(await page.locator("main").textContent()).toContain("sends spam, ticket 4711")

    await tabTo("A Users")
    await opening("Enter", "/admin/users")
    await beginsAtTop()
    expect(faults).toEqual([])
  })
})
