import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const layers = ["domain", "application", "adapters", "main.ts"] as const
type Layer = (typeof layers)[number]

/** What the domain may know of effect: data, no services. */
const dataTypes = [
  ...[
    "Array",
    "BigInt",
    "Boolean",
    "Cause",
    "Data",
    "DateTime",
    "Duration",
    "Equal",
    "Equivalence",
    "HashMap",
    "HashSet",
    "Match",
    "Number",
  ],
  ...["Option", "Order", "Predicate", "Record", "Redacted", "Result", "Schema", "SchemaGetter", "SchemaIssue", "SchemaTransformation"],
  ...["String", "Struct", "Tuple"],
]

/** Time, chance and the process come in through services; only adapters and `main.ts` touch them. */
const impure = [
  /\bDate\.now\b/,
  /\bnew Date\(/,
  /\bMath\.random\b/,
  /\bprocess\./,
  /\bglobalThis\b/,
  /(?<![.\w])crypto\./,
  /\bset(Timeout|Interval|Immediate)\(/,
  /\brequire\(/,
]

const imports = (source: string) =>
  [...source.matchAll(/(?:^|;|\n)\s*(?:import|export)\s+(?:([^"';]*?)\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["'`]([^"'`]+)["'`]/g)].map(
    ([, names = "", from, dynamic]) => ({ names, from: from ?? dynamic ?? "" }),
  )

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")

const layerOf = (path: string) => layers.find((layer) => path === layer || path.startsWith(`${layer}/`))

/** What is wrong with a source file, as it would stand at this path. */
const faultsOf = (path: string, source: string): ReadonlyArray<string> => {
  const own = layerOf(path)
  if (own === undefined) return [`${path} is in no layer`]
  const code = withoutComments(source)
  const inner = own === "domain" || own === "application"
  return [
    ...imports(code).flatMap((each) => importFaults(path, own, each)),
    ...(inner ? impure.filter((pattern) => pattern.test(code)).map((pattern) => `uses ${pattern.source}`) : []),
  ]
}

const importFaults = (
  path: string,
  own: Layer,
  { names, from }: { readonly names: string; readonly from: string },
): ReadonlyArray<string> => {
  if (from.startsWith(".")) {
    const target = join(dirname(path), from)
    if (target === "package.json" && (own === "adapters" || own === "main.ts")) return []
    const layer = layerOf(target)
    const inward = layer !== undefined && layers.indexOf(layer) <= layers.indexOf(own)
    return inward && layer !== "main.ts" ? [] : [`imports ${target}`]
  }
  if (own === "adapters" || own === "main.ts") return []
  if (from !== "effect" && !from.startsWith("effect/")) return [`imports ${from}`]
  if (own === "application") return []
  if (from !== "effect") return [`imports ${from}`]
  const foreign = namesOf(names).filter((name) => !dataTypes.includes(name))
  return foreign.map((name) => `imports ${name} of effect`)
}

const namesOf = (clause: string) =>
  clause
    .replace(/^type\s+/, "")
    .replace(/[{}]/g, "")
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s+.*$/, ""),
    )
    .filter((name) => name !== "")

const sources = [
  ...["domain", "application", "adapters"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ),
  ...readdirSync(root).filter((name) => name === "main.ts"),
].filter((path) => path.endsWith(".ts"))

describe("arrows point inward only", () => {
  it("has files to look at in every layer", () => {
    for (const folder of ["domain", "application", "adapters"])
      expect(sources.filter((path) => path.startsWith(folder)).length).toBeGreaterThan(3)
  })

  it.each(sources)("%s", (path) => {
    expect(faultsOf(path, readFileSync(join(root, path), "utf8"))).toEqual([])
  })
})

/** The first way found from a file over its imports back to it, types included. */
const circleOf = (files: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const done = new Set<string>()
  const search = (path: string, way: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of files.get(path) ?? []) {
      const found = search(next, [...way, path])
      if (found.length > 0) return found
    }
    done.add(path)
    return []
  }
  for (const path of files.keys()) {
    const found = search(path, [])
    if (found.length > 0) return found
  }
  return []
}

describe("no way leads back", () => {
  it("from any file over its imports", () => {
    const targets = (path: string) =>
      imports(withoutComments(readFileSync(join(root, path), "utf8"))).flatMap(({ from }) =>
        from.startsWith(".") ? [join(dirname(path), from)] : [],
      )
    expect(circleOf(new Map(sources.map((path) => [path, targets(path)])))).toEqual([])
  })

  it("and a circle would be seen", () => {
    const files = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] }
    expect(circleOf(new Map(Object.entries(files)))).toEqual(["b", "d", "b"])
  })
})

