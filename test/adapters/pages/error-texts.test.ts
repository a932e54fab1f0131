import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { problemOf } from "../../../adapters/pages/problems.ts"
import { catalogs } from "../../../adapters/texts/languages.ts"
import { makeTexts } from "../../../adapters/texts/texts.ts"
import * as Auth from "../../../application/service/auth.ts"
import { commonCodes } from "../../../client/http.ts"
import { type DeclaredError, define, InvalidRequest } from "../../../domain/errors.ts"
import { modules } from "../../everything.ts"
import { owned } from "../../owned.ts"

const folder = join(import.meta.dirname, "../../../adapters/pages")
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(folder, name), "utf8"))
const literals = new Set([...sources.join("\n").matchAll(/"(\w+)"/g)].map(([, text = ""]) => text))

const codeOf = (declared: DeclaredError): string => ("code" in declared ? declared.code : declared[0].code)

/** The operations that a page can call: it names each of them. */
const called = Object.entries(Auth.make(modules).endpoints).filter(([name]) => literals.has(name))
const codes = [
  ...new Set([...called.flatMap(([, { errors }]) => errors.map(codeOf)), ...commonCodes, "unauthorized", "forbidden"]),
].toSorted()

const languages = await Promise.all(
  Object.entries(catalogs).map(async ([tag, { load }]) => {
    const catalog: Readonly<Record<string, string>> = { ...(await load()).default, ...(await owned.texts(tag)) }
    return { tag, catalog, texts: makeTexts(tag, catalog, {}) }
  }),
)

describe.each(languages)("in $tag", ({ texts, catalog }) => {
  const textOf = (code: string) =>
    problemOf(new (define(code, 400, "A message for developers."))(), texts, {
      entered: {},
      problems: {},
      passwords: { min_password_length: 8, max_password_length: 128 },
    }).message

  it("every error of an operation that a page can call has a text of its own", () => {
    expect(called.length).toBeGreaterThan(70)
    expect(codes.filter((code) => catalog[`error.${code}`] === undefined && !code.endsWith("_not_found"))).toEqual([])
    const unknown = textOf("a_code_of_an_extension")
    expect(codes.filter((code) => textOf(code) === unknown)).toEqual([])
  })

  it("an unknown error gets a text that states nothing about the form", () => {
    expect(textOf("a_code_of_an_extension")).toBe(catalog["error.unknown"])
  })

  it("only an invalid input is said to be one", () => {
    const isInvalid = (code: string) => textOf(code) === textOf(InvalidRequest.code)
    expect([...codes, "a_code_of_an_extension"].filter(isInvalid)).toEqual([InvalidRequest.code])
  })
})
