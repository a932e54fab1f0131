import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { completed } from "../../../adapters/assembly/start.ts"
import { fileOfTypes } from "../../../adapters/client-types/types-file.ts"
import { addressFindings, applicationIn } from "../../../adapters/doctor/application.ts"
import { applicationChecks } from "../../../adapters/doctor/application-checks.ts"
import { type Framework, frameworks } from "../../../adapters/init/choices.ts"
import { planOf, writeFiles } from "../../../adapters/init/files.ts"
import { readProject } from "../../../adapters/init/project.ts"
import { nodeHandler, type SallyportConfiguration, sallyport } from "../../../index.ts"
import { freePort } from "../../free-port.ts"
import { configured } from "../assembly/configured.ts"

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Files = Readonly<Record<string, string>>

const write = (folder: string, files: Files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** An application of this framework after `init`, with further files. */
const application = (framework: Framework, files: Files = {}, layout: "mount" | "proxy" = "mount") => {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  write(folder, { "package.json": JSON.stringify({ dependencies: { [framework]: "1", sallyport: "1" } }), "tsconfig.json": "{}" })
  const project = readProject(folder, {})
  if (project === undefined) throw new Error("The folder has no project.")
  writeFiles(folder, planOf(project, { framework, layout, store: "embedded", methods: ["password"] }).files)
  write(folder, files)
  return folder
}

const check = async (folder: string, changes: SallyportConfiguration, file = "sallyport.config.ts") => {
  const decoded = await Effect.runPromise(completed({ ...configured().configuration, pages: { path: "/auth" }, ...changes }))
  const configuration = { ...decoded, file: join(folder, file) }
  const findings = await Effect.runPromise(applicationChecks(configuration, folder, Effect.succeed("export interface Operations {}\n")))
  return findings.map(({ check, level, text, remedy }) => `${level} ${check}: ${text}${remedy === undefined ? "" : `; ${remedy}`}`)
}

/** A URL at which nothing listens. */
const away = `http://127.0.0.1:${await freePort()}`

const mounted = frameworks.filter((framework) => framework !== "separate")

describe("while the application is not running, its files tell", () => {
  it.each(mounted)("that what init made for %s answers", async (framework) => {
    const [route, pages] = await check(application(framework), { public_url: away })
    const remedy = "start the application, and run this again"
    expect(route).toMatch(new RegExp(`^ok route: .* /api/auth/; ${away} is not running; ${remedy}$`))
    expect(pages).toMatch(new RegExp(`^ok pages: .* /auth/; ${away} is not running; ${remedy}$`))
  })

  it("which paths no route of Next.js answers", async () => {
    const found = await check(application("next"), { public_url: away, base_path: "/login/api", pages: { path: "/account" } })
    expect(found.slice(0, 2)).toEqual([
      "error route: no route of app answers /login/api/; let app/login/api/[...path]/route.ts export the handlers of mount(auth), and proxy.ts pass the path",
      "error pages: no route of app answers /account/; let app/account/[...path]/route.ts export the handlers of mount(auth), and proxy.ts pass the path",
    ])
  })

  it.each([
    ["app/(auth)/login/[...all]/route.js", "ok"],
    ["app/[[...all]]/route.ts", "ok"],
    ["app/log/[...all]/route.ts", "error"],
    ["app/login/route.ts", "error"],
    ["app/login/[path]/route.ts", "error"],
    ["app/login/[...all]/page.tsx", "error"],
  ])("the route %s: %s", async (file, level) => {
    const [route] = await check(application("next", { [file]: "" }), { public_url: away, base_path: "/login" })
    expect(route).toMatch(new RegExp(`^${level} route`))
  })

  it.each(["express", "hono", "fastify"] as const)("which paths the file of %s does not name", async (framework) => {
    const [route, pages] = await check(application(framework), { public_url: away, base_path: "/auth/api" })
    expect(route).toBe(
      "warn route: auth.ts does not name /auth/api/; mount the service in auth.ts at /auth/api/, before what answers all paths",
    )
    expect(pages).toMatch(/^ok pages/)
  })

  it("nothing of a service of its own", async () => {
    const found = await check(application("express", {}, "proxy"), { public_url: away })
    expect(found.map((line) => line.split(";")[0])).toEqual([
      "ok route: /api/auth/ leads to a service of its own",
      "ok pages: /auth/ leads to a service of its own",
    ])
  })
})

/** Serves an application on a port of its own; returns its URL. */
const serve = async (handlerOf: (public_url: string) => RequestListener) => {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on("request", handlerOf(url))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return url
}

const notFound: RequestListener = (_, response) =>
  void response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end("<h1>404</h1>")

describe("of a running application", () => {
  /** An application with the service at `/api/auth` and `/auth`, whose other paths are its own. */
  const running = (changes: SallyportConfiguration = {}) =>
    serve((public_url) => {
      const auth = sallyport({ ...configured().configuration, pages: { path: "/auth" }, public_url, ...changes })
      closers.push(auth.close)
      const handle = nodeHandler(auth)
      return (request, response) => {
        if (/^\/(api\/)?auth\//.test(request.url ?? "")) handle(request, response)
        else notFound(request, response)
      }
    })

  it("the service and its pages answer, whichever files there are", async () => {
    const public_url = await running()
    expect(
      (await check(application("express", { "auth.ts": 'import { sallyport } from "sallyport"' }), { public_url })).slice(0, 2),
    ).toEqual([`ok route: ${public_url}/api/auth/get-session answers`, `ok pages: ${public_url}/auth/sign-in answers`])
  })

  it("pages of your own answer too", async () => {
    const own = {
      pages: { path: "/auth", routes: { sign_in: "https://example.com/sign-in" } },
      trusted_origins: ["https://example.com"],
    } as const
    const public_url = await running(own)
    expect((await check(application("express"), { public_url, ...own }))[1]).toMatch(/^ok pages: .* answers$/)
  })

  it("its own 404 is a fault", async () => {
    const public_url = await running()
    const changes = { public_url, base_path: "/login", pages: { path: "/account" } }
    const remedy = (path: string) => `mount the service in auth.ts at ${path}/, before what answers all paths`
    expect((await check(application("express"), changes)).slice(0, 2)).toEqual([
      `error route: ${public_url}/login/get-session answered 404 with text/html, and not by Sallyport; ${remedy("/login")}`,
      `error pages: ${public_url}/account/sign-in answered 404 with text/html, and not by Sallyport; ${remedy("/account")}`,
    ])
  })

  it("a page of its own that answers every path is a fault, and a redirect", async () => {
    const page: RequestListener = (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<div id=root></div>")
    const redirect: RequestListener = (_, response) => void response.writeHead(307, { location: "/login" }).end()
    for (const [handler, answer] of [[page, "200 with text/html"] as const, [redirect, "307 with no content"] as const]) {
      const public_url = await serve(() => handler)
      for (const line of (await check(application("next"), { public_url })).slice(0, 2))
        expect(line).toMatch(new RegExp(`^error (route|pages): \\S+ answered ${answer}, and not by Sallyport; let app/.*`))
    }
  })

  const unavailable = JSON.stringify({ error: { code: "unavailable", message: "no database" } })

  it("a service that cannot open says why", async () => {
    const public_url = await serve(() => (_, response) => void response.writeHead(503).end(unavailable))
    const [route] = await check(application("express"), { public_url })
    expect(route).toBe(`error route: ${public_url}/api/auth/get-session answered 503: no database; see the log of the service`)
  })

  it("a host that does not answer is a warning", async () => {
    const public_url = await serve(() => (request) => request.socket.destroy())
    const [route] = await check(application("express"), { public_url })
    expect(route).toMatch(/^warn route: \S+ cannot be reached \(.+\); check public_url, and the server there$/)
  })
})

describe("the client address", () => {
  const peer = { client_address: "peer", trusted_proxies: [] } as const
  const address = (folder: string, changes: Partial<Parameters<typeof addressFindings>[1]> = {}, isDevelopment = false) =>
    addressFindings(applicationIn(folder)!, { ...peer, ...changes }, isDevelopment).map(
      ({ level, text, remedy }) => `${level}: ${text}; ${remedy}`,
    )

  it("of Next.js needs client_address in production", async () => {
    expect(address(application("next"), {}, true)).toEqual([
      "ok: Next.js passes no client address, so clients share one budget in production; set client_address to the field of your platform or proxy",
    ])
    expect(address(application("next", { "vercel.json": "{}" }))).toEqual([
      'warn: Next.js passes no client address, so clients share one budget; set client_address to "vercel"',
    ])
    expect(address(application("next"), { client_address: "fly" })).toEqual(["ok: read from a field of the platform or proxy; undefined"])
  })

  it.each([
    ["fly.toml", "fly"],
    ["wrangler.jsonc", "cloudflare"],
    [".vercel/project.json", "vercel"],
  ])("behind the platform of %s too, unless its proxies are trusted", async (file, platform) => {
    const folder = application("hono", { [file]: "" })
    expect(address(folder)).toEqual([
      `warn: the peer of every request is a proxy of the platform, so clients share one budget; set client_address to "${platform}"`,
    ])
    expect(address(folder, { trusted_proxies: ["10.0.0.0/8"] })).toEqual([])
    expect(address(application("hono"))).toEqual([])
  })
})

describe("the types of the client", () => {
  const types = async (folder: string) => (await check(folder, { public_url: away })).filter((line) => line.includes(" types: "))

  it("are current, stale or not used", async () => {
    const current = fileOfTypes("export interface Operations {\n}").replaceAll("\n", "\n\n")
    expect(await types(application("next", { "sallyport.types.ts": current }))).toEqual([
      "ok types: sallyport.types.ts has the types of the configuration",
    ])
    expect(await types(application("next", { "sallyport.types.ts": fileOfTypes("export interface Other {}") }))).toEqual([
      "warn types: sallyport.types.ts is stale; run npx sallyport types --out sallyport.types.ts",
    ])
    expect(await types(application("next"))).toEqual([])
  })

  it("are written with the flag --config where the configuration is in another folder", async () => {
    const folder = application("express", { "sallyport.types.ts": "" })
    expect((await check(folder, { public_url: away }, "src/own.ts")).at(-1)).toContain(
      "run npx sallyport types --config src/own.ts --out sallyport.types.ts",
    )
  })

  it("are checked in any application", async () => {
    const folder = application("separate", { "sallyport.types.ts": "" })
    expect(await check(folder, { public_url: away })).toEqual([expect.stringMatching(/^warn types: /)])
  })
})

it("a folder that is not an application has no findings", async () => {
  const folder = application("express")
  write(folder, { "package.json": readFileSync(join(folder, "package.json"), "utf8").replace('"sallyport"', '"other"') })
  expect(await check(folder, { public_url: away })).toEqual([])
})
