import { globSync, readFileSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { adapters } from "../../../adapters/config/adapters.ts"
import type { Adapters } from "../../../adapters/kinds/adapter.ts"

const all = Object.entries<Adapters<unknown>>(adapters)

describe.each(all)("the adapters of %s", (_, section) => {
  it("have a kind each", () => {
    const kinds = section.map(({ kind }) => kind)
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  it.each(section.filter(({ kind }) => kind !== undefined))(
    "$kind decodes its own kind only, and has the keys of its variables",
    (adapter) => {
      const { fields } = adapter.settings as unknown as Schema.Struct<Schema.Struct.Fields>
      expect(Schema.is(fields["kind"]!)(adapter.kind)).toBe(true)
      expect(Object.keys(fields)).toEqual(expect.arrayContaining((adapter.variables ?? []).map(({ key }) => key)))
    },
  )
})

it("no file asks for the kind of a store, mail, SMS or key management: what differs is a member of the adapter", () => {
  const asks = new RegExp(`\\b(${Object.keys(adapters).join("|")})\\??\\.kind (===|!==) "`)
  const files = ["main.ts", ...globSync("adapters/**/*.ts")]
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => asks.test(readFileSync(file, "utf8")))).toEqual([])
})
