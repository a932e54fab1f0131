import { generateSync } from "otplib"
import type { Browser } from "playwright-core"
import { renderToString } from "react-dom/server"
import { beforeAll, describe, expect, it } from "vitest"
import { createClient } from "../../client/index.ts"
import { startBrowser } from "./browser.ts"
import { openApplication, resetStyles, violationsOf } from "./elements-page.ts"
import { header } from "./elements-react.ts"
import { addAuthenticator } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

// The elements in an application with a strict Content-Security-Policy, on the origin of the service.

const password = "correct horse battery staple"
const name = '<img src=x onerror="document.title=1"> Ada & {user}'
const button = '<sallyport-user-button data-sallyport accounts><a href="/sign-in">Sign in</a></sallyport-user-button>'
const signIn = (attributes = "") =>
  `<sallyport-sign-in data-sallyport ${attributes}><a href="/sign-in?return_to=/account">Sign in</a></sallyport-sign-in>`
const switcher =
  '<sallyport-organization-switcher data-sallyport><a href="/account/organizations">Organizations</a></sallyport-organization-switcher>'

let program: Program
let browser: Browser
beforeAll(async () => {
  const modules = Object.fromEntries(["passkey", "magic_link", "two_factor", "multi_session", "organization"].map((each) => [each, {}]))
  const github = { preset: "github", client_id: "id", client_secret: "secret" }
  program = await start((url) => ({
    store: { kind: "memory" },
    mail: { kind: "console" },
    cookie: { secure: false },
    pages: {},
    modules: { ...modules, social: { providers: [{ ...github, redirect_uri: `${url}/api/auth/oauth/callback` }] } },
  }))
  browser = await startBrowser()
})

type Application = Awaited<ReturnType<typeof openApplication>>

