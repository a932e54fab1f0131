import type { Browser, BrowserContextOptions } from "playwright-core"
import { atEnd } from "./endings.ts"
import type { Program } from "./program.ts"
import { until } from "./waiting.ts"

/** A visitor of the pages, in a browser of their own. */
export type Visitor = Awaited<ReturnType<typeof openVisitor>>

/** Opens a browser context for the pages of a program that prints its mails. */
export const openVisitor = async (browser: Browser, program: Program, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext(options)
  atEnd(() => context.close())
  const page = await context.newPage()
  /** Errors of scripts, violations of the Content-Security-Policy, and tokens of mailed links in a `Referer`. */
  const faults: Array<string> = []
  page.on("request", (request) => {
    const { referer = "" } = request.headers()
    if (/[?&](token|invitation_id)=/.test(referer)) faults.push(`the Referer of ${request.url()} is ${referer}`)
  })
  page.on("console", (message) => {
    if (/Content Security Policy|Refused/i.test(message.text())) faults.push(message.text())
  })
  page.on("pageerror", ({ message }) => faults.push(message))

  /** `commit`: without waiting for what the page loads, whose scripts may lead on to another page. */
  const go = (path: string, waitUntil: "load" | "commit" = "load") => page.goto(`http://localhost:${program.port}${path}`, { waitUntil })
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).first().click()
    await page.waitForLoadState()
  }
  /** Presses a button of the second level of the sign-in page. */
  const pressOther = async (name: string) => {
    await page.getByText("Other ways to sign in", { exact: true }).click()
    await press(name)
  }
  const follow = async (name: string) => {
    await page.getByRole("link", { name, exact: true }).first().click()
    await page.waitForLoadState()
  }
  /** Enters a code of six digits, which the script of the page sends; without scripts, the button does. */
  const enterCode = async (code: string, button: string) => {
    const answered = page.waitForNavigation()
    await page.getByLabel("Code", { exact: true }).fill(code)
    if (options.javaScriptEnabled === false) await page.getByRole("button", { name: button, exact: true }).click()
    await answered
  }
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  const at = () => new URL(page.url()).pathname
  const heading = () => page.getByRole("heading", { level: 1 }).textContent()
  /** The sentence that the page shows once. */
  const notice = () => page.getByRole("status").filter({ visible: true }).first().textContent()

  /** What the terminal prints during this work: the first group of the pattern. */
  const printed = async (pattern: RegExp, work: () => Promise<unknown>) => {
    const before = program.logs().length
    await work()
    return until("the mail", () => pattern.exec(program.logs().slice(before))?.[1])
  }
  return { context, page, go, press, enterCode, pressOther, follow, fill, at, heading, notice, printed, faults }
}

/** A virtual authenticator of the visitor's device, which confirms every request while `present`. */
export const addAuthenticator = async ({ context, page }: Visitor, present = true) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: present,
    },
  })
  const setPresent = async (enabled: boolean): Promise<void> => {
    await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
  }
  const setVerified = async (isUserVerified: boolean): Promise<void> => {
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
  }
  return { setPresent, setVerified }
}
