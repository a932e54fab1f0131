import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { allCalls } from "./all-calls.ts"

const root = join(import.meta.dirname, "../..")
const document = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"))
const folder = mkdtempSync(join(tmpdir(), "sallyport-type-cost-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = ["--strict", "--skipLibCheck", "--target", "es2024", "--lib", "es2024,dom", "--module", "nodenext"]
const tsc = (...given: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, ...given], {
    cwd: folder,
    encoding: "utf8",
  })

/** The generic types that the compiler instantiates for a program; the same on every machine. */
const instantiations = (name: string, program: string): number => {
  writeFileSync(join(folder, name), program)
  const [, count] = /^Instantiations:\s+(\d+)$/m.exec(tsc("--noEmit", "--extendedDiagnostics", name)) ?? []
  return Number(count)
}

it("the types of the client cost a program that calls every operation at most 15 instantiations for each", () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  tsc("--declaration", "--emitDeclarationOnly", "--rewriteRelativeImportExtensions", "--outDir", "client", join(root, "client/index.ts"))
  const calls = allCalls(document, "./client/index.js")
  const operations = calls.match(/await client/g)?.length ?? 0
  expect(operations).toBeGreaterThan(80)
  const cost = instantiations("calls.ts", calls) - instantiations("empty.ts", "export {}")
  expect(cost).toBeGreaterThan(100)
  expect(cost).toBeLessThanOrEqual(15 * operations)
})