describe("the look at a file", () => {
  it.each([
    ["domain/User.ts", 'import { Keys } from "../application/Keys.ts"', "imports application/Keys.ts"],
    ["domain/User.ts", 'import type { Keys } from "../application/Keys.ts"', "imports application/Keys.ts"],
    ["domain/User.ts", 'import "../application/Keys.ts"', "imports application/Keys.ts"],
    ["domain/User.ts", 'export * from "../adapters/http/Origins.ts"', "imports adapters/http/Origins.ts"],
    ["domain/User.ts", 'import { Effect, Schema } from "effect"', "imports Effect of effect"],
    ["domain/User.ts", 'import {\n  Schema,\n  type Layer as L,\n} from "effect"', "imports Layer of effect"],
    ["domain/User.ts", 'import * as Everything from "effect"', "imports * of effect"],
    ["domain/User.ts", 'import { Digest } from "effect/crypto"', "imports effect/crypto"],
    ["domain/User.ts", 'import { createHash } from "node:crypto"', "imports node:crypto"],
    ["application/Auth.ts", 'import { readFile } from "node:fs/promises"', "imports node:fs/promises"],
    ["application/Auth.ts", 'import nodemailer from "nodemailer"', "imports nodemailer"],
    ["application/Auth.ts", 'import { NodeCrypto } from "@effect/platform-node"', "imports @effect/platform-node"],
    ["application/modules/account.ts", 'import { origins } from "../../adapters/http/Origins.ts"', "imports adapters/http/Origins.ts"],
    ["application/Auth.ts", 'const os = await import("node:os")', "imports node:os"],
    ["application/Auth.ts", 'import { world } from "../test/world.ts"', "imports test/world.ts"],
    ["application/Auth.ts", "const now = Date.now()", "uses \\bDate\\.now\\b"],
    ["application/Auth.ts", "const now = new Date()", "uses \\bnew Date\\("],
    ["domain/User.ts", "const chance = Math.random()", "uses \\bMath\\.random\\b"],
    ["application/Auth.ts", 'const home = process.env["HOME"]', "uses \\bprocess\\."],
    ["application/Auth.ts", "const id = crypto.randomUUID()", "uses (?<![.\\w])crypto\\."],
    ["adapters/http/Origins.ts", 'import { main } from "../../main.ts"', "imports main.ts"],
    ["adapters/http/Origins.ts", 'import { world } from "../../test/world.ts"', "imports test/world.ts"],
    ["main.ts", 'import { world } from "./test/world.ts"', "imports test/world.ts"],
    ["library/User.ts", "", "library/User.ts is in no layer"],
  ])("finds the fault in %s: %s", (path, source, fault) => {
    expect(faultsOf(path, source)).toContain(fault)
  })

  it.each([
    ["domain/User.ts", 'import { Schema } from "effect"\nimport type { Cause } from "effect"\nimport { Text } from "./Text.ts"'],
    [
      "application/modules/account.ts",
      'import { User } from "../../domain/User.ts"\nimport { Effect } from "effect"\nimport { Mac } from "effect/crypto"',
    ],
    ["application/Auth.ts", "// Date.now() is not for us\n/** nor is process.env */\nconst url = 'https://example.com'"],
    [
      "adapters/http/Origins.ts",
      'import { createServer } from "node:http"\nimport { Auth } from "../../application/Auth.ts"\nconst now = Date.now()',
    ],
    ["main.ts", 'import { shell } from "./adapters/http/HttpShell.ts"\nconst { env } = process'],
  ])("finds none in %s: %s", (path, source) => {
    expect(faultsOf(path, source)).toEqual([])
  })
})
