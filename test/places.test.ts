import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadEnglish } from "../adapters/texts/languages.ts"
import { core, optional } from "../application/modules/index.ts"
import * as Auth from "../application/service/auth.ts"
import { type AnyEndpoint, classOf } from "../application/service/endpoint.ts"
import { ownedByAll } from "../application/service/module.ts"
import { permissions } from "../domain/administration/permissions.ts"
import type { ErrorClass } from "../domain/errors.ts"
import * as Errors from "../domain/errors.ts"
import development from "../sallyport.config.ts"
import { modules } from "./everything.ts"

// Files other than application/modules/index.ts that list the modules: they list every module, and no removed one.

const root = join(import.meta.dirname, "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const namesIn = (path: string, row: RegExp) => [...text(path).matchAll(row)].map(([, name]) => name)

const places: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
  "sallyport.config.ts": Object.keys(development.modules ?? {}),
}

const sources = ["application", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => text(`${folder}/${name}`)),
)

const errorsIn = (values: object): ReadonlyArray<ErrorClass> =>
  Object.values(values).filter((value) => typeof value === "function" && "code" in value)

it("docs/administration.md names every permission", () => {
  const [, sentence = ""] = text("docs/administration.md").match(/with permissions: ([^\n]*)/) ?? []
  let resource = ""
  const named = [...sentence.matchAll(/`([a-z_]+:)?([a-z]*)`/g)].flatMap(([, given = resource, action]) => {
    resource = given
    return action === "" ? [] : [`${resource}${action}`]
  })
  expect(named.toSorted()).toEqual(permissions.toSorted())
})

describe("error codes", () => {
  const shared = errorsIn(Errors)
  it.each(namesIn("domain/errors.ts", /^export const ([A-Z]\w+) = define\(/gm))("%s of domain/errors.ts is used", (name) => {
    expect(sources.some((source) => new RegExp(`\\b${name}\\b`).test(source))).toBe(true)
  })

  const answered = new Set(Object.values(Auth.make(modules).endpoints).flatMap(({ errors }) => errors.map(classOf)))

  it.each(modules.map(({ name, errors, endpoints }) => ({ name, errors, endpoints })))(
    "$name declares the codes that only it fails with, and no others",
    ({ errors, endpoints }) => {
      expect(errors.filter((error) => !answered.has(error)).map(({ code }) => code)).toEqual([])
      const known = new Set([...shared, ...errors])
      const declared = Object.values<AnyEndpoint>(endpoints).flatMap((endpoint) => endpoint.errors.map(classOf))
      expect(declared.filter((error) => !known.has(error)).map(({ code }) => code)).toEqual([])
    },
  )

  const all = [...shared, ...modules.flatMap(({ errors }) => errors)].map(({ code, remedy }) => ({ code, remedy }))
  it.each(all)("$code says what a caller does about it", ({ remedy }) => {
    expect(remedy).toMatch(/^[A-Z`].*\.$/s)
  })
})

describe("a service without a module", () => {
  it.each(optional.map(({ name }) => name))("has none of the errors, types of events, mails and texts of %s", async (name) => {
    const own = ownedByAll(optional.filter((module) => module.name === name))
    const others = ownedByAll([...core, ...optional.filter((module) => module.name !== name)])
    const shared = ownedByAll([])
    const english = await loadEnglish(others.texts)
    const left = {
      errors: own.errors.filter((error) => others.errors.includes(error)),
      events: Object.keys(own.events).filter((type) => type in others.events && !(type in shared.events)),
      mails: Object.keys(own.mails).filter((mail) => mail in others.mails && !(mail in shared.mails)),
      texts: Object.keys(await own.texts("en")).filter((key) => key in english),
    }
    expect(left).toEqual({ errors: [], events: [], mails: [], texts: [] })
  })
})

describe("the list of parts", () => {
  const rows = [...text("application/writing-a-module.md").matchAll(/^- .+?: (.*`.*) \(.+\)$/gm)].map(([, defines = ""]) => defines)
  const named = new Set(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)))
  const [built] = modules
  const parts = ["settings", "faults", "guard", ...Object.keys(built ?? {}).filter((member) => /^\w+$/.test(member) && member !== "name")]

  it("has every part of a module", () => {
    expect(parts.length).toBeGreaterThan(40)
    expect(parts.filter((part) => !named.has(part))).toEqual([])
  })

  it("names nothing in the first place that is no part", () => {
    const others = ["SignedCookie.hostBound", "signsIn", "notices", "keys"]
    const firsts = rows.map((row) => /`([^`]+)`/.exec(row)?.[1] ?? "")
    expect(firsts.filter((first) => !parts.includes(first) && !others.includes(first))).toEqual([])
  })
})

describe("every test that docs/rfc9700.md names exists", () => {
  const named = new Set(namesIn("docs/rfc9700.md", /`([\w/-]+\.test\.ts)`/g))
  it.each([...named])("%s", (name = "") => {
    expect(existsSync(join(root, name.includes("/") ? name : `test/application/modules/idp/${name}`))).toBe(true)
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
    // The section `users` of the configuration enables `attributes`.
    expect(folders.toSorted()).toEqual(["attributes", ...[...core, ...optional].map(({ name }) => name)].toSorted())
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
})
