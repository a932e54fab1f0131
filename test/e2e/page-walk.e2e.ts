import { generateSync } from "otplib"
import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import sallyport from "../../sallyport.config.ts"
import { startBrowser } from "./browser.ts"
import { freshStore } from "./database.ts"
import type { Visitor } from "./page-visitor.ts"
import { addAuthenticator, openVisitor } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { cheapHash, start } from "./program.ts"

// The path of a newcomer through the pages, with the modules of sallyport.config.ts, on every store.

const password = "correct horse battery staple"
const stores =
  process.env["STORE"] === "mongo"
    ? [{ name: "MongoDB", store: freshStore }]
    : [
        { name: "memory", store: async () => ({ kind: "memory" }) },
        { name: "PostgreSQL", store: freshStore },
      ]
const scripts = [
  { kind: "with scripts", javaScriptEnabled: true, email: "ada@example.com", guest: "grace@example.com", slug: "engines" },
  { kind: "without scripts", javaScriptEnabled: false, email: "mary@example.com", guest: "joan@example.com", slug: "looms" },
]

const signUp = async ({ fill, press }: Visitor, email: string) => {
  await fill("Email address", email)
  await fill("New password", password)
  await press("Sign up")
}

/** The code that an authenticator app shows for the secret that it has read from the page. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret: secret.replaceAll(" ", ""), epoch: Math.floor(Date.now() / 1000) + 30 * steps })

/** A code is valid once, so that the app must show a new one. */
const signInWithApp = async ({ go, fill, press, enterCode, at, heading }: Visitor, email: string, secret: string) => {
  await go("/sign-in")
  await fill("Email address, user name or phone number", email)
  await fill("Password", password)
  await press("Sign in")
  expect(await heading()).toBe("Confirm that it is you")
  await enterCode(codeOf(secret, 1), "Continue")
  expect(at()).toBe("/account")
}

const addPasskey = async (ada: Visitor) => {
  await addAuthenticator(ada)
  await ada.follow("Add a passkey")
  await ada.page.getByRole("button", { name: "Add a passkey" }).click()
  await ada.page.waitForURL("**/account/security")
  expect(await ada.notice()).toContain("The passkey was added.")
}

const copyCodes = async ({ page, press }: Visitor) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  const codes = await page.locator(".codes li").allTextContents()
  await press("Copy")
  await page.getByText("Copied").waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"))
}

/** Adds an authenticator app, and returns its secret. */
const addApp = async (visitor: Visitor, hasScripts: boolean) => {
  const { page, follow, fill, press, enterCode, at } = visitor
  await follow("Set up an authenticator app")
  await fill("Password", password)
  await press("Continue")
  const secret = (await page.locator(".secret").textContent()) ?? ""
  await enterCode(codeOf(secret), "Turn on")
  expect(await page.locator(".codes li").count()).toBe(10)
  if (hasScripts) await copyCodes(visitor)
  await press("I have saved the codes")
  expect(at()).toBe("/account/security")
  return secret
}

const createOrganization = async ({ follow, fill, press, heading }: Visitor, slug: string) => {
  await follow("Organizations")
  await fill("Name of the organization", "Analytical Engines")
  await fill("Short name", slug)
  await press("Create")
  expect(await heading()).toBe("Analytical Engines")
}

/** A second user opens the mailed invitation, signs up with the invited address, and accepts. */
const acceptInvitation = async (guest: Visitor, invitation: string, email: string) => {
  await guest.go(invitation)
  expect(guest.page.url()).not.toContain("invitation_id")
  await guest.follow("Sign up")
  await signUp(guest, email)
  expect(await guest.heading()).toBe("You are invited")
  await guest.press("Accept")
  expect(await guest.page.getByRole("main").textContent()).toContain("You are now a member of Analytical Engines.")
}

describe.each(stores)("a newcomer, on $name", ({ store }) => {
  let program: Program
  let browser: Browser

  beforeAll(async () => {
    const email_password = { ...sallyport.email_password, hash: cheapHash }
    program = await start({ ...sallyport, store: await store(), email_password, cookie: { secure: false } })
    browser = await startBrowser()
  })

  it.each(scripts)("$kind: signs up, secures the account, and invites another user", async ({ javaScriptEnabled, email, guest, slug }) => {
    const ada = await openVisitor(browser, program, { javaScriptEnabled })
    await ada.go("/")
    await ada.follow("Sign up")
    await signUp(ada, email)
    expect(ada.at()).toBe("/account")
    const link = await ada.printed(/(\/verify-email\?token=[\w%.~-]+)/, () => ada.press("Send a verification link"))
    await ada.go(link)
    await ada.press("Verify the address")
    expect(await ada.heading()).toBe("Your address is verified")
    await ada.follow("Continue")

    await ada.follow("Security")
    if (javaScriptEnabled) await addPasskey(ada)
    const secret = await addApp(ada, javaScriptEnabled)

    await createOrganization(ada, slug)
    await ada.follow("Invite")
    const invitation = await ada.printed(/(\/accept-invitation\?invitation_id=[\w%.~-]+)/, async () => {
      await ada.fill("Email address", guest)
      await ada.press("Send invitation")
    })
    const grace = await openVisitor(browser, program, { javaScriptEnabled })
    await acceptInvitation(grace, invitation, guest)
    await ada.page.reload()
    expect(await ada.page.getByRole("main").textContent()).toContain(guest)

    await ada.follow("Sign out")
    await ada.press("Sign out")
    expect(await ada.heading()).toBe("You are signed out")
    const answer = await ada.go("/account", "commit")
    expect(new URL(answer?.url() ?? "").pathname).toBe("/sign-in")

    // With scripts, the browser offers the passkey in the list of names, and the authenticator confirms it.
    if (javaScriptEnabled) await ada.page.waitForURL("**/account")
    else await signInWithApp(ada, email, secret)
    expect([ada.faults, grace.faults]).toEqual([[], []])
  })
})
