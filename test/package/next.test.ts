import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import { until } from "../e2e/waiting.ts"
import { copyExamples, freeOrigin, installPackages, runIn, serve } from "../examples/example.ts"
import { usePage, visit } from "../examples/visitor.ts"
import { pack } from "./tarball.ts"

// examples/next-mounted with the tarball, as its README says.

/** `next` keeps the value of the test runner. */
const production = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" }

let browser: Browser
let folder: string
beforeAll(async () => {
  const examples = copyExamples()
  folder = join(examples, "next-mounted")
  useGate(examples)
  useHook()
  installPackages(examples, pack(), ["next-mounted"])
  browser = await startBrowser()
}, 300_000)

/** A module of the application, which the bundles of `proxy.ts` and of the pages each contain. */
const useGate = (examples: string) => {
  copyFileSync(join(examples, "company-only.ts"), join(folder, "company-only.ts"))
  const file = join(folder, "sallyport.config.ts")
  const own = 'import { companyOnly } from "./company-only"\n'
  const configuration = readFileSync(file, "utf8").replace(
    "modules: {",
    'extensions: [companyOnly],\n  modules: { company_only: { domains: ["example.com"] },',
  )
  writeFileSync(file, own + configuration)
}

/** A page that the server renders with the hook of an external package, and an element in `Suspense`. */
const useHook = () => {
  mkdirSync(join(folder, "app/hook"))
  writeFileSync(
    join(folder, "app/hook/page.tsx"),
    `"use client"
import { Suspense } from "react"
import { createClient } from "sallyport/client"
import "sallyport/elements/user-button"
import { useSession } from "sallyport/react"

const client = createClient()
const Page = () => (
  <Suspense>
    <output>{useSession(client).status}</output>
    <sallyport-user-button client={client}><a href="/auth/sign-in">Sign in</a></sallyport-user-button>
  </Suspense>
)
export default Page
`,
  )
}

const post = (url: string, path: string, body: object) =>
  fetch(`${url}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
  })

it("is built without a secret, a database and a connection; then its page, actions, pages of the service and endpoints work", async () => {
  const log = join(folder, "connections.log")
  writeFileSync(
    join(folder, "count.mjs"),
    `import { appendFileSync } from "node:fs"
import { Socket } from "node:net"
const { connect } = Socket.prototype
const log = (line) => appendFileSync(${JSON.stringify(log)}, line + "\\n")
log("loaded")
Socket.prototype.connect = function (...args) {
  log("connection")
  return Reflect.apply(connect, this, args)
}`,
  )
  await runIn(folder, ["next", "build"], { ...production, NODE_OPTIONS: `--import ${join(folder, "count.mjs")}` })
  expect(new Set(readFileSync(log, "utf8").trim().split("\n"))).toEqual(new Set(["loaded"]))
  expect(existsSync(join(folder, ".sallyport"))).toBe(false)

  const { port, url } = await freeOrigin()
  const variables = { ...production, SALLYPORT_SECRET: "a secret for these tests only, 32+ bytes", SALLYPORT_PUBLIC_URL: url }
  await serve(folder, ["next", "start", "--port", port], url, variables)
  // The first requests wait for the creation of the database, on a slow machine in vain.
  await until("the service", async () => (await fetch(`${url}/api/auth/get-session`)).ok || undefined, 120)
  const signedUp = await post(url, "/sign-up/email", { email: "api@example.com", password: "correct horse battery staple" })
  expect([signedUp.status, signedUp.headers.getSetCookie().length > 0]).toEqual([200, true])
  const foreign = await post(url, "/sign-up/email", { email: "api@example.org", password: "correct horse battery staple" })
  expect(await foreign.json()).toMatchObject({ error: { code: "not_admitted" } })

  const html = await (await fetch(`${url}/auth/sign-in`)).text()
  const files = html.match(/\/auth\/assets\/page\.\w+\.(css|js)/g) ?? []
  expect(files).toHaveLength(2)
  for (const asset of files)
    expect(await (await fetch(url + asset)).text(), asset).toMatch(asset.endsWith("css") ? /^:root\{/ : /^"use strict";/)

  await usePage(browser, url, "action@example.com")
  const visitor = await visit(browser, url)
  await visitor.signUp("account@example.com")
  await visitor.page.getByRole("link", { name: "Account" }).click()
  await visitor.page.getByRole("heading", { level: 1 }).waitFor()
  expect(new URL(visitor.page.url()).pathname).toMatch(/^\/auth\/account/)
  expect(visitor.faults).toEqual([])
  await visitor.page.goto(`${url}/hook`)
  await visitor.page.getByText("authenticated").waitFor()
  await visitor.page.getByRole("button", { name: "account@example.com" }).waitFor()
  expect(visitor.faults).toEqual([])
})
