import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import type { Program } from "../e2e/program.ts"
import { pause } from "../e2e/waiting.ts"
import { pack } from "../package/tarball.ts"
import { copyExamples, freeOrigin, installPackages, linesOf, runIn, serve, startService } from "./example.ts"
import { startFakeService } from "./fake-service.ts"
import { usePage, useRenderedPage } from "./visitor.ts"

const onNode = ["hono-ssr", "native-bearer"]
const email = "ada@example.com"
const password = "correct horse battery staple"

/** How a backend in another language is built and started. */
const backends = {
  fastapi: {
    build: async (folder: string) => {
      await runIn(folder, ["python3", "-m", "venv", "venv"])
      await runIn(folder, ["venv/bin/pip", "install", "--quiet", "-r", "requirements.txt"])
    },
    command: (port: string) => ["venv/bin/uvicorn", "main:app", "--no-proxy-headers", "--port", port],
  },
  go: {
    build: (folder: string) => runIn(folder, ["go", "build", "-o", "backend", "."]),
    command: () => ["./backend"],
  },
}

let browser: Browser
let examples: string
let service: Program
const hono = await freeOrigin()
const servedBy = { fastapi: await freeOrigin(), go: await freeOrigin() }
const names = ["fastapi", "go"] as const

beforeAll(async () => {
  examples = copyExamples()
  const built = Promise.all(names.map((name) => backends[name].build(join(examples, name))))
  installPackages(examples, pack(), onNode)
  await built
  service = await startService(hono.url, servedBy.fastapi.url, servedBy.go.url)
  browser = await startBrowser()
}, 600_000)

const serviceUrl = () => `http://localhost:${service.port}`

it.each(["fastapi", "go", "hono-ssr", "native-bearer", "next", "react-express"])("%s has fewer than 150 lines", (name) => {
  expect(linesOf(name)).toBeLessThan(150)
})

it.each(onNode)("%s type-checks with the package", async (name) => {
  await runIn(join(examples, name), ["tsc", "-p", "."])
})

it("a page of Hono and React is rendered with its session, and hydrates without a difference", async () => {
  const folder = join(examples, "hono-ssr")
  await serve(folder, ["npm", "start"], hono.url, { AUTH_URL: serviceUrl(), PORT: hono.port })
  await useRenderedPage(browser, hono.url, "hono@example.com")
})

it("a program with a token signs up, keeps its session in a file, and loses it at sign-out", () => {
  const folder = join(examples, "native-bearer")
  const run = (...args: ReadonlyArray<string>) => {
    const env = { ...process.env, AUTH_URL: serviceUrl() }
    const { stdout, status } = spawnSync(process.execPath, ["main.ts", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      input: `${password}\n`,
    })
    return { status, said: JSON.parse(stdout.replace("Password: ", "")) }
  }
  expect(run("sessions")).toMatchObject({ status: 1, said: { code: "unauthorized" } })
  expect(run("sign-up", "native@example.com")).toMatchObject({ status: 0, said: { user: { email: "native@example.com" } } })
  const file = join(folder, ".token")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const token = readFileSync(file, "utf8")
  const sessions = (held: string) => fetch(`${serviceUrl()}/api/auth/list-sessions`, { headers: { authorization: `Bearer ${held}` } })
  expect(run("sessions").said.sessions).toHaveLength(1)

  expect(run("sign-out").status).toBe(0)
  expect(existsSync(file)).toBe(false)
  expect(run("sessions").status).toBe(1)
  return expect(sessions(token)).resolves.toMatchObject({ status: 401 })
})

