import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const stations = [...readFileSync(join(root, "docs/walk.md"), "utf8").matchAll(/^ *([\w/-]+\.ts) +(\w+(?:, \w+)*) {2}/gm)]

describe("docs/walk.md", () => {
  it.each(stations.map(([, path, names]) => [path!, names!]))("%s has %s", (path, names) => {
    const source = readFileSync(join(root, path), "utf8")
    for (const name of names.split(", ")) expect(source).toMatch(new RegExp(`\\b${name}\\b`))
  })

  it("has stations", () => {
    expect(stations.length).toBeGreaterThan(25)
  })
})
