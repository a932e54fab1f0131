import { join } from "node:path"
import type { Browser } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import { pack } from "../package/tarball.ts"
import { copyExamples, freeOrigin, installPackages, runIn, serve, startService } from "./example.ts"
import { useRenderedPage, visit } from "./visitor.ts"

const names = ["react-express", "next"]

let browser: Browser
let examples: string
beforeAll(async () => {
  examples = copyExamples()
  installPackages(examples, pack(), names)
  browser = await startBrowser()
}, 600_000)

it("a page of React and a backend of Express on another origin share the session by tokens", async () => {
  const [page, api] = [await freeOrigin(), await freeOrigin()]
  // Another host: the browser sends it no cookie of the service.
  const apiUrl = `http://127.0.0.1:${api.port}`
  const service = await startService(page.url)
  const authUrl = `http://localhost:${service.port}`
  const folder = join(examples, "react-express")
  await runIn(folder, ["tsc", "-p", "."])
  await runIn(folder, ["vite", "build"], { VITE_AUTH_URL: authUrl, VITE_API_URL: apiUrl })
  await serve(folder, ["npm", "run", "api"], `${apiUrl}/notes`, { AUTH_URL: authUrl, PAGE_URL: page.url, PORT: api.port })
  await serve(folder, ["vite", "preview", "--port", page.port, "--strictPort"], page.url, {})

  const email = "react@example.com"
  const visitor = await visit(browser, page.url)
  await visitor.signUp(email)
  await visitor.seen(`The notes of ${email}`)
  await visitor.page.reload()
  await visitor.seen(`The notes of ${email}`)
  await visitor.page.getByRole("button", { name: email }).click()
  await visitor.page.getByRole("menuitem", { name: "Your account" }).waitFor()
  await visitor.page.keyboard.press("Escape")
  await visitor.signOut()
  expect(await visitor.page.getByText("The notes of").count()).toBe(0)
  expect((await fetch(`${apiUrl}/notes`)).status).toBe(401)
  expect(visitor.faults).toEqual([])
})

it("a page of Next.js is rendered with its session, and hydrates without a difference", async () => {
  const page = await freeOrigin()
  const service = await startService(page.url)
  const variables = { AUTH_URL: `http://localhost:${service.port}`, NEXT_TELEMETRY_DISABLED: "1" }
  const folder = join(examples, "next")
  await runIn(folder, ["next", "build"], variables)
  await serve(folder, ["next", "start", "--port", page.port], page.url, variables)
  await useRenderedPage(browser, page.url, "next@example.com")
})
