import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"
import { catalogs } from "../../adapters/texts/languages.ts"
import nextExample from "../../examples/next-mounted/package.json" with { type: "json" }
import manifest from "../../package.json" with { type: "json" }
import { forRepository, forTarball, type Manifest } from "../../packaging/manifest.ts"
import { until } from "../e2e/waiting.ts"
import { freePort } from "../free-port.ts"
import { environment, install, pack, packCreate, repository, run } from "./tarball.ts"

const entries = Object.keys(manifest.exports).map((path) => path.replace(/^\./, "sallyport"))
/** The entry for test files only a test runner imports. */
const code = entries.filter((entry) => !/\.(json|css)$/.test(entry) && entry !== "sallyport/testing")
/** Entries whose types use the types of a framework. */
const ofFrameworks = ["sallyport/react", "sallyport/vue", "sallyport/backend/fastify", "sallyport/backend/hono"]
const { devDependencies } = manifest
const frameworks = (
  ["react", "vue", "express", "fastify", "hono", "@hono/node-server", "vitest", "@types/express", "@types/react", "@types/node"] as const
).map((name) => `${name}@${devDependencies[name]}`)

let tarball = ""
let create = ""
let project = ""
beforeAll(() => {
  tarball = pack()
  create = packCreate()
  project = install(tarball, create, `next@${nextExample.dependencies.next}`, ...frameworks)
}, 300_000)

const write = (name: string, text: string) => writeFileSync(join(project, name), text)
const succeeded = { status: 0, stderr: "" }

