import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { buildSchema, parse, validate } from "graphql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fields } from "../../adapters/config/fields.ts"
import { configurationOf } from "../../adapters/config/load.ts"
import { optional } from "../../application/modules/index.ts"
import manifest from "../../package.json" with { type: "json" }
import { type Block, blocks, nameOf, root } from "./blocks.ts"
import { type Service, start, syncSecret } from "./service.ts"

// Every code block of the documentation, those that the site generates included. A block that cannot run says why in a comment in front
// of it: `<!-- docs: not run: … -->`, or `<!-- docs: types only: … -->`. `<!-- docs: given … -->` has code that readers do not see.

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), "sallyport-blocks-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let service: Service
let withEnrolment: Service
beforeAll(async () => {
  service = await start({ required: false })
  withEnrolment = await start({ required: true })
})
afterAll(() => Promise.all([service.close(), withEnrolment.close()]))

const running = blocks.filter(({ notRun }) => notRun === undefined)
const of = (...languages: ReadonlyArray<string>) =>
  running.filter(({ language }) => languages.includes(language)).map((block) => ({ name: nameOf(block), block }))

const isGenerated = ({ page }: Block) => page.startsWith("site: ")
const serviceOf = ({ page }: Block) => (page.endsWith("/two_factor") ? withEnrolment : service)
const isOfAdministrator = ({ page }: Block) => page.endsWith("/admin")
const signUp = (block: Block) => serviceOf(block).signUp(isOfAdministrator(block) ? "administrator" : undefined)

/** Codes that say that the example itself is wrong. */
const wrong = ["not_found", "invalid_json", "invalid_request", "unauthorized", "internal_error", "untrusted_origin"]

const isWrong = (block: Block, code: string) => wrong.includes(code) || (code === "forbidden" && isOfAdministrator(block))

const pattern = (printed: string) => new RegExp(`^${printed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", '[^"]+')}$`)

it("has a test for the language of every block", () => {
  const languages = new Set(["sh", "ts", "tsx", "json", "graphql", "text", ""])
  expect(running.filter(({ language }) => !languages.has(language)).map(nameOf)).toEqual([])
})

describe("a block that is not run", () => {
  const reasons = blocks.flatMap((block) => (block.notRun === undefined ? [] : [{ name: nameOf(block), reason: block.notRun }]))

  it.each(reasons)("$name: $reason", ({ reason }) => {
    expect(reason.length).toBeGreaterThan(10)
    const paths = reason.match(/(?:test|bench|examples|docs)\/[\w./-]*\w|\.ci\/run/g) ?? []
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const scripts = [...reason.matchAll(/npm run ([\w:]+)/g)].map(([, script = ""]) => script)
    expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([])
  })
})

describe("a command", () => {
  /** Pages share the jar between their blocks; each generated example begins with a session of its own. */
  const cwdOf = async (block: Block, index: number) => {
    const cwd = join(folder, isGenerated(block) ? `${index}` : block.page.replaceAll("/", "-"))
    mkdirSync(cwd, { recursive: true })
    if (isGenerated(block)) writeFileSync(join(cwd, "jar"), jarOf(await signUp(block)))
    return cwd
  }

  it.each(of("sh").map((each, index) => ({ ...each, index })))("$name", async ({ block, index }) => {
    const command = block.text.replaceAll("localhost:3000", `localhost:${serviceOf(block).port}`)
    const { stdout } = await run("bash", ["-ec", command], { cwd: await cwdOf(block, index), env: { ...process.env, COOKIE: "" } })
    if (block.printed !== undefined) expect(stdout.trim()).toMatch(pattern(block.printed))
    else if (isWrong(block, stdout.match(/"code":"(\w+)"/)?.[1] ?? "")) expect.fail(stdout)
  })
})

/** A jar of curl with one cookie. */
const jarOf = (cookie: string) => {
  const end = cookie.indexOf("=")
  return `#HttpOnly_localhost\tFALSE\t/\tTRUE\t0\t${cookie.slice(0, end)}\t${cookie.slice(end + 1)}\n`
}

