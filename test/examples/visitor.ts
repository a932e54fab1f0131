import type { Browser } from "playwright-core"
import { expect } from "vitest"
import { atEnd } from "../e2e/endings.ts"

const password = "correct horse battery staple"

/** Opens the page in a new browser context. `faults` contains the errors of scripts; refused requests are expected and not among them. */
export const visit = async (browser: Browser, url: string) => {
  const context = await browser.newContext()
  atEnd(() => context.close())
  const faults: Array<string> = []
  const open = async () => {
    const page = await context.newPage()
    page.on("pageerror", (error) => faults.push(error.message))
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text())
    })
    await page.goto(url)
    return page
  }
  const page = await open()
  const seen = (text: string) => page.getByText(text).waitFor()
  return {
    page,
    open,
    faults,
    seen,
    signUp: async (email: string) => {
      await page.getByPlaceholder("Email").fill(email)
      await page.getByPlaceholder("Password").fill(password)
      await page.getByRole("button", { name: "Sign up" }).click()
      await seen(`Signed in as ${email}`)
    },
    signOut: async () => {
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Sign up" }).waitFor()
    },
    /** A request of the page to its own origin. */
    ask: (path: string) =>
      page.evaluate(async (path) => {
        const response = await fetch(path)
        return { status: response.status, text: await response.text() }
      }, path),
  }
}

/** Sign-up, the protected route and sign-out on a page that has one origin with its backend. */
export const usePage = async (browser: Browser, url: string, email: string) => {
  const visitor = await visit(browser, url)
  expect((await visitor.ask("/me")).status).toBe(401)
  await visitor.signUp(email)
  const me = await visitor.ask("/me")
  expect([me.status, JSON.parse(me.text).email]).toEqual([200, email])

  await visitor.page.reload()
  await visitor.seen(`Signed in as ${email}`)
  await visitor.signOut()
  expect((await visitor.ask("/me")).status).toBe(401)
  await visitor.page.reload()
  await visitor.page.getByRole("button", { name: "Sign up" }).waitFor()
  expect(await visitor.page.getByText(email).count()).toBe(0)
  expect(visitor.faults).toEqual([])
}

/** The same on a page that the server renders: it contains the session, and hydration reports no difference. */
export const useRenderedPage = async (browser: Browser, url: string, email: string) => {
  await usePage(browser, url, email)
  const visitor = await visit(browser, url)
  const other = `other-${email}`
  expect((await visitor.ask("/")).text).toContain("Sign up</button>")
  await visitor.signUp(other)
  expect((await visitor.ask("/")).text).toMatch(new RegExp(`Signed in as (<!-- -->)?${other}</p>`))

  await visitor.page.reload()
  const tab = await visitor.open()
  await tab.getByText(`Signed in as ${other}`).waitFor()
  await visitor.signOut()
  await tab.getByRole("button", { name: "Sign up" }).waitFor()
  expect((await visitor.ask("/")).text).not.toContain(other)
  expect(visitor.faults).toEqual([])
}
