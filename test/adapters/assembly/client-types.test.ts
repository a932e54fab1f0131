import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { clientTypesOf, warnOfStaleTypes } from "../../../adapters/assembly/client-types.ts"
import { assemble } from "../../../adapters/assembly/service.ts"
import { completed } from "../../../adapters/assembly/start.ts"
import { fileOfTypes } from "../../../adapters/client-types/types-file.ts"
import { type SallyportConfiguration, sallyport } from "../../../index.ts"
import { configured } from "./configured.ts"

const warningWith = (config: string) => `sallyport.types.ts is stale. Update it: npx sallyport types${config} --out sallyport.types.ts`
const warning = warningWith("")
let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "client-types-"))
  writeFileSync(join(folder, "sallyport.config.js"), "")
  vi.spyOn(process, "cwd").mockReturnValue(folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const write = (types: string) => writeFileSync(join(folder, "sallyport.types.ts"), fileOfTypes(types))

describe("a stale file of types", () => {
  /** The lines about the file of types of this application. */
  const logged = async (changes: SallyportConfiguration = {}) => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => void lines.push(message))
    const program = Effect.gen(function* () {
      const configuration = yield* completed({ ...configured().configuration, ...changes })
      const { auth } = yield* assemble(configuration)
      yield* warnOfStaleTypes(auth, configuration)
      return yield* clientTypesOf(auth, configuration)
    })
    const types = await Effect.runPromise(Effect.provide(program, Logger.layer([logger])))
    return { lines: lines.flat(), types }
  }

  it("is logged until it has the types of the configuration", async () => {
    expect((await logged()).lines).toEqual([])
    write("export interface Operations {}")
    const { lines, types } = await logged()
    expect(lines).toEqual([warning])
    write(types)
    expect((await logged()).lines).toEqual([])
    expect((await logged({ modules: { magic_link: {} } })).lines).toEqual([warning])
  })

  it("is written with the flag --config where the configuration is in another folder", async () => {
    rmSync(join(folder, "sallyport.config.js"))
    write("export interface Operations {}")
    expect((await logged()).lines).toEqual([warningWith(" --config FILE")])
  })

  it("is not logged in production", async () => {
    write("export interface Operations {}")
    expect((await logged({ public_url: "https://example.com", cookie: { secure: true } })).lines).toEqual([])
    vi.stubEnv("NODE_ENV", "production")
    expect((await logged()).lines).toEqual([])
  })
})

it("a service logs one line when it opens", async () => {
  write("export interface Operations {}")
  const lines: Array<string> = []
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line))
  const auth = sallyport({ ...configured().configuration, log: { level: "warn", format: "json" } })
  await auth.ready()
  await vi.waitFor(() => expect(lines.filter((line) => line.includes(warning))).toHaveLength(1), 10_000)
  await auth.ready()
  await auth.close()
  expect(lines.filter((line) => line.includes(warning))).toHaveLength(1)
})
