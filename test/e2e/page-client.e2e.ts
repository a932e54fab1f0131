import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as oauth from "oauth4webapi"
import type { Browser } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { createClient } from "../../client/index.ts"
import { startBrowser } from "./browser.ts"
import { atEnd } from "./endings.ts"
import { openVisitor } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"
import { until } from "./waiting.ts"

let program: Program
let browser: Browser
let callback: string
const scheme = "com.example.app:/auth"

/** The page of the client, on an origin of its own. */
const startClient = async (host = "127.0.0.1") => {
  const server = createServer((_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Client</h1>"))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  atEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
}

beforeAll(async () => {
  callback = await startClient()
  const client = { client_id: "app", client_secret: "", redirect_uris: [callback], consent: true, client_name: "The App" }
  program = await start({
    store: { kind: "memory" },
    mail: { kind: "console" },
    cookie: { secure: false },
    pages: {},
    modules: { idp: { clients: [client] }, bearer: { redirects: ["http://127.0.0.1/callback", "http://[::1]/callback", scheme] } },
  })
  browser = await startBrowser()
})

it.each([true, false])("a visitor of a client signs up, allows it, and is back with a code (scripts: %s)", async (javaScriptEnabled) => {
  const ada = await openVisitor(browser, program, { javaScriptEnabled })
  const query = new URLSearchParams({
    client_id: "app",
    redirect_uri: callback,
    response_type: "code",
    scope: "openid",
    state: "xyz",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })
  await ada.go(`/api/auth/oauth2/authorize?${query}`)
  await ada.follow("Sign up")
  await ada.fill("Email address", javaScriptEnabled ? "ada@example.com" : "grace@example.com")
  await ada.fill("New password", "correct horse battery staple")
  await ada.press("Sign up")
  await ada.page.waitForURL("**/consent?*")
  expect(await ada.heading()).toBe("The App wants to use your account")
  await ada.press("Allow")
  await ada.page.waitForURL(`${callback}?*`)
  const answered = new URL(ada.page.url()).searchParams
  expect([answered.get("state"), answered.has("code")]).toEqual(["xyz", true])
  expect(ada.faults).toEqual([])
})

/** The request of an app, and its exchange of the code that the browser brought. */
const appAt = async (redirect_uri: string) => {
  const code_verifier = oauth.generateRandomCodeVerifier()
  const [state, code_challenge] = [oauth.generateRandomState(), await oauth.calculatePKCECodeChallenge(code_verifier)]
  const query = new URLSearchParams({ redirect_uri, state, code_challenge, code_challenge_method: "S256" })
  const signedInAs = async ({ searchParams }: URL) => {
    expect(searchParams.get("state")).toBe(state)
    const app = createClient({ baseUrl: `http://localhost:${program.port}`, token: tokenStore() })
    const input = { code: searchParams.get("code") ?? "", code_verifier }
    expect(await app.native.exchange(input)).toMatchObject({ error: null })
    expect((await app.native.exchange(input)).error?.code).toBe("invalid_token")
    return (await app.getSession()).data?.user?.email
  }
  return { path: `/native?${query}`, signedInAs }
}

const tokenStore = () => {
  let token: string | null = null
  return {
    get: () => token,
    set: (value: string | null) => {
      token = value
    },
  }
}

it("a user signs up for an app, which gets a token; later only continues, also where the address is IPv6", async () => {
  const ada = await openVisitor(browser, program)
  const first = await appAt(callback)
  await ada.go(first.path)
  await ada.follow("Sign up")
  await ada.fill("Email address", "lin@example.com")
  await ada.fill("New password", "correct horse battery staple")
  await ada.press("Sign up")
  await ada.page.waitForURL("**/native?*")
  expect(await ada.page.getByRole("main").textContent()).toContain(new URL(callback).host)
  await ada.press("Continue")
  await ada.page.waitForURL(`${callback}?*`)
  expect(await first.signedInAs(new URL(ada.page.url()))).toBe("lin@example.com")

  const ipv6 = (await startClient("::1")).replace("127.0.0.1", "[::1]")
  const second = await appAt(ipv6)
  await ada.go(second.path)
  await ada.press("Continue")
  await ada.page.waitForURL(`${ipv6}?*`)
  expect(await second.signedInAs(new URL(ada.page.url()))).toBe("lin@example.com")
  expect(ada.faults).toEqual([])
})

it("Chromium opens the private scheme of an app", async () => {
  const ada = await openVisitor(browser, program)
  const devtools = await ada.context.newCDPSession(ada.page)
  const asked: Array<string> = []
  devtools.on("Page.frameRequestedNavigation", ({ url }) => asked.push(url))
  await devtools.send("Page.enable")
  const app = await appAt(scheme)
  await ada.go("/sign-up")
  await ada.fill("Email address", "kim@example.com")
  await ada.fill("New password", "correct horse battery staple")
  await ada.press("Sign up")
  await ada.go(app.path)
  await ada.press("Continue")
  const opened = await until("the app", () => asked.find((url) => url.startsWith(scheme)))
  expect(await app.signedInAs(new URL(opened))).toBe("kim@example.com")
  expect(await ada.page.getByRole("link", { name: "Continue" }).getAttribute("href")).toBe(opened)
  expect(ada.faults).toEqual([])
})
