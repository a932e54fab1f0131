import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { faultsOf, groupFaultsOf } from "../../../domain/attributes/faults.ts"
import { GroupSettings, MemberSettings, Settings } from "../../../domain/attributes/settings.ts"

const decode = Schema.decodeUnknownSync(Settings, { onExcessProperty: "error" })
const pathsOf = (attributes: Record<string, unknown>) => faultsOf(decode(attributes)).map(({ path }) => path.join("."))
const text = { type: "string", maxLength: 8 }

describe("the settings of attributes", () => {
  it("have names of lower-case letters, digits and underscores", () => {
    for (const name of ["a", "plan_2", `a${"b".repeat(39)}`]) assert.deepStrictEqual(pathsOf({ [name]: { schema: text } }), [])
    for (const name of ["", "constructor", "A", "2a", "_a", "a-b", `a${"b".repeat(40)}`])
      assert.deepStrictEqual(pathsOf({ [name]: { schema: text } }), [name])
    assert.throws(() => decode({ a: {} }))
    assert.throws(() => decode({ a: { schema: { type: "object" } } }))
    assert.throws(() => decode({ a: { schema: { type: "string", multipleOf: 2 } } }))
    assert.throws(() => decode({ a: { schema: text, read: "strangers" } }))
  })

  it("are at most 64", () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, { schema: text }]))
    assert.deepStrictEqual(pathsOf(many(64)), [])
    assert.deepStrictEqual(pathsOf(many(65)), [""])
  })

  it("have a type, or list their values", () => {
    const faults = {
      "a.schema.type": {},
      "a.schema.items": { type: "array" },
      "a.schema.items.type": { type: "array", items: { format: "date" } },
      "a.schema.pattern": { type: "string", pattern: "(", maxLength: 8 },
    }
    for (const [path, schema] of Object.entries(faults)) assert.deepStrictEqual(pathsOf({ a: { schema } }), [path])
    for (const schema of [{ enum: ["a", 1, true] }, { const: 1 }, { type: "array", items: { type: "integer", minimum: 1 }, maxItems: 2 }])
      assert.deepStrictEqual(pathsOf({ a: { schema } }), [])
  })

  it("have a pattern only for texts of at most 256 characters", () => {
    const withPattern = (maxLength?: number) => pathsOf({ a: { schema: { type: "string", pattern: "^(a+)+$", maxLength } } })
    assert.deepStrictEqual(withPattern(256), [])
    assert.deepStrictEqual(withPattern(257), ["a.schema.maxLength"])
    assert.deepStrictEqual(pathsOf({ a: { schema: { type: "string", pattern: "a" } } }), ["a.schema.maxLength"])
  })

  it("let users change, and clients get, only those that users see", () => {
    assert.deepStrictEqual(pathsOf({ a: { schema: text, write: "user", sign_up: true, claims: "profile" } }), [])
    for (const read of ["admin", "private"]) {
      assert.deepStrictEqual(pathsOf({ a: { schema: text, read, write: "user" } }), ["a.write"])
      assert.deepStrictEqual(pathsOf({ a: { schema: text, read, claims: "profile" } }), ["a.claims"])
    }
    assert.deepStrictEqual(pathsOf({ a: { schema: text, read: "admin", sign_up: true } }), [])
    assert.deepStrictEqual(pathsOf({ a: { schema: text, read: "private", sign_up: true } }), ["a.sign_up"])
    assert.throws(() => decode({ a: { schema: text, claims: "two scopes" } }))
  })

  it("are unique and indexed only with short values", () => {
    for (const key of ["unique", "indexed"]) {
      const kept = (schema: object) => pathsOf({ a: { schema, [key]: true } })
      for (const schema of [{ type: "string", maxLength: 256 }, { type: "number" }, { enum: ["a"] }, { type: "string", format: "date" }])
        assert.deepStrictEqual(kept(schema), [])
      assert.deepStrictEqual(kept({ type: "string", maxLength: 257 }), ["a.schema.maxLength"])
      assert.deepStrictEqual(kept({ type: "string" }), ["a.schema.maxLength"])
      assert.deepStrictEqual(kept({ type: "array", items: text, maxItems: 1 }), [`a.${key}`])
    }
  })

  it("have claims of at most 1 KiB as JSON", () => {
    const claim = (maxLength: number) => ({ schema: { type: "string", maxLength }, claims: "profile" })
    // {"a":"…","bcd":true} has 18 bytes without the text, and a comma is counted after each claim.
    const flag = { schema: { const: true }, claims: "email" }
    assert.deepStrictEqual(pathsOf({ a: claim(167), bcd: flag }), [])
    assert.deepStrictEqual(pathsOf({ a: claim(168), bcd: flag }), [""])
    assert.deepStrictEqual(pathsOf({ a: { schema: { type: "string" }, claims: "profile" } }), ["a.schema"])
    assert.deepStrictEqual(pathsOf({ a: { schema: { type: "array", items: text }, claims: "profile" } }), ["a.schema"])
  })
})

describe("attributes of organizations that clients see", () => {
  const decodeGroup = Schema.decodeUnknownSync(GroupSettings)
  const faultyPaths = (attributes: Record<string, unknown>) => groupFaultsOf(decodeGroup(attributes)).map(({ path }) => path.join("."))
  const seats = (maxLength?: number) => ({ schema: { type: "string", ...(maxLength === undefined ? {} : { maxLength }) }, read: "client" })

  it("have a length, together of at most 1 KiB, because tokens have them", () => {
    assert.deepStrictEqual(faultyPaths({ seats: seats() }), ["seats.schema"])
    assert.deepStrictEqual(faultyPaths({ seats: { ...seats(), read: "user" } }), [])
    assert.deepStrictEqual(faultyPaths({ seats: seats(8), plan: { ...seats(8), write: "user" } }), [])
    assert.deepStrictEqual(faultyPaths({ one: seats(100), two: seats(100) }), [""])
  })

  it("are not those of members", () => {
    assert.throws(() => Schema.decodeUnknownSync(MemberSettings)({ seats: seats(8) }))
  })
})
