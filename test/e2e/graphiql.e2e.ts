import type { Page } from "playwright-core"
import { beforeAll, expect, it } from "vitest"
import { startBrowser } from "./browser.ts"
import { type Program, start } from "./program.ts"

const email = "ada@example.com"
const patience = 30_000

let program: Program
let page: Page
/** The requests of the page, and the messages of its console. */
const asked: Array<URL> = []
const complaints: Array<string> = []

beforeAll(async () => {
  program = await start({ store: { kind: "memory" }, graphql: { graphiql: true } })
  const browser = await startBrowser()
  page = await browser.newPage({ viewport: { width: 1400, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] })
  page.setDefaultTimeout(patience)
  page.on("request", (request) => asked.push(new URL(request.url())))
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text())
  })
  // It reads the schema first.
  const described = page.waitForResponse((response) => response.request().method() === "POST")
  await page.goto(`http://localhost:${program.port}/graphql`)
  await described
})

/** Pastes a document into the editor, because the editor would complete typed brackets. Runs it and returns the answer that the page shows. */
const run = async (document: string): Promise<string> => {
  await page.getByRole("region", { name: "Operation Editor" }).locator(".view-lines").click()
  await page.keyboard.press("ControlOrMeta+A")
  await page.evaluate((text) => navigator.clipboard.writeText(text), document)
  await page.keyboard.press("ControlOrMeta+V")
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.getByRole("button", { name: /^Execute query/ }).click(),
  ])
  return shownAs(await answer.json())
}

/** Waits until the page shows this answer. Spaces are ignored, because the editor writes non-breaking ones. */
const shownAs = async (answer: unknown): Promise<string> => {
  const result = page.getByRole("region", { name: "Result Window" }).locator(".view-lines")
  const wanted = JSON.stringify(answer).replace(/\s/g, "")
  await expect.poll(async () => (await result.innerText()).replace(/\s/g, ""), { timeout: patience }).toBe(wanted)
  return wanted
}

const who = "{ viewer { user { email } } }"

it("signs up, reads the viewer and signs out", async () => {
  expect(await run(who)).toBe('{"data":{"viewer":null}}')
  const signUp = `mutation { signUpEmail(input: { email: "${email}", password: "correct horse battery staple" }) { user { email } } }`
  expect(await run(signUp)).toBe(`{"data":{"signUpEmail":{"user":{"email":"${email}"}}}}`)
  expect(await run("{ viewer { user { email } accounts { providerId } } }")).toBe(
    `{"data":{"viewer":{"user":{"email":"${email}"},"accounts":[{"providerId":"credential"}]}}}`,
  )
  expect(await run("mutation { signOut { success } }")).toBe('{"data":{"signOut":{"success":true}}}')
  expect(await run(who)).toBe('{"data":{"viewer":null}}')
})

it("shows the schema", async () => {
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click()
  await page.getByRole("link", { name: "Mutation", exact: true }).click()
  await page.getByRole("link", { name: "signUpEmail", exact: true }).waitFor()
})

it("sends requests only to this service, and runs only its scripts", async () => {
  expect([...new Set(asked.map((url) => url.origin))]).toEqual([`http://localhost:${program.port}`])
  expect(complaints).toEqual([])
  await page.evaluate(() => {
    const script = document.createElement("script")
    script.textContent = "document.title = 'injected'"
    document.head.append(script)
  })
  expect(await page.title()).toBe("Sallyport")
  await expect.poll(() => complaints.join("\n")).toContain("Content Security Policy")
})