/** Sends an operation with the cookies of the page. */
const call = ({ page }: Application, path: string, input: object): Promise<any> =>
  page.evaluate(
    async ([path, body]) => {
      const response = await fetch(`/api/auth${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: body! })
      return response.json()
    },
    [path, JSON.stringify(input)],
  )

/** A user who has signed up and, unless `signedIn`, signed out again. */
const registered = async (email: string, signedIn = false, options = {}, styles?: string) => {
  const application = await openApplication(browser, program, options, styles)
  await application.open("")
  expect(await call(application, "/sign-up/email", { email, password, name })).toHaveProperty("user")
  if (!signedIn) await call(application, "/sign-out", {})
  return application
}

const verifyAddress = async (application: Application, email: string) => {
  const send = () => call(application, "/send-verification-email", { email })
  const token = await application.printed(/verify-email\?token=([\w%.~-]+)/, send)
  expect(await call(application, "/verify-email", { token })).toEqual({ success: true })
}

/** Whether assistive technology reads the button of a menu as expanded: the browser derives it from the state of the popover. */
const isExpanded = async ({ context, page }: Application) => {
  const devtools = await context.newCDPSession(page)
  const { nodes } = await devtools.send("Accessibility.getFullAXTree")
  const { properties } = nodes.find(({ properties }) => properties?.some(({ name }) => name === "hasPopup")) ?? {}
  return properties?.find(({ name }) => name === "expanded")?.value.value
}

describe("sallyport-user-button", () => {
  it("shows the link of the application until a user has signed in, and without scripts", async () => {
    const anonymous = await openApplication(browser, program)
    await anonymous.open(button)
    expect(await anonymous.page.getByRole("link", { name: "Sign in" }).isVisible()).toBe(true)
    const without = await openApplication(browser, program, { javaScriptEnabled: false })
    await without.open(button + signIn() + switcher)
    expect(await without.page.getByRole("link").allTextContents()).toEqual(["Sign in", "Sign in", "Organizations"])
    await without.page.getByRole("link").nth(1).click()
    expect(without.at()).toBe("/sign-in")
  })

  it("is used in a component of Vue, which sets its client", async () => {
    const vue = await registered("vue@example.com")
    await vue.open('<div id="vue"></div>')
    const link = vue.page.getByRole("link", { name: "Sign in" })
    await link.waitFor()
    await call(vue, "/sign-in/email", { email: "vue@example.com", password })
    await vue.page.reload()
    await vue.page.getByRole("button", { name }).click()
    await vue.page.getByRole("menuitem", { name: "Sign out" }).click()
    await link.waitFor()
    expect(vue.faults).toEqual([])
  })

  it("makes a client of its own after React, which sets none, has hydrated it, although the page is still loading", async () => {
    const react = await registered("react@example.com", true)
    const { page } = react
    let load = () => {}
    await page.route("**/slow.png", (route) => new Promise<void>((resolve) => (load = resolve)).then(() => route.abort()))
    const opened = react.open(`<div id="react">${renderToString(header(createClient()))}</div><img src="/app/slow.png" alt="">`)
    await page.getByRole("button", { name }).waitFor()
    load()
    await opened
    const hydrated = page
      .locator("sallyport-user-button")
      .evaluate((element) => [Object.keys(element).some((key) => key.startsWith("__react")), (element as { client?: unknown }).client])
    expect(await hydrated).toEqual([true, undefined])
    expect(react.faults).toEqual([])
  })

  it("makes a client of its own in a page without a framework, by its attributes", async () => {
    const ada = await registered("own@example.com", true)
    const at = (path: string) => button.replace("data-sallyport", `base-url="http://localhost:${program.port}" base-path="${path}"`)
    await Promise.all([ada.page.waitForResponse("**/api/other/get-session"), ada.open(at("/api/other"))])
    expect(await ada.page.getByRole("link", { name: "Sign in" }).isVisible()).toBe(true)
    await ada.open(at("/api/auth"))
    await ada.page.getByRole("button", { name }).click()
    await ada.page.getByRole("menuitem", { name: "Sign out" }).click()
    await ada.page.getByRole("link", { name: "Sign in" }).waitFor()
    expect(ada.faults).toEqual([])
  })

  it("shows who is signed in after a server action or a router has led to another address", async () => {
    const ada = await registered("action@example.com", true)
    await ada.open(button)
    await ada.page.getByRole("button", { name }).waitFor()
    await ada.context.clearCookies()
    await ada.page.evaluate(() => history.pushState({}, "", "/app/next"))
    await ada.page.getByRole("link", { name: "Sign in" }).waitFor()
    expect(ada.faults).toEqual([])
  })

  it("is used by keyboard, shows HTML in a name as text, and signs out", async () => {
    const ada = await registered("ada@example.com", true)
    const { page } = ada
    await ada.open(button)
    const face = page.getByRole("button", { name })
    await face.focus()
    expect(await page.locator("sallyport-user-button img").count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])

    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press("ArrowDown")
    await page.getByRole("menuitem", { name: "Your account" }).waitFor()
    await expect.poll(focused).toBe("Your account")
    expect(await isExpanded(ada)).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    const seen = []
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "End"]) {
      await page.keyboard.press(key)
      seen.push(await focused())
    }
    const [account, add, out] = ["Your account", "Sign in with another account", "Sign out"]
    expect(seen).toEqual([add, out, account, out, account, out])
    await page.keyboard.press("Escape")
    await page.getByRole("menu").waitFor({ state: "hidden" })
    expect([await focused(), await isExpanded(ada)]).toEqual([expect.stringContaining("Ada"), false])
    await page.keyboard.press("ArrowUp")
    await page.getByRole("menu").waitFor()
    await expect.poll(focused).toBe("Sign out")
    await page.keyboard.press("Tab")
    await page.getByRole("menu").waitFor({ state: "hidden" })

    await face.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menu").waitFor()
    await expect.poll(focused).toBe("Your account")
    await page.keyboard.press("End")
    await page.keyboard.press("Space")
    await page.getByRole("link", { name: "Sign in" }).waitFor()
    expect(await ada.output()).toBe("sign-out: ")
    await expect.poll(focused).toBe("Sign in")
    expect([await page.title(), ada.faults]).toEqual(["Application", []])
  })

  it("changes to another account of the browser", async () => {
    const ada = await registered("ada-lovelace@example.com", true)
    await call(ada, "/sign-up/email", { email: "grace@example.com", password, name: "Grace" })
    await ada.open(button)
    await ada.page.getByRole("button", { name: "Grace" }).click()
    await ada.page.getByRole("menuitem", { name: "Ada" }).click()
    await ada.page.getByRole("button", { name: "Ada" }).waitFor()
    expect([await ada.output(), ada.faults]).toEqual(["change: ", []])
  })

  it("leads to the account", async () => {
    const ada = await registered("ada-byron@example.com", true)
    await ada.open(button)
    await ada.page.getByRole("button", { name }).click()
    await ada.page.getByRole("menuitem", { name: "Your account" }).click()
    await ada.page.waitForURL("**/account")
  })

  it.each([
    ["de", "ltr", "Abmelden"],
    ["ar", "rtl", "تسجيل الخروج"],
  ])("speaks %s", async (tag, direction, text) => {
    const ada = await registered(`${tag}@example.com`, true)
    await ada.open(button, tag)
    await ada.page.getByRole("button", { name: "Ada" }).click()
    expect(await ada.page.getByRole("menuitem").last().textContent()).toBe(text)
    expect(await ada.page.locator(".sallyport").getAttribute("dir")).toBe(direction)
  })
})

describe("sallyport-sign-in", () => {
  const form = signIn('methods="password passkey magic_link" providers="github my_company" return-to="/app/next"')

  it("signs in with a password, and leads to return-to", async () => {
    const ada = await registered("password@example.com")
    await ada.open(form)
    await ada.press("Sign in")
    await expect.poll(() => ada.page.evaluate(() => document.activeElement?.getAttribute("autocomplete"))).toBe("username webauthn")
    const fields = ada.page
      .locator("input")
      .evaluateAll((all) => all.map((each) => [each.getAttribute("autocomplete"), (each as HTMLInputElement).type]))
    expect(await fields).toEqual([
      ["username webauthn", "email"],
      ["current-password", "password"],
    ])
    expect(await violationsOf(ada.page)).toEqual([])
    await ada.fill("Email address", "password@example.com")
    await ada.fill("Password", "wrong")
    await ada.press("Sign in")
    await ada.page.getByText("The email address or the password is wrong.").waitFor()
    expect(await violationsOf(ada.page)).toEqual([])
    await ada.fill("Password", password)
    await ada.press("Sign in")
    await ada.page.waitForURL("**/app/next")
    await ada.page.getByText("You are signed in as").waitFor()
    expect(await ada.page.locator("[role=status]").textContent()).toContain(name)
    expect(ada.faults).toEqual([])
  })

  it.each(["https://evil.example/", "//evil.example/", "javascript:document.title=1", "data:text/html,x", "http://localhost:1/"])(
    "does not lead to %s",
    async (target) => {
      const email = `${Math.random()}@example.com`
      const ada = await registered(email)
      await ada.open(signIn(`return-to="${target}"`))
      await ada.fill("Email address", email)
      await ada.fill("Password", password)
      await ada.press("Sign in")
      await ada.page.getByText("You are signed in as").waitFor()
      expect([ada.at(), await ada.output(), await ada.page.title()]).toEqual(["/app/page", `sign-in: ${name}`, "Application"])
      expect(await ada.page.getByRole("link", { name: "Continue" }).count()).toBe(0)
    },
  )

  it("asks for the code of an authenticator app, or for a recovery code", async () => {
    const email = "totp@example.com"
    const ada = await registered(email, true)
    await verifyAddress(ada, email)
    const { secret, backup_codes } = await call(ada, "/2fa/totp/enable", { password })
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })
    await call(ada, "/2fa/totp/confirm", { code: code(0) })
    const begin = async () => {
      await call(ada, "/sign-out", {})
      await ada.open(form)
      await ada.fill("Email address", email)
      await ada.fill("Password", password)
      await ada.press("Sign in")
      await ada.page.getByLabel("Code", { exact: true }).waitFor()
    }
    await begin()
    await expect.poll(() => ada.page.evaluate(() => document.activeElement?.getAttribute("autocomplete"))).toBe("one-time-code")
    expect(await violationsOf(ada.page)).toEqual([])
    await ada.fill("Code", "000000")
    await ada.press("Continue")
    await ada.page.getByText("This code is wrong or has expired.").waitFor()
    await ada.fill("Code", code(1).replace(/^.../, "$& "))
    await ada.press("Continue")
    await ada.page.waitForURL("**/app/next")

    await begin()
    await ada.press("Use a recovery code")
    await ada.fill("Recovery code", backup_codes[0])
    await ada.press("Continue")
    await ada.page.waitForURL("**/app/next")
    expect(ada.faults).toEqual([])
  })

  it("continues on the pages for any other challenge", async () => {
    const ada = await registered("other@example.com")
    await ada.page.route("**/sign-in/email", (route) =>
      route.fulfill({ json: { challenge_token: "x", two_factor_enrolment_required: true } }),
    )
    await ada.open(form)
    await ada.fill("Email address", "other@example.com")
    await ada.fill("Password", password)
    await ada.press("Sign in")
    await ada.page.waitForURL("**/sign-in?return_to=*")
    expect(new URL(ada.page.url()).searchParams.get("return_to")).toBe(`http://localhost:${program.port}/app/next`)
  })

  it("signs in with a passkey that the browser offers in the field, or in its dialog", async () => {
    const email = "passkey@example.com"
    const ada = await registered(email, true)
    await verifyAddress(ada, email)
    await addAuthenticator(ada)
    await ada.page.evaluate(async () => {
      const send = async (path: string, body: object) => {
        const headers = { "content-type": "application/json" }
        return (await fetch(`/api/auth/passkey/register/${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()
      }
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await send("options", {}))
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      await send("verify", { response: made.toJSON() })
    })
    await call(ada, "/sign-out", {})
    await ada.open(form, "en", "commit")
    await ada.page.waitForURL("**/app/next")

    await call(ada, "/sign-out", {})
    await ada.open(signIn('methods="passkey" return-to="/app/next"'))
    await ada.press("Sign in with a passkey")
    await ada.page.waitForURL("**/app/next")
    expect(ada.faults).toEqual([])
  })

  it("mails a link, and leads to providers and back from a failure", async () => {
    const ada = await openApplication(browser, program)
    await ada.open(form)
    await ada.press("Send me a sign-in link")
    expect(await ada.page.locator("[role=status]").count()).toBe(0)
    expect(await ada.page.getByRole("button", { name: "Continue with" }).allTextContents()).toEqual([
      "Continue with GitHub",
      "Continue with My company",
    ])
    await ada.page.route("https://github.com/**", (route) => route.fulfill({ contentType: "text/html", body: "GitHub" }))
    await ada.press("Continue with GitHub")
    await ada.page.waitForURL("https://github.com/**")
    const state = new URL(ada.page.url()).searchParams.get("state")
    const callback = `http://localhost:${program.port}/api/auth/oauth/callback?error=access_denied&state=${state}`
    const { location = "" } = (await ada.context.request.get(callback, { maxRedirects: 0 })).headers()
    await ada.go(location)
    await ada.page.getByText("Signing in there did not work, or was cancelled.").waitFor()
    await ada.fill("Email address", "link@example.com")
    const link = await ada.printed(/(\/magic-link\?token=[\w%.~-]+)/, () => ada.press("Send me a sign-in link"))
    expect(await ada.page.locator("[role=status]").textContent()).toContain("link@example.com")
    await ada.go(link)
    await ada.press("Sign in")
    expect([ada.at(), ada.faults]).toEqual(["/account", []])
  })
})

describe("sallyport-organization-switcher", () => {
  it("creates organizations and changes between them", async () => {
    const ada = await registered("organizations@example.com", true)
    const { page } = ada
    await call(ada, "/organization/create", { name: "Looms", slug: "looms" })
    await ada.open(switcher)
    const face = page.getByRole("button").first()
    await face.click()
    await page.getByRole("menuitem", { name: "Create an organization" }).click()
    await page.getByRole("dialog").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await ada.fill("Name of the organization", name)
    await ada.fill("Short name", "looms")
    await ada.press("Create")
    await page.getByText("This short name is in use.").waitFor()
    await ada.fill("Short name", "engines")
    await ada.press("Create")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect([await face.textContent(), await ada.output()]).toEqual([name, `change: ${name}`])

    await face.press("ArrowDown")
    await page.getByRole("menuitemradio", { name: "Ada", checked: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole("menuitemradio", { name: "Looms", checked: false }).click()
    await page.locator("output", { hasText: "change: Looms" }).waitFor()
    expect(await face.textContent()).toBe("Looms")
    await page.reload()
    await page.getByRole("button", { name: "Looms" }).waitFor()

    await face.click()
    await page.getByRole("menuitem", { name: "Create an organization" }).click()
    await ada.press("Cancel")
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Looms")
    expect(ada.faults).toEqual([])
  })
})

describe("the style sheet of the elements", () => {
  it.each(["light", "dark"] as const)("survives a reset, and is readable on a dark page without color-scheme: %s", async (colorScheme) => {
    const ada = await registered(`reset-${colorScheme}@example.com`, true, { colorScheme }, resetStyles)
    const { page } = ada
    await ada.open(signIn() + switcher)
    const look = (name: string) =>
      page.getByRole("button", { name }).evaluate((element) => {
        const { borderTopWidth, backgroundColor } = getComputedStyle(element)
        return [borderTopWidth, backgroundColor]
      })
    await page.getByRole("button", { name: "Organizations" }).click()
    expect(await look("Organizations")).toEqual(["1px", "rgb(255, 255, 255)"])
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole("menuitem", { name: "Create an organization" }).click()
    expect(await violationsOf(page)).toEqual([])
    const box = await page.getByRole("dialog").boundingBox()
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    if (box === null) throw new Error("the dialog is not visible")
    expect([Math.abs(2 * box.x + box.width - width), Math.abs(2 * box.y + box.height - height)].every((off) => off < 3)).toBe(true)
    await call(ada, "/sign-out", {})
    await ada.open(signIn())
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})
