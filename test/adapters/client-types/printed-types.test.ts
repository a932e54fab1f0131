import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Cause, Console, Effect, Exit, Option } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { assemble, documentOf } from "../../../adapters/assembly/service.ts"
import { writeTypes } from "../../../adapters/cli/types-command.ts"
import { clientTypes } from "../../../adapters/client-types/client-types.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"
import { notes } from "../../../examples/notes.ts"

const root = join(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "sallyport-types-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const strictest = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noUnusedLocals", "--skipLibCheck", "false"]
const syntax = ["--verbatimModuleSyntax", "--isolatedModules", "--isolatedDeclarations", "--erasableSyntaxOnly", "--declaration"]
const platform = ["--target", "es2024", "--lib", "es2024,dom", "--types", "", "--module", "nodenext"]
const tsc = (...given: ReadonlyArray<string>) => {
  const args = [join(root, "node_modules/typescript/bin/tsc"), ...platform, "--rewriteRelativeImportExtensions", ...given]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
  return { status, stdout }
}

/** The package as an application has it, with the client alone. */
beforeAll(() => {
  write("package.json", '{ "type": "module" }')
  const client = "node_modules/sallyport"
  write(`${client}/package.json`, '{ "name": "sallyport", "type": "module", "exports": { "./client": "./index.js" } }')
  const emitted = tsc("--strict", "--declaration", "--emitDeclarationOnly", "--outDir", client, join(root, "client/index.ts"))
  expect(emitted).toEqual({ status: 0, stdout: "" })
})

const secret = "0123456789abcdef0123456789abcdef"

const typesOf = (input: object) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const configuration = yield* configurationOf({ secret, ...input }, optional)
      const document = yield* documentOf((yield* assemble(configuration)).auth, configuration)
      return clientTypes(JSON.parse(JSON.stringify(document)), "sallyport/client")
    }),
  )

/** Runs `types` with these options; returns its exit code and what it printed. */
const run = async (types: string, name: string, check = false) => {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line) }
  const written = writeTypes(types, { out: Option.some(join(folder, name)), check })
  const exit = await Effect.runPromiseExit(Effect.provideService(written, Console.Console, console))
  return Exit.isSuccess(exit) ? lines.join("\n") : Object(Cause.squash(exit.cause)).code
}

const start = (name: string) => `import { createClient } from "sallyport/client"
import { type Operations, operations, type Session, type User } from "./${name}.types.ts"
export const client: import("sallyport/client").Client<Operations> = createClient({ operations })
const { data, error } = await client.signIn.email({ email: "ada@example.com", password: "" })
`

it("types of a default configuration, of one with an own module, and of one without two_factor compile", async () => {
  const programs = {
    default: [
      {},
      `export const user: User | undefined = data?.user
// @ts-expect-error the module is off
client.passkey.list()
// @ts-expect-error no operation of the service has the code
export const isNone: boolean = error?.code === "note_too_long"
export const session: Session | undefined = (await client.getSession()).data?.session ?? undefined`,
    ],
    own: [
      { modules: { two_factor: {} }, extensions: [notes] },
      `// @ts-expect-error the sign-in can answer with a challenge
data?.user.email
export const shown: ReadonlyArray<User | Session> = []
const added = await client.notes.add({ text: "milk" })
export const text: string | undefined = added.data?.note.text
export const isLong: boolean = added.error?.code === "note_too_long" && error === null
// @ts-expect-error a note is a text
client.notes.add({ text: 7 })`,
    ],
    one: [
      { modules: { passkey: true, two_factor: false } },
      `export const email: string | undefined = data?.user.email
export const shown: ReadonlyArray<User | Session> = []
export const code: string | undefined = error?.code
await client.passkey.list()
// @ts-expect-error the module is off
client["2fa"]`,
    ],
  } as const
  for (const [name, [configuration, program]] of Object.entries(programs)) {
    await run(await typesOf({ email_password: { enabled: true }, ...configuration }), `${name}.types.ts`)
    write(`${name}.ts`, `${start(name)}${program}\n`)
  }
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  expect(tsc("--noEmit", ...strictest, ...syntax, ...files)).toEqual({ status: 0, stdout: "" })
  expect(readFileSync(join(folder, "own.types.ts"), "utf8")).toMatch(/operations: .* = \{ gets: \[.*"\/notes\/list"/)
})

it("types are written once, and checked in spite of a formatter", async () => {
  const [types, others] = await Promise.all([typesOf({ modules: { passkey: {} } }), typesOf({ modules: {} })])
  const file = join(folder, "checked.ts")
  expect(await run(types, "checked.ts", true)).toBe(1)
  expect(await run(types, "checked.ts")).toBe(`Written: ${file}`)
  expect([await run(types, "checked.ts"), await run(types, "checked.ts", true)]).toEqual([`Unchanged: ${file}`, `Unchanged: ${file}`])
  expect(await run(others, "checked.ts", true)).toBe(1)

  const formatted = readFileSync(file, "utf8")
    .replaceAll(/^readonly (.*)$/gm, "  readonly $1;")
    .replaceAll('"', "'")
  writeFileSync(file, formatted)
  expect([await run(types, "checked.ts", true), await run(types, "checked.ts")]).toEqual([`Unchanged: ${file}`, `Unchanged: ${file}`])
  expect(readFileSync(file, "utf8")).toBe(formatted)
  writeFileSync(file, formatted.replace("boolean", "string"))
  expect(await run(types, "checked.ts", true)).toBe(1)
  expect(await run(types, "missing/checked.ts")).toBe(1)
})
