import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { core, optional } from "../application/modules/index.ts"
import { modules } from "./everything.ts"

// Files other than application/modules/index.ts that list the modules: they list every module, and no removed one.

const root = join(import.meta.dirname, "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const namesIn = (path: string, row: RegExp) => [...text(path).matchAll(row)].map(([, name]) => name)

const places: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
  "sallyport.config.ts": namesIn("sallyport.config.ts", /^ {4}([a-z_]+): \{/gm),
  "README.md, the table of modules": namesIn("README.md", /^\| \[?`([a-z_]+)`/gm),
  "docs/configuration.md": namesIn("docs/configuration.md", /^\| `modules\.([a-z_]+)` +\|/gm),
}

const sources = ["application", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => text(`${folder}/${name}`)),
)

describe("every error code of domain/errors.ts is used", () => {
  const codes = namesIn("domain/errors.ts", /^export const ([A-Z]\w+) = define\(/gm)
  it.each(codes)("%s", (code) => {
    expect(sources.some((source) => new RegExp(`\\b${code}\\b`).test(source))).toBe(true)
  })
})

describe("exactly the modules are named in", () => {
  const names = optional.map(({ name }) => name)
  it.each(Object.entries(places))("%s", (_, named) => {
    expect(named.toSorted()).toEqual(names.toSorted())
  })
})

describe("every module has a folder with a page", () => {
  const folder = "application/modules"
  const pageOf = (name: string) => `${folder}/${name}/README.md`

  it("and no other folder exists", () => {
    const folders = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    expect(folders.toSorted()).toEqual([...core, ...optional].map(({ name }) => name).toSorted())
  })

  it.each(modules.map(({ name, tables, endpoints }) => ({ name, tables, endpoints })))(
    "$name, which names its endpoints and tables",
    ({ name, tables, endpoints }) => {
      expect(existsSync(join(root, pageOf(name)))).toBe(true)
      const page = text(pageOf(name))
      const expected = [
        ...Object.values(endpoints as Record<string, { method: string; path: string }>).map(({ method, path }) => `\`${method} ${path}\``),
        ...tables.map((table) => `\`${table.name}\``),
      ]
      expect(expected.filter((part) => !page.includes(part))).toEqual([])
    },
  )

  it.each(optional.map(({ name, settings }) => ({ name, settings })))("$name, which names its settings", ({ name, settings }) => {
    const page = text(pageOf(name))
    const keys = "fields" in settings ? Object.keys(settings.fields as object) : []
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([])
  })
})
