import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { afterEach, describe, expect, it } from "vitest"
import { initCommand } from "../../../adapters/init/init-command.ts"

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const ignoring = { ".gitignore": "node_modules\n.env*.local\n" }

/** The output of a scaffolder in a git repository, with these files. */
const project = (framework: string, files: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "init-"))
  folders.push(folder)
  const own = framework === "next" ? { "app/page.tsx": "export default () => null\n" } : { "src/index.ts": "export {}\n" }
  const common = { "package.json": JSON.stringify({ dependencies: { [framework]: "^1.0.0" } }), "tsconfig.json": "{}" }
  for (const [name, text] of Object.entries({ ...ignoring, ...common, ...own, ...files })) write(folder, name, text)
  execFileSync("git", ["init", "--quiet"], { cwd: folder })
  return folder
}

const write = (folder: string, name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** The content and the time of change of each file. */
const filesIn = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith(".git/") && statSync(join(folder, name)).isFile())
      .map((name) => [name, `${statSync(join(folder, name)).mtimeMs} ${readFileSync(join(folder, name), "utf8")}`] as const),
  )

const codeOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? 0 : Object(Cause.squash(exit.cause)).code)

const run = async (folder: string, ...args: ReadonlyArray<string>) => {
  const lines: Array<string> = []
  const print = (line: string) => void lines.push(line)
  const program = Command.runWith(initCommand("init", "1.2.3", folder), { version: "" })(args)
  const exit = await Effect.runPromiseExit(
    program.pipe(
      Effect.provideService(Console.Console, { ...globalThis.console, log: print, error: print }),
      Effect.provide(NodeServices.layer),
    ),
  )
  return { code: codeOf(exit), text: lines.join("\n") }
}

const accept = ["--yes", "--no-install"]

const created = {
  next: [
    ".env.local",
    "app/api/auth/[...path]/route.ts",
    "app/auth/[...path]/route.ts",
    "lib/auth-client.ts",
    "lib/auth.ts",
    "proxy.ts",
    "sallyport.config.ts",
  ],
  express: [".env.local", "src/auth.ts", "src/sallyport.config.ts"],
  hono: [".env.local", "src/auth.ts", "src/sallyport.config.ts"],
  fastify: [".env.local", "src/auth.ts", "src/sallyport.config.ts"],
} as const
const names = Object.keys(created) as ReadonlyArray<keyof typeof created>
const installers = { "package-lock.json": "npm install --save-exact", "pnpm-lock.yaml": "pnpm add --save-exact" }
const cases = names.flatMap((framework) => Object.entries(installers).map(([lock, installer]) => ({ framework, lock, installer })))

describe.each(cases)("$framework with $lock", ({ framework, lock, installer }) => {
  it("gets new files, while existing ones stay as they are, and a second run writes nothing", async () => {
    const folder = project(framework, { [lock]: "" })
    const before = filesIn(folder)
    const dry = await run(folder, "--yes", "--dry-run")
    expect(dry).toMatchObject({ code: 0, text: expect.stringContaining(`${installer} sallyport@1.2.3`) })
    expect(dry.text).toContain("AGENTS.md: The documentation of Sallyport is node_modules/sallyport/dist/docs/llms.txt")
    expect(filesIn(folder)).toEqual(before)

    expect((await run(folder, ...accept)).code).toBe(0)
    const after = filesIn(folder)
    expect([...after.keys()].filter((name) => !before.has(name)).toSorted()).toEqual(created[framework])
    expect(new Map([...after].filter(([name]) => before.has(name)))).toEqual(before)

    const again = await run(folder, ...accept, "--json")
    expect([again.code, JSON.parse(again.text).files.map(({ state }: { readonly state: string }) => state)]).toEqual([
      0,
      created[framework].map(() => "unchanged"),
    ])
    expect(filesIn(folder)).toEqual(after)
  })
})

describe.each(names)("%s", (framework) => {
  it.each(created[framework])("leaves an existing %s to the developer", async (name) => {
    const folder = project(framework, { [name]: "OTHER=1\n" })
    const before = filesIn(folder).get(name)
    const { code, text } = await run(folder, ...accept)
    expect([code, filesIn(folder).get(name)]).toEqual([3, before])
    expect(text).toContain(`${name} is not written: it exists.`)
    expect([...filesIn(folder).keys()]).toEqual(expect.arrayContaining([...created[framework]]))
  })
})

it.each(["express", "hono", "fastify"])("writes the files of the example of %s", async (framework) => {
  const example = join(import.meta.dirname, "../../../examples/mounted", framework)
  const shown = (file: string) => readFileSync(join(example, file), "utf8")
  const folder = project(framework, { "tsconfig.json": shown("tsconfig.json") })
  rmSync(join(folder, "src"), { recursive: true })
  await run(folder, ...accept)
  for (const file of ["auth.ts", "sallyport.config.ts"]) expect(readFileSync(join(folder, file), "utf8")).toBe(shown(file))
})

it("writes the files of the example of Next.js", async () => {
  const example = join(import.meta.dirname, "../../../examples/next-mounted")
  const folder = project("next")
  await run(folder, ...accept)
  const written = created.next.filter((file) => file !== ".env.local" && file !== "lib/auth-client.ts")
  for (const file of written) expect(readFileSync(join(folder, file), "utf8")).toBe(readFileSync(join(example, file), "utf8"))
})

