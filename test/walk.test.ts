import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/walk.md"), "utf8")
const stations = [...page.matchAll(/^ *([\w/-]+\.ts) +(\w+(?:, \w+)*) {2}/gm)]
const mentions = [...page.matchAll(/(?<!\/)\b(\w+) of ([\w-]+\.ts)\b/g)]

const sources = ["domain", "application", "adapters", "bench", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
)

const codeOf = (path: string) => readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")

/** Whether code declares or calls exactly this name: an import, a longer name or a comment does not count. */
const declaresOrCalls = (code: string, name: string) => {
  const whole = `(?<![\\w$])${name}(?![\\w$])`
  const declaration = `\\b(?:const|let|function|class|interface|type) ${whole}|^ *${whole}: `
  return new RegExp(`${declaration}|${whole}(?:<[^()]*>)?\\(`, "m").test(code)
}

describe("declaresOrCalls", () => {
  it.each([
    ["const signIn = 1", true],
    ["signIn(user)", true],
    ["signIn<A>(user: A): void", true],
    ["  signIn: (user) => user,", true],
    ["const signInEmail = 1", false],
    ['import { signIn } from "./sign-in.ts"', false],
    ['x.signsIn("signIn")', false],
  ])("%s", (code, expected) => {
    expect(declaresOrCalls(code, "signIn")).toBe(expected)
  })
})

describe("docs/walk.md", () => {
  it.each(stations.map(([, path, names]) => [path!, names!]))("%s has %s", (path, names) => {
    const missing = names.split(", ").filter((name) => !declaresOrCalls(codeOf(path), name))
    expect(missing).toEqual([])
  })

  it.each(mentions.map(([, name, file]) => [name!, file!]))("%s is in %s", (name, file) => {
    const path = sources.find((source) => basename(source) === file)
    expect(path !== undefined && declaresOrCalls(codeOf(path), name)).toBe(true)
  })

  it("names only files that exist", () => {
    const files = new Set(sources.map((path) => basename(path)))
    const missing = [...page.matchAll(/[\w-]+(?:\.\w+)?\.ts\b/g)].map(([file]) => file).filter((file) => !files.has(file))
    expect(missing).toEqual([])
  })

  it("has steps", () => {
    expect(stations.length).toBeGreaterThan(25)
  })
})
