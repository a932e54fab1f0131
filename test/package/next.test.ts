import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import { copyExamples, freeOrigin, installPackages, runIn, serve } from "../examples/example.ts"
import { usePage, visit } from "../examples/visitor.ts"
import { pack } from "./tarball.ts"

// examples/next-mounted with the tarball, as its README says.

const telemetry = { NEXT_TELEMETRY_DISABLED: "1" }

let browser: Browser
let folder: string
beforeAll(async () => {
  const examples = copyExamples()
  folder = join(examples, "next-mounted")
  installPackages(examples, pack(), ["next-mounted"])
  browser = await startBrowser()
}, 300_000)

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
  await runIn(folder, ["next", "build"], { ...telemetry, NODE_OPTIONS: `--import ${join(folder, "count.mjs")}` })
  expect(new Set(readFileSync(log, "utf8").trim().split("\n"))).toEqual(new Set(["loaded"]))
  expect(existsSync(join(folder, ".sallyport"))).toBe(false)

  const { port, url } = await freeOrigin()
  const variables = { ...telemetry, SALLYPORT_SECRET: "a secret for these tests only, 32+ bytes", SALLYPORT_PUBLIC_URL: url }
  await serve(folder, ["next", "start", "--port", port], url, variables)
  const signedUp = await post(url, "/sign-up/email", { email: "api@example.com", password: "correct horse battery staple" })
  expect([signedUp.status, signedUp.headers.getSetCookie().length > 0]).toEqual([200, true])

  await usePage(browser, url, "action@example.com")
  const visitor = await visit(browser, url)
  await visitor.signUp("account@example.com")
  await visitor.page.getByRole("link", { name: "Account" }).click()
  await visitor.page.getByRole("heading", { level: 1 }).waitFor()
  expect(new URL(visitor.page.url()).pathname).toMatch(/^\/auth\/account/)
  expect(visitor.faults).toEqual([])
})