it.each([
  ["embedded", "SALLYPORT_DATABASE_URL", "process.env.DATABASE_URL"],
  ["postgres", "process.env.DATABASE_URL", "SALLYPORT_DATABASE_URL"],
  ["mongo", "process.env.DATABASE_URL", "SALLYPORT_DATABASE_URL"],
])("names one variable for the database of --store %s: %s", async (store, named, other) => {
  const folder = project("next")
  await run(folder, ...accept, "--store", store)
  const text = readFileSync(join(folder, "sallyport.config.ts"), "utf8")
  expect([text.includes(named), text.includes(other)]).toEqual([true, false])
})

it("lets the installed package write the types of the client once; without it, this is a step", async () => {
  const folder = project("next")
  const step = "- Write the types of the client: npx sallyport types --out sallyport.types.ts"
  expect((await run(folder, ...accept)).text).toContain(step)
  expect(filesIn(folder).has("sallyport.types.ts")).toBe(false)
  expect(readFileSync(join(folder, "lib/auth-client.ts"), "utf8")).toContain('from "../sallyport.types"')

  const program = `require("node:fs").writeFileSync(process.argv[4], process.argv.slice(2).join(" "))`
  write(folder, "node_modules/sallyport/package.json", JSON.stringify({ bin: { sallyport: "./bin.js" } }))
  write(folder, "node_modules/sallyport/bin.js", program)
  const { text } = await run(folder, ...accept)
  expect([text.includes("Written: sallyport.types.ts"), text.includes(step)]).toEqual([true, false])
  expect(readFileSync(join(folder, "sallyport.types.ts"), "utf8")).toBe("types --out sallyport.types.ts")
  const before = filesIn(folder)
  expect((await run(folder, ...accept)).text).toContain("Unchanged: sallyport.types.ts")
  expect(filesIn(folder)).toEqual(before)
})

it("respects src of Next.js, and the ending of an existing file", async () => {
  const folder = project("next", { "src/app/page.jsx": "", "src/proxy.js": "" })
  rmSync(join(folder, "app"), { recursive: true })
  const { code, text } = await run(folder, ...accept)
  expect([code, text]).toEqual([3, expect.stringContaining("src/proxy.js is not written: it exists.")])
  expect(readFileSync(join(folder, "src/lib/auth.ts"), "utf8")).toContain('from "../../sallyport.config"')
  expect([...filesIn(folder).keys()]).toEqual(expect.arrayContaining(["sallyport.config.ts", "src/app/api/auth/[...path]/route.ts"]))
})

describe("the secret", () => {
  it("is in a file that only its owner can read, and is not printed", async () => {
    const folder = project("next")
    const { text } = await run(folder, ...accept)
    const secret = /^SALLYPORT_SECRET=(\S{43})\n$/.exec(readFileSync(join(folder, ".env.local"), "utf8"))?.[1]
    expect(secret).toBeDefined()
    expect(statSync(join(folder, ".env.local")).mode & 0o777).toBe(0o600)
    expect(text).not.toContain(secret)
    expect(text).not.toContain("SALLYPORT_SECRET=")
    expect((await run(folder, ...accept, "--json")).text).not.toContain(secret)
  })

  it.each([true, false])("is printed where git would commit the file (repository: %s)", async (isRepository) => {
    const folder = project("next", { ".gitignore": "node_modules\n" })
    if (!isRepository) rmSync(join(folder, ".git"), { recursive: true })
    const { code, text } = await run(folder, ...accept)
    expect([code, filesIn(folder).has(".env.local")]).toEqual([3, false])
    expect(text).toContain("add .env*.local to .gitignore")
    expect(text).toMatch(/SALLYPORT_SECRET=\S{43}/)
  })
})

describe("without a terminal", () => {
  it("asks nothing and names the missing flags", async () => {
    const folder = project("next")
    const before = filesIn(folder)
    const { code, text } = await run(folder, "--store", "embedded")
    expect(code).toBe(64)
    for (const flag of ["--layout", "--with", "--yes"]) expect(text).toContain(`  ${flag}`)
    for (const flag of ["--framework", "--store"]) expect(text).not.toContain(`  ${flag}`)
    expect(filesIn(folder)).toEqual(before)
  })

  it("needs the framework where package.json names none or several", async () => {
    expect(await run(project("vite"), ...accept)).toMatchObject({ code: 64, text: expect.stringContaining("--framework") })
    const both = project("x", { "package.json": JSON.stringify({ dependencies: { express: "5", fastify: "5" } }) })
    expect((await run(both, ...accept)).code).toBe(64)
    expect((await run(both, ...accept, "--framework", "express")).code).toBe(0)
  })

  it("refuses an unknown way to sign in", async () => {
    expect(await run(project("next"), ...accept, "--with", "password,sms")).toMatchObject({
      code: 64,
      text: expect.stringContaining("sms"),
    })
  })
})

it("names the scaffolder where there is no application", async () => {
  const folder = mkdtempSync(join(tmpdir(), "init-"))
  folders.push(folder)
  expect(await run(folder, ...accept, "--framework", "next")).toEqual({
    code: 1,
    text: "This folder has no package.json. Create the application first:\n  npx create-next-app@latest",
  })
  expect(readdirSync(folder)).toEqual([])
})

it("finds the store of DATABASE_URL, and writes a service of its own", async () => {
  const folder = project("vite", { ".env": "DATABASE_URL=postgres://localhost/app\n" })
  await run(folder, ...accept, "--framework", "separate", "--with", "password,google")
  const text = readFileSync(join(folder, "sallyport.config.ts"), "utf8")
  for (const part of ['kind: "postgres"', 'schema: "auth"', "listen: { port: 3001 }", 'preset: "google"']) expect(text).toContain(part)
  expect(text).not.toContain("passkey")
})
