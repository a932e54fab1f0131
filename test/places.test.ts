import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { optional } from "../application/modules/index.ts"

// Where a module stands beside its line in application/modules/index.ts: a new one has its place there, one that is gone has left none.

const root = join(import.meta.dirname, "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const found = (path: string, row: RegExp) => [...text(path).matchAll(row)].map(([, name]) => name)

const places: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
  "sallyport.config.ts": found("sallyport.config.ts", /^ {4}([a-z_]+): \{/gm),
  "README.md, the table of modules": found("README.md", /^\| `([a-z_]+)` +\|/gm),
  "docs/configuration.md": found("docs/configuration.md", /^\| `modules\.([a-z_]+)` +\|/gm),
}

const sources = ["application", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => text(`${folder}/${name}`)),
)

describe("every code of domain/errors.ts is answered by somebody", () => {
  const codes = found("domain/errors.ts", /^export const ([A-Z]\w+) = define\(/gm)
  it.each(codes)("%s", (code) => {
    expect(sources.some((source) => new RegExp(`\\b${code}\\b`).test(source))).toBe(true)
  })
})

describe("every module has its place in", () => {
  const names = optional.map(({ name }) => name)
  it.each(Object.entries(places))("%s, and nothing else has", (_, there) => {
    expect(there.toSorted()).toEqual(names.toSorted())
  })
})