describe("the tarball", () => {
  it("has neither sources nor tests", () => {
    const packed = run(project, "tar", "tzf", tarball).stdout.trim().split("\n")
    const files = packed.filter((file) => !/^package\/dist\/docs\/(.+\.md|llms\.txt)$/.test(file))
    const types =
      /^package\/dist\/((backend|client|domain|application|adapters|testing)\/.+|index|main|module|not-node|pages|testing)\.d\.ts$/
    const chunks = /^package\/dist\/chunks\/.+\.js(\.LEGAL\.txt)?$/
    const exported = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
    const sources = [...new Set(exported)].flatMap((path) => /^\.\/(.+)\.ts$/.exec(path)?.[1] ?? [])
    const built = ["bin", "main", ...sources].map((name) => `package/dist/${name}.js`)
    const texts = Object.keys(catalogs).map((tag) => `package/dist/client/elements/texts/${tag}.js`)
    const documents = ["client/elements/elements.css", "docs/openapi.json", "docs/sallyport.schema.json"]
    const beside = ["CHANGELOG.md", "LICENSE", "README.md", ...documents, "package.json"].map((name) => `package/${name}`)
    const others = files.filter((file) => !types.test(file) && !chunks.test(file))
    expect(others.toSorted()).toEqual([...built, ...texts, ...beside].toSorted())
  })

  it("has the documentation of its version, in at most 580 kB", () => {
    const docs = join(project, "node_modules/sallyport/dist/docs")
    const names = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name))
    const list = readFileSync(join(docs, "llms.txt"), "utf8")
    const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, name]) => name)
    expect([...listed, "llms.txt"].toSorted()).toEqual(names.toSorted())
    expect(listed).toContain("modules/passkey.md")
    const bytes = names.reduce((sum, name) => sum + readFileSync(join(docs, name)).length, 0)
    expect(bytes).toBeLessThanOrEqual(580_000)
  })

  it("has a README whose links lead to files of the package, or to the web", () => {
    const folder = join(project, "node_modules/sallyport")
    const text = readFileSync(join(folder, "README.md"), "utf8")
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
    expect(links).toContain("dist/docs/modules/organization.md")
    const dead = links.filter((link) => !link.startsWith("https://") && !existsSync(join(folder, link.replace(/#.*/, ""))))
    expect(dead).toEqual([])
  })

  it("imports no package that it does not depend on", () => {
    const { dependencies, peerDependencies } = manifest
    const declared = new Set(["sallyport", ...Object.keys({ ...dependencies, ...peerDependencies })])
    const dist = join(project, "node_modules/sallyport/dist")
    const imported = readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => [...readFileSync(join(dist, file), "utf8").matchAll(/^(?:import|\} from|.*\bimport\()[^"\n]*"([^".][^"]*)"/gm)])
      .flatMap(([, name = ""]) => (/^(node:|\$)/.test(name) ? [] : [/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ""]))
    expect(imported).toContain("jose")
    expect([...new Set(imported)].filter((name) => !declared.has(name))).toEqual([])
  })

  it("leaves the repository as it was", () => {
    expect(JSON.parse(readFileSync(join(repository, "package.json"), "utf8"))).toEqual(manifest)
    expect(readFileSync(join(repository, "README.md"), "utf8")).toContain("](docs/configuration.md)")
  })

  it("has exports that publint and arethetypeswrong accept", () => {
    expect(run(repository, "publint", "run", tarball, "--strict")).toMatchObject({ status: 0 })
    const isNoCode = ["--exclude-entrypoints", "elements.css"]
    expect(run(repository, "attw", tarball, "--profile", "esm-only", ...isNoCode)).toMatchObject({ status: 0 })
  })
})

describe("the manifest", () => {
  it("names types before the default, and is restored unchanged", () => {
    const source: Manifest = { bin: manifest.bin, exports: manifest.exports }
    const packed = forTarball(source)
    expect(Object.keys(Object(packed.exports["."]))).toEqual(["types", "browser", "edge-light", "workerd", "react-native", "default"])
    expect(Object.keys(Object(packed.exports["./client"]))).toEqual(["types", "default"])
    expect(forRepository(packed)).toEqual(source)
    expect(forTarball(packed)).toEqual(packed)
  })
})

describe("in an empty project", () => {
  const imports = code.map((entry) => `await import("${entry}")`).join(", ")
  const show = "console.log(JSON.stringify(modules.map((module) => Object.keys(module).length > 0)))"
  const all = `${JSON.stringify(code.map(() => true))}\n`

  it("sallyport/testing tests a store of an application", () => {
    write(
      "own-store.test.js",
      `import { testStore } from "sallyport/testing"
const none = async () => undefined
const store = { read: none, readWithReferenced: none, readWithReferencing: none, list: async () => [], listForEach: async () => [], take: none, commit: none, sweep: async () => 0, ping: none }
testStore("that keeps nothing", () => store)`,
    )
    const { status } = run(project, "npx", "vitest", "run", "--reporter=json", "--outputFile=own-store.json", "own-store.test.js")
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(join(project, "own-store.json"), "utf8"))
    expect([status, numFailedTests > 40, numPassedTests > 0]).toEqual([1, true, true])
  })

  it("every entry can be imported from an ES module", () => {
    write("all.mjs", `const modules = [${imports}]\n${show}`)
    expect(run(project, "node", "all.mjs")).toMatchObject({ ...succeeded, stdout: all })
  })

  it("every entry can be imported dynamically from CommonJS", () => {
    write("all.cjs", `(async () => { const modules = [${imports}]\n${show} })()`)
    expect(run(project, "node", "all.cjs")).toMatchObject({ ...succeeded, stdout: all })
  })

  it("the service can be imported without a file", () => {
    const script = 'import("sallyport").then(({ sallyport }) => console.log(typeof sallyport))'
    expect(run(project, "node", "-e", script)).toMatchObject({ ...succeeded, stdout: "function\n" })
  })

  it.each(["browser", "edge-light", "workerd", "react-native"])(
    "the service says that it runs on Node to a bundler for %s",
    async (condition) => {
      const names = Object.keys(await import("../../index.ts"))
      const stdin = { contents: `export { ${names.join(", ")} } from "sallyport"`, resolveDir: project }
      const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", conditions: [condition] })
      const bundle = outputFiles[0]?.text ?? ""
      expect(run(project, "node", "--input-type=module", "-e", bundle).stderr).toContain("Error: Sallyport runs on Node, not here")
      expect(bundle.length).toBeLessThan(2000)
    },
  )

  it.each([
    ["node16", "node16"],
    ["bundler", "esnext"],
  ])("TypeScript finds the types with moduleResolution %s", (moduleResolution, module) => {
    const names = code
      .filter((entry) => !ofFrameworks.includes(entry))
      .map((entry, index) => `import * as entry${index} from "${entry}"\nexport type Keys${index} = keyof typeof entry${index}`)
    write(
      "types.ts",
      `${names.join("\n")}
import { sallyport } from "sallyport"
export const auth = sallyport({ secret: "a secret of thirty-two bytes or more", modules: { username: {} } })
const { data } = await auth.call.getSession({ headers: new Headers() })
export const email: string | undefined = data?.user?.email
// @ts-expect-error the module is off
auth.call.passkeyList
// @ts-expect-error an address is a text
auth.call.signUpEmail({ input: { email: 7, password: "" } })
`,
    )
    const options = ["--noEmit", "--strict", "--declaration", "--target", "es2024", "--lib", "es2024,dom", "--types", ""]
    const checked = run(project, "tsc", ...options, "--module", module, "--moduleResolution", moduleResolution, "types.ts")
    expect(checked).toMatchObject({ status: 0, stdout: "" })
  })

  it("an application without own modules compiles no types of Effect", () => {
    const entries = code.filter((entry) => /^sallyport(\/client|\/backend(\/(express|next|resource-server|verify-token))?)?$/.test(entry))
    write("plain.ts", entries.map((entry, index) => `export * as entry${index} from "${entry}"`).join("\n"))
    const options = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom", "--types", ""]
    const { status, stdout } = run(project, "tsc", ...options, "--module", "node16", "--listFiles", "plain.ts")
    const files = stdout.split("\n")
    expect([entries.length, status, files.some((file) => file.endsWith("sallyport/dist/index.d.ts"))]).toEqual([7, 0, true])
    expect(files.filter((file) => /node_modules\/@?effect\//.test(file))).toEqual([])
  })

  it.each([
    ["node16", "node16"],
    ["bundler", "esnext"],
  ])("the types that the command writes compile for a client with moduleResolution %s", (moduleResolution, module) => {
    cpSync(join(repository, "examples/notes.ts"), join(project, "notes.ts"))
    const config = `import { notes } from "./notes.ts"
export default {
  secret: "a secret of thirty-two bytes or more",
  email_password: { enabled: true },
  modules: { username: {} },
  extensions: [notes.build({ max_length: 4 })],
}`
    write("types.config.ts", config)
    const types = ["types", "--config", "types.config.ts", "--out", "sallyport.types.ts"]
    expect(run(project, "npx", "sallyport", ...types)).toMatchObject(succeeded)
    expect(run(project, "npx", "sallyport", ...types, "--check")).toMatchObject(succeeded)
    write(
      "client.ts",
      `import { createClient } from "sallyport/client"
import { operations } from "./sallyport.types.ts"
export const client = createClient({ operations })
const { data, error } = await client.notes.add({ text: "milk" })
export const text: string | undefined = data?.note.text
export const isLong: boolean = error?.code === "note_too_long"
const signedIn = await client.signIn.email({ email: "ada@example.com", password: "" })
export const email: string | undefined = signedIn.data?.user.email // two_factor is off: no challenge
// @ts-expect-error the module is off
client.passkey.list()
// @ts-expect-error a note is a text
client.notes.add({ text: 7 })
`,
    )
    const strictest = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
      "--noUnusedLocals",
      "--verbatimModuleSyntax",
    ]
    const syntax = ["--isolatedModules", "--erasableSyntaxOnly", "--allowImportingTsExtensions", "--noPropertyAccessFromIndexSignature"]
    const platform = [
      "--target",
      "es2024",
      "--lib",
      "es2024,dom",
      "--types",
      "",
      "--module",
      module,
      "--moduleResolution",
      moduleResolution,
    ]
    expect(run(project, "tsc", "--noEmit", ...strictest, ...syntax, ...platform, "client.ts")).toMatchObject({ status: 0, stdout: "" })
  })

  it("defineConfig costs the compiler at most 5,000 instantiations", () => {
    write(
      "cost.ts",
      `import { defineConfig } from "sallyport"
export default defineConfig({
  environment: "fill",
  store: { kind: "postgres", url: "postgres://localhost" },
  email_password: { enabled: true },
  modules: { passkey: {}, organization: {}, two_factor: true, social: { providers: [{ id: "a", client_id: "b", redirect_uri: "c" }] } },
})`,
    )
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2024", "--lib", "es2024,dom", "--types", ""]
    const { status, stdout } = run(project, "tsc", ...options, "--module", "node16", "--extendedDiagnostics", "cost.ts")
    const [, count] = /^Instantiations:\s+(\d+)$/m.exec(stdout) ?? []
    expect([status, Number(count) > 100, Number(count) <= 5000]).toEqual([0, true, true])
  })

  it("TypeScript finds the types that are made of those of frameworks", () => {
    write("frameworks.ts", ofFrameworks.map((entry, index) => `export * as entry${index} from "${entry}"`).join("\n"))
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2024", "--lib", "es2024,dom", "--types", "node"]
    const checked = run(project, "tsc", ...options, "--module", "node16", "--moduleResolution", "node16", "frameworks.ts")
    expect(checked).toMatchObject({ status: 0, stdout: "" })
  })

  it("the command serves a configuration in TypeScript, with a module that imports Effect from its own package", async () => {
    const port = await freePort()
    cpSync(join(repository, "examples/notes.ts"), join(project, "notes.ts"))
    write(
      "sallyport.config.ts",
      `import { defineConfig, keptSecret } from "sallyport"
import { notes } from "./notes.ts"
export default defineConfig({
  secret: keptSecret("secret"),
  public_url: "http://localhost:${port}",
  email_password: { enabled: true },
  store: { kind: "memory" },
  extensions: [notes.build({ max_length: 4 })],
})`,
    )
    expect(run(project, "npx", "sallyport", "--version").stdout).toContain(manifest.version)
    const server = spawn("npx", ["sallyport", "serve"], { cwd: project, env: environment, detached: true })
    try {
      const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok || undefined
      await until("the command to be ready", isReady)
      const post = (path: string, input: object, cookie = "") =>
        fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", cookie },
          body: JSON.stringify(input),
        })
      const signedUp = await post("/sign-up/email", { email: "ada@example.com", password: "correct horse battery staple" })
      const cookie = signedUp.headers
        .getSetCookie()
        .map((field) => field.split(";")[0])
        .join("; ")
      expect(await (await post("/notes/add", { text: "milk" }, cookie)).json()).toMatchObject({ note: { text: "milk" } })
      expect(await (await post("/notes/add", { text: "cream" }, cookie)).json()).toMatchObject({ error: { code: "note_too_long" } })
      expect(await (await post("/notes/add", { text: 5 }, cookie)).json()).toMatchObject({ error: { code: "invalid_request" } })
    } finally {
      process.kill(-server.pid!, "SIGKILL")
    }
  })

  it("an older Node gets one line", () => {
    const older = 'Object.defineProperty(process.versions, "node", { value: "20.11.1" })'
    write("older.mjs", older)
    for (const bin of [join(repository, "bin.js"), join(project, "node_modules/sallyport/dist/bin.js")]) {
      const { status, stderr } = run(project, "node", "--import", "./older.mjs", bin)
      expect([status, stderr]).toEqual([1, "Sallyport needs Node 22.19 or newer; this is Node 20.11.1.\n"])
    }
  })
})

describe("create-sallyport", () => {
  const servers = {
    express: `import express from "express"\nimport { authRoutes } from "./auth.ts"\nexpress().use(authRoutes).listen(process.env.PORT)`,
    hono: `import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { authRoutes } from "./auth.ts"
serve({ fetch: new Hono().route("/", authRoutes).fetch, port: Number(process.env["PORT"]) })`,
    fastify: `import fastify from "fastify"
import { authRoutes } from "./auth.ts"
const app = fastify()
app.register(authRoutes)
await app.listen({ port: Number(process.env["PORT"]) })`,
  } as const
  const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true, skipLibCheck: true, types: ["node"] }

  /** An application of this framework to which the command was applied. */
  const application = (framework: string, ...args: ReadonlyArray<string>) => {
    const folder = join(project, [framework, ...args].join(""))
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies: { [framework]: "*" } }))
    writeFileSync(join(folder, ".gitignore"), ".env*.local\n")
    const own = { compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true } }
    if (framework === "next") cpSync(join(repository, "examples/next-mounted/tsconfig.json"), join(folder, "tsconfig.json"))
    else writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(own))
    expect(run(folder, "npx", "create-sallyport", "--yes", "--no-install", ...args)).toMatchObject(succeeded)
    return folder
  }

  it("is one file of at most 300 kB without dependencies, of the same version", () => {
    const files = run(project, "tar", "tzvf", create).stdout.trim().split("\n")
    expect(files.map((line) => line.split(" package/")[1])).toEqual(["LICENSE", "main.js", "package.json"])
    const folder = join(project, "node_modules/create-sallyport")
    const { version, dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect([version, dependencies]).toEqual([manifest.version, undefined])
    expect(readFileSync(join(folder, "main.js")).length).toBeLessThanOrEqual(300_000)
  })

  it.each(["mount", "proxy"])("writes files for Next.js that compile (%s)", (layout) => {
    const folder = application("next", "--layout", layout, "--with", "password,passkey,google,magic_link")
    expect(run(folder, "tsc", "-p", ".")).toMatchObject({ ...succeeded, stdout: "" })
  })

  it.each(Object.entries(servers))(
    "writes files for %s that compile, and with which it serves endpoints and pages",
    async (framework, server) => {
      const folder = application(framework)
      writeFileSync(join(folder, "server.ts"), server)
      expect(run(folder, "tsc", "-p", ".")).toMatchObject({ ...succeeded, stdout: "" })
      expect(run(folder, "npx", "sallyport", "types")).toMatchObject(succeeded)
      const port = await freePort()
      const env = { ...environment, PORT: String(port), SALLYPORT_PUBLIC_URL: `http://localhost:${port}` }
      const child = spawn("node", ["--env-file=.env.local", "server.ts"], { cwd: folder, env })
      try {
        const answer = (path: string) => fetch(`http://localhost:${port}${path}`).catch(() => undefined)
        await until(`${framework} to answer`, async () => (await answer("/api/auth/get-session"))?.ok || undefined, 60)
        expect((await answer("/auth/sign-up"))?.status).toBe(200)
      } finally {
        child.kill("SIGKILL")
      }
    },
  )
})