describe("a JSON block", () => {
  const keys = Object.keys(fields(optional))
  const isConfiguration = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && Object.keys(value).length > 0 && Object.keys(value).every((key) => keys.includes(key))

  it.each(of("json"))("$name", async ({ block }) => {
    const value: unknown = JSON.parse(block.text)
    if (isGenerated(block) || !isConfiguration(value)) return
    const text = JSON.stringify(value).replaceAll("…", "AAAA")
    const configuration = { secret: "a secret of thirty-two bytes or more", ...JSON.parse(text) }
    await expect(Effect.runPromise(configurationOf(configuration, optional))).resolves.toBeDefined()
  })
})

describe("a GraphQL block", () => {
  const schema = buildSchema(readFileSync(join(root, "docs/schema.graphql"), "utf8"))
  it.each(of("graphql"))("$name", ({ block }) => {
    expect(validate(schema, parse(block.text))).toEqual([])
  })
})

describe("a TypeScript block", () => {
  /** Below the repository, so that `sallyport` and the packages are found. */
  const place = join(root, ".cache/blocks")
  /** Examples whose packages the repository has. */
  const servers = ["express", "fastify", "hono"]
  const programs = of("ts", "tsx").map(({ name, block }, index) => ({ name, block, file: `block-${index}.${block.language}` }))
  afterAll(() => rmSync(place, { recursive: true, force: true }))
  beforeAll(() => {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    const compilerOptions = { jsx: "react-jsx", noUnusedLocals: false, noUnusedParameters: false }
    writeFileSync(
      join(place, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*", "*/*"], exclude: [] }),
    )
    // Without their package.json, below which `sallyport` would have to be installed.
    for (const name of servers)
      cpSync(join(root, "examples/mounted", name), join(place, name), {
        recursive: true,
        filter: (path) => !/node_modules|dist|\.json$/.test(path),
      })
    for (const { block, file } of programs) writeFileSync(join(place, file), `${block.given}\n${block.text}\nexport {}\n`)
  })

  it("compiles, as do the servers of the examples", async () => {
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", place], { cwd: place }).catch((fault) => fault)
    const named = programs.reduce((text, { name, file }) => text.replaceAll(`${file}(`, `${name}: ${file}(`), String(stdout))
    expect(named.trim()).toBe("")
  }, 300_000)

  it("configures a mounted service without a fault", async () => {
    const literals = programs.flatMap(({ name, block }) => {
      const literal = /= sallyport\((\{.*?\n?\})\)/s.exec(block.text)?.[1]
      return literal === undefined
        ? []
        : [{ name, literal: literal.replace("process.env.SALLYPORT_SECRET!", '"0123456789abcdef0123456789abcdef"') }]
    })
    expect(literals).not.toHaveLength(0)
    for (const { name, literal } of literals) {
      const configuration = new Function("page", `return ${literal}`)("http://localhost:5173")
      await expect(Effect.runPromise(configurationOf(configuration, optional)), name).resolves.toBeDefined()
    }
  })

  const complete = programs.filter(
    ({ block }) => block.language === "ts" && block.typesOnly === undefined && !/^declare /m.test(block.given),
  )

  it("runs", async () => {
    const jobs = await Promise.all(
      complete.map(async ({ file, block }) => ({ file: join(place, file), cookie: await signUp(block), port: serviceOf(block).port })),
    )
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, "run-programs.ts")], {
      env: { ...process.env, JOBS: JSON.stringify(jobs), SYNC_SECRET: syncSecret },
      maxBuffer: 1e8,
    })
    const results: ReadonlyArray<{ codes: ReadonlyArray<string>; fault: string | null }> = JSON.parse(stdout.trim().split("\n").at(-1)!)
    const failures = results.flatMap(({ codes, fault }, index) =>
      fault !== null || codes.some((code) => isWrong(complete[index]!.block, code)) ? [[complete[index]!.name, fault ?? codes]] : [],
    )
    expect(failures).toEqual([])
    expect(results).toHaveLength(complete.length)
  })
})
