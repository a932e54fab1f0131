import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { startBrowser } from "./browser.ts"
import { atEnd } from "./endings.ts"
import { openVisitor } from "./page-visitor.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

let program: Program
let browser: Browser
let callback: string

/** The page of the client, on an origin of its own. */
const startClient = async () => {
  const server = createServer((_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Client</h1>"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
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
    modules: { idp: { clients: [client] } },
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
  await ada.fill("E-mail address", javaScriptEnabled ? "ada@example.com" : "grace@example.com")
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
