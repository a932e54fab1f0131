import { getBytes, Wallet } from "ethers"
import type { BrowserContextOptions } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { startBrowser } from "./browser.ts"
import { addAuthenticator, openVisitor } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

const password = "correct horse battery staple"
let program: Program
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  program = await start({
    store: { kind: "memory" },
    mail: { kind: "console" },
    email_password: { enabled: true, require_email_verification: true },
    cookie: { secure: false },
    pages: {},
    modules: { email_otp: {}, magic_link: {}, passkey: {}, siwe: {}, two_factor: {} },
  })
  browser = await startBrowser()
})

const opened = (options: BrowserContextOptions = {}) => openVisitor(browser, program, options)

describe("pages in a real browser", () => {
  it("without scripts: sign up, verify, sign in with a code, sign out, reset the password", async () => {
    const { page, go, press, pressOther, at, heading, notice, printed, faults } = await opened({ javaScriptEnabled: false })
    const email = "ada@example.com"
    await go("/sign-up")
    const link = await printed(/(\/verify-email\?token=[\w%.~-]+)/, async () => {
      await page.getByLabel("Email address").fill(email)
      await page.getByLabel("New password").fill(password)
      await press("Sign up")
    })
    expect(at()).toBe("/verify-email/sent")
    await go(link)
    expect(page.url()).not.toContain("token")
    await press("Verify the address")
    expect(await heading()).toBe("Your address is verified")

    await page.getByRole("link", { name: "Continue" }).click()
    expect(at()).toBe("/account")
    await go("/sign-out")
    await press("Sign out")
    await page.getByRole("link", { name: "Sign in" }).click()
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).isVisible()).toBe(false)
    const code = await printed(/\b(\d{6})\b/, async () => {
      await page.getByLabel("Email address").fill(email)
      await pressOther("Send me a code by email")
    })
    await page.getByLabel("Code", { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await press("Continue")
    expect(at()).toBe("/account")

    await go("/sign-out")
    await press("Sign out")
    expect(await heading()).toBe("You are signed out")

    await go("/forgot-password")
    const reset = await printed(/(\/reset-password\?token=[\w%.~-]+)/, async () => {
      await page.getByLabel("Email address").fill(email)
      await press("Send the link")
    })
    await go(reset)
    await page.getByLabel("New password").fill("another long password")
    await press("Set the password")
    expect(at()).toBe("/account")
    expect(await notice()).toContain("Your password is set")
    expect(faults).toEqual([])
  })

  it("the back button shows nothing after signing out", async () => {
    const { page, go, press, pressOther, at, printed } = await opened()
    const email = "grace@example.com"
    await go("/sign-in")
    const link = await printed(/(\/magic-link\?token=[\w%.~-]+)/, async () => {
      await page.getByLabel("Email address").fill(email)
      await pressOther("Send me a sign-in link")
    })
    await go(link)
    await press("Sign in")
    await go("/sign-out")
    expect(await page.content()).toContain(email)
    await press("Sign out")
    expect(at()).toBe("/sign-out/done")
    for (let back = 0; back < 3; back++) {
      await page.goBack()
      expect(await page.content()).not.toContain(email)
    }
  })

  it("shows and hides a password, shows times in the zone of the reader, and says when the service does not answer a passkey", async () => {
    const visitor = await opened({ timezoneId: "Asia/Tokyo" })
    const { page, go, press, pressOther, at, printed, faults } = visitor
    await go("/sign-in")
    const field = page.getByLabel("Password", { exact: true })
    await page.getByRole("button", { name: "Show Password" }).click()
    expect(await field.getAttribute("type")).toBe("text")
    await page.getByRole("button", { name: "Hide Password" }).click()
    expect(await field.getAttribute("type")).toBe("password")

    await page.route("**/passkey-options", (route) => route.abort())
    await go("/sign-in")
    const fault = page.getByRole("alert").filter({ hasText: "That did not work" })
    expect(await fault.isVisible()).toBe(false)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await fault.waitFor()
    expect(at()).toBe("/sign-in")

    const link = await printed(/(\/magic-link\?token=[\w%.~-]+)/, async () => {
      await page.getByLabel("Email address").fill("hedy@example.com")
      await pressOther("Send me a sign-in link")
    })
    await go(link)
    await press("Sign in")
    await go("/account/sessions")
    const time = page.locator("main time").first()
    const [shown, utc, moment] = [await time.textContent(), await time.getAttribute("title"), await time.getAttribute("datetime")]
    expect(utc).toMatch(/UTC$/)
    const tokyo = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone: "Asia/Tokyo" }).format(new Date(moment ?? ""))
    expect(shown?.replaceAll(/\s/g, " ")).toContain(tokyo.replaceAll(/\s/g, " "))
    expect(faults).toEqual([])
  })

  it("signs in with a passkey by the button and from the list of names, with the policy in force", async () => {
    const visitor = await opened()
    const { page, go, press, pressOther, at, printed, faults } = visitor
    const authenticator = await addAuthenticator(visitor, false)
    await go("/sign-in")
    const link = await printed(/(\/magic-link\?token=[\w%.~-]+)/, async () => {
      await page.getByLabel("Email address").fill("mary@example.com")
      await pressOther("Send me a sign-in link")
    })
    await go(link)
    await press("Sign in")
    await authenticator.setPresent(true)
    const registered = await page.evaluate(async () => {
      const call = async (path: string, body: object) =>
        (
          await fetch(`/api/auth${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
        ).json()
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await call("/passkey/register/options", {}))
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      return call("/passkey/register/verify", { response: made.toJSON() })
    })
    expect(registered).toMatchObject({ passkey: { transports: ["internal"] } })

    await authenticator.setPresent(false)
    await go("/sign-out")
    await press("Sign out")
    await go("/sign-in")
    await authenticator.setVerified(false)
    await authenticator.setPresent(true)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForTimeout(500)
    expect(at()).toBe("/sign-in")
    await authenticator.setVerified(true)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForURL("**/account")

    await authenticator.setPresent(false)
    await go("/sign-out")
    await press("Sign out")
    await authenticator.setPresent(true)
    await go("/sign-in")
    await page.waitForURL("**/account")
    await authenticator.setPresent(false)
    await go("/sign-in?another=yes")
    expect(await page.locator("[data-passkey] .mark").textContent()).toBe("Last used")
    expect(faults).toEqual([])
  })

  it("signs in with a wallet that announces itself", async () => {
    const { page, go, faults } = await opened()
    const wallet = new Wallet(`0x${"11".repeat(32)}`)
    await page.exposeFunction("signed", (text: string) => wallet.signMessage(getBytes(text)))
    await page.addInitScript((address) => {
      const provider = {
        request: async ({ method, params }: { method: string; params?: ReadonlyArray<string> }) =>
          method === "eth_requestAccounts" ? [address] : Reflect.get(window, "signed")(params?.[0]),
      }
      const detail = { info: { uuid: "1", name: "Test wallet" }, provider }
      addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail })))
    }, wallet.address.toLowerCase())
    await go("/sign-in")
    await page.getByText("Other ways to sign in").click()
    await page.getByRole("button", { name: "Sign in with a wallet (Test wallet)" }).click()
    await page.waitForURL("**/account")
    await go("/sign-in?another=yes")
    const used = page.locator("h1 + .stack").getByRole("button", { name: "Sign in with a wallet (Test wallet)" })
    expect(await used.getAttribute("aria-describedby")).toBe("mark")
    expect(await used.textContent()).toContain("Last used")
    expect(faults).toEqual([])
  })
})
