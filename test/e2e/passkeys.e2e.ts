import { existsSync } from "node:fs"
import type { Browser, CDPSession } from "playwright-core"
import { chromium } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { atEnd } from "./endings.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"
import { until } from "./waiting.ts"

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"
const password = "correct horse battery staple"

/** The page of a site that uses passkeys with the browser's own methods. */
const site = `<!doctype html><title>Site</title><script>
const call = async (path, body) => {
  const sent = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await fetch("/api/auth" + path, sent)
  return { status: response.status, body: await response.json() }
}
const signUp = (email) => call("/sign-up/email", { email, password: ${JSON.stringify(password)} })
const verify = (token) => call("/verify-email", { token })
const made = async () => {
  const { body } = await call("/passkey/register/options", {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}
const register = async (name) => call("/passkey/register/verify", { response: await made(), name })
const got = async (asked = {}) => {
  const { body } = await call("/passkey/authenticate/options", asked)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}
const present = (response) => call("/passkey/authenticate/verify", { response })
const signIn = async (asked) => present(await got(asked))
const nameOf = (work) => work.then(() => "done", ({ name }) => name)
</script>`

interface Answer {
  readonly status: number
  readonly body: any
}

let program: Program
let browser: Browser

beforeAll(async () => {
  if (!existsSync(executablePath))
    throw new Error(`there is no ${executablePath}: install the package chromium, or name another one in CHROMIUM`)
  program = await start({
    store: { kind: "embedded", directory: "data" },
    mail: { kind: "console" },
    modules: { passkey: { rp_name: "Site" } },
  })
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  atEnd(() => browser.close())
})

const platform = {
  protocol: "ctap2",
  ctap2Version: "ctap2_1",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A user's browser with the site open, and the authenticator of the machine. */
const device = async () => {
  const context = await browser.newContext()
  atEnd(() => context.close())
  const page = await context.newPage()
  const address = `http://localhost:${program.port}/site`
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: site }))
  await page.goto(address)
  const devtools = await context.newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", { options: platform })
  return { page, devtools, authenticatorId, run: (work: string): Promise<Answer> => page.evaluate(work) }
}
type Device = Awaited<ReturnType<typeof device>>

const keptIn = async ({ devtools, authenticatorId }: { readonly devtools: CDPSession; readonly authenticatorId: string }) =>
  (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials

const addressOf = async ({ run }: Device) => (await run(`call("/get-session")`)).body.user?.email

/** Signs a user up, and verifies their address: passkeys are for verified ones. */
const signedUp = async (email: string) => {
  const their = await device()
  expect((await their.run(`signUp("${email}")`)).status).toBe(200)
  const before = program.logs().length
  await program.call("/send-verification-email", { email })
  const token = await until("the mail", () => /verify-email\?token=([\w%.~-]+)/.exec(program.logs().slice(before))?.[1])
  expect((await their.run(`verify("${token}")`)).status).toBe(200)
  return their
}

/** A user who signed up, added a passkey of their machine, and signed out. */
const registered = async (email: string) => {
  const their = await signedUp(email)
  expect((await their.run(`register("Laptop")`)).status).toBe(200)
  await their.run(`call("/sign-out", {})`)
  expect(await addressOf(their)).toBeUndefined()
  return their
}

describe("a real browser", () => {
  it("registers a passkey and signs in with it, without an address", async () => {
    const email = "ada@example.com"
    const their = await signedUp(email)
    const { status, body } = await their.run(`register("Laptop")`)
    expect([status, body]).toMatchObject([200, { passkey: { name: "Laptop", last_used_at: null, transports: ["internal"] } }])
    const [kept] = await keptIn(their)
    expect(kept).toMatchObject({ isResidentCredential: true, rpId: "localhost", userName: email })

    await their.run(`call("/sign-out", {})`)
    const signedIn = await their.run("signIn()")
    expect([signedIn.status, signedIn.body.user.email]).toEqual([200, email])
    expect(await addressOf(their)).toBe(email)
    const { body: list } = await their.run(`call("/passkey/list")`)
    expect(list.passkeys).toMatchObject([{ id: body.passkey.id, name: "Laptop", last_used_at: expect.any(String) }])
  })

  it("signs in with the passkey of an address, and finds none of an unknown address", async () => {
    const email = "grace@example.com"
    const their = await registered(email)
    expect((await their.run(`signIn({ email: "${email}" })`)).body.user.email).toBe(email)
    expect(await their.page.evaluate(`nameOf(signIn({ email: "unknown@example.com" }))`)).toBe("NotAllowedError")
  })

  it("makes no second passkey of a user in one machine", async () => {
    const their = await registered("mary@example.com")
    await their.run("signIn()")
    expect(await their.page.evaluate("nameOf(register())")).toBe("InvalidStateError")
  })

  it("signs in only with user verification", async () => {
    const their = await registered("joan@example.com")
    const { devtools, authenticatorId } = their
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
    expect(await their.page.evaluate("nameOf(signIn())")).toBe("NotAllowedError")
  })

  it("gives no response that another browser can use", async () => {
    const [their, other] = [await registered("jean@example.com"), await device()]
    const answer = JSON.stringify(await their.run("got()"))
    expect(await other.run(`present(${answer})`)).toMatchObject({ status: 401, body: { error: { code: "invalid_passkey" } } })
    expect(await addressOf(other)).toBeUndefined()
  })

  it("is refused with a copied passkey whose counter is behind", async () => {
    const their = await registered("kay@example.com")
    const [copied] = await keptIn(their)
    if (copied === undefined) return expect.unreachable()
    expect((await their.run("signIn()")).status).toBe(200)
    expect((await keptIn(their))[0]?.signCount).toBeGreaterThan(copied.signCount)

    const thief = await device()
    await thief.devtools.send("WebAuthn.addCredential", { authenticatorId: thief.authenticatorId, credential: copied })
    expect(await thief.run("signIn()")).toMatchObject({ status: 401, body: { error: { code: "invalid_passkey" } } })
    expect((await their.run("signIn()")).status).toBe(200)
  })
})