describe.each(names)("a backend in %s", (name) => {
  const { url, port } = servedBy[name]
  beforeAll(() => serve(join(examples, name), backends[name].command(port), url, { AUTH_URL: serviceUrl(), PORT: port }))

  it("serves a page with sign-up, a protected route and sign-out", () => usePage(browser, url, `${name}@example.com`))

  it("accepts tokens of the service, and forwards the extension of a session to its user only", async () => {
    const input = { email: `token-${name}@example.com`, password }
    const signedUp = await fetch(`${serviceUrl()}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    })
    const cookie = signedUp.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const { token } = await (await fetch(`${serviceUrl()}/api/auth/token`, { headers: { cookie } })).json()
    const claims = await fetch(`${url}/claims`, { headers: { authorization: `Bearer ${token}` } })
    expect([claims.status, await claims.json()]).toEqual([200, { email: input.email }])

    await pause(1100)
    const me = await fetch(`${url}/me`, { headers: { cookie } })
    expect([me.status, me.headers.getSetCookie().length]).toEqual([200, 1])
    expect((await fetch(`${url}/me`)).status).toBe(401)
  })
})

describe.each(names)("the checks in %s", async (name) => {
  const { url, port } = await freeOrigin()
  const fake = await startFakeService()
  beforeAll(() => serve(join(examples, name), backends[name].command(port), url, { AUTH_URL: fake.url, PORT: port }))

  const signedIn = JSON.stringify({ session: { id: "1" }, user: { id: "1", email } })
  const cookies = ["a=1; Path=/; HttpOnly", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"]

  it("forward the credentials and the sender's own address, and each cookie of the answer", async () => {
    fake.answer = { status: 200, body: signedIn, headers: { "set-cookie": cookies } }
    const sent = { cookie: "session=1", authorization: "Bearer 2", "user-agent": "test" }
    const response = await fetch(`${url}/me`, { headers: { ...sent, "x-forwarded-for": "203.0.113.7" } })
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, cookies])
    expect(fake.asked).toMatchObject(sent)
    expect(fake.asked["x-forwarded-for"]).toMatch(/^(127\.0\.0\.1|::1)$/)
    await fetch(`${url}/me`)
    expect(fake.asked["cookie"]).toBeUndefined()
  })

  const error = (code: string) => JSON.stringify({ error: { code, message: "" } })
  it.each([
    ["no session", 200, JSON.stringify({ session: null, user: null }), 401],
    ["an ended session", 401, error("unauthorized"), 401],
    ["a banned user", 403, error("banned"), 401],
    ["another refusal", 403, error("untrusted_origin"), 503],
    ["too many requests", 429, error("rate_limited"), 503],
    ["a fault", 500, error("internal_error"), 503],
    ["another server's page", 200, "<html>", 503],
  ])("answer %s (%i)", async (_, status, body, expected) => {
    fake.answer = { status, body, headers: { "set-cookie": cookies } }
    const response = await fetch(`${url}/me`, { headers: { cookie: "session=1" } })
    expect([response.status, response.headers.getSetCookie()]).toEqual([expected, expected === 401 ? cookies : []])
  })

  it("do not follow redirects of the service", async () => {
    fake.answer = { status: 302, body: signedIn, headers: { location: `${serviceUrl()}/api/auth/get-session` } }
    expect((await fetch(`${url}/me`, { headers: { cookie: "session=1" } })).status).toBe(503)
  })

  it("accept a token of one issuer, audience and algorithm only", async () => {
    const claims = async (token: string) => (await fetch(`${url}/claims`, { headers: { authorization: `Bearer ${token}` } })).status
    const keys = fake.keys
    fake.keys = { status: 500, body: "" }
    expect(await claims(await fake.token())).toBe(503)
    fake.keys = keys
    expect(await claims(await fake.token())).toBe(200)
    const refused = [
      "",
      "a.b.c",
      (await fake.token()).replace(/.{8}$/, "AAAAAAAA"),
      await fake.token({ iss: "https://other.example.com" }),
      await fake.token({ aud: "https://other.example.com" }),
      await fake.token({ exp: Math.floor(Date.now() / 1000) - 60 }),
      await fake.token({}, "rsa"),
      await fake.confused(),
    ]
    expect(await Promise.all(refused.map(claims))).toEqual(refused.map(() => 401))
  })
})
