import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Schema } from "effect"
import fc from "fast-check"
import { faultsOf } from "../../../domain/attributes/faults.ts"
import { bytesOf, longestOf } from "../../../domain/attributes/size.ts"
import type { ValueSchema } from "../../../domain/attributes/value-schema.ts"
import { codecOf } from "../../../domain/attributes/values.ts"
import { isStorable } from "../../../domain/ports/store.ts"

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

const accepts = (schema: ValueSchema) => Schema.is(codecOf(schema))
const settings = { read: "user", write: "admin", unique: false, indexed: false, sign_up: false } as const
const isAllowed = (schema: ValueSchema) => faultsOf({ plan: { ...settings, schema } }).length === 0

const given = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
const present = (schema: object) => Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as ValueSchema
const bound = given(fc.integer({ min: -5, max: 5 }))
const length = given(fc.integer({ min: 0, max: 4 }))
const pieces = ["", "a", "b", "ab", "😀", "e\u0301", "0", " ", "\n", "%41", "-"]
const some = [
  ...["2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2024-04-31", "2024-13-01", "2024-00-10", "2024-1-1", "2024-01-00"],
  ...["2024-02-29T12:00:00Z", "2024-02-29t12:00:00.123z", "2024-02-29T12:00:00", "2024-02-29T24:00:00Z", "2024-02-29T12:60:00Z"],
  ...["2016-12-31T23:59:60Z", "2016-12-31T22:59:60-01:00", "2016-12-31T23:58:60Z", "2017-01-01T01:29:60+01:30", "2024-02-30T00:00:00Z"],
  ...["2024-02-29T12:00:00+23:59", "2024-02-29T12:00:00+24:00", "2024-02-29T12:00:61Z", "x2024-02-29T12:00:00Z"],
  ...[
    "https://example.com/a?b#c",
    "mailto:a@b.c",
    "urn:isbn:1",
    "//example.com",
    "/path",
    "http://[::1]:80/",
    "a:b c",
    "http://a/%zz",
    "1a:b",
  ],
  ...[
    "ada@example.com",
    "ada.b+c@mail.example.com",
    "ada@localhost",
    ".ada@example.com",
    "ada@-a.com",
    "ada@a-.com",
    "@example.com",
    "a@b@c.de",
  ],
]
const text = fc.oneof(
  fc.constantFrom(...some),
  fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ maxLength: 6, unit: "binary" }),
)
const number = fc.oneof(
  fc.integer({ min: -6, max: 6 }),
  fc.constantFrom(-0, 0.5, 1e21, -1.5, Number.MAX_SAFE_INTEGER),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const scalar = fc.oneof(text, number, fc.boolean())
const lists = { enum: given(fc.array(scalar, { minLength: 1, maxLength: 4 })), const: given(scalar) }
const ranges = { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound }
const scalarSchema = fc.oneof(
  fc.record({ type: fc.constant("string"), minLength: length, maxLength: length, ...lists }),
  fc.record({ type: fc.constant("string"), format: fc.constantFrom("date", "date-time", "uri", "email") }),
  fc.record({
    type: fc.constant("string"),
    pattern: fc.constantFrom("^a", "b$", "^.{1,2}$", "\\p{L}", "[0-9]"),
    maxLength: fc.constant(256),
  }),
  fc.record({ type: fc.constantFrom("integer", "number"), ...ranges }),
  fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean", undefined), ...lists }),
  fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean", undefined), ...lists, ...ranges, maxLength: length }),
)
const schemas = fc
  .oneof(scalarSchema, fc.record({ type: fc.constant("array"), items: scalarSchema.map(present), minItems: length, maxItems: length }))
  .map(present)
  .filter(isAllowed)
const values = fc.oneof(scalar, fc.array(scalar, { maxLength: 5 }), fc.constantFrom(null, {}, [[]], { a: 1 }))

/** What this service refuses although JSON Schema accepts it: text that no database stores, and integers that are not exact. */
const isKept = (type: ValueSchema["type"], value: unknown): boolean => {
  if (Array.isArray(value)) return value.every((each) => isKept(type, each))
  if (typeof value === "string") return isStorable(value)
  return type !== "integer" || typeof value !== "number" || Number.isSafeInteger(value)
}
const typeOfItems = ({ type, items }: ValueSchema) => (type === "array" ? items?.type : type)

describe("schemas of attributes", () => {
  it("give the same verdicts as ajv", () => {
    const property = fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 40 }), (schema, all) => {
      const [ours, theirs] = [accepts(schema), ajv.compile(schema)]
      for (const value of all) {
        const expected = theirs(value) && isKept(typeOfItems(schema), value)
        assert.strictEqual(ours(value), expected, JSON.stringify([schema, value]))
      }
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it("give the same verdicts as ajv on every text with every format", () => {
    for (const format of ["date", "date-time", "uri", "email"] as const)
      for (const each of some) {
        const schema = { type: "string", format } as const
        assert.strictEqual(accepts(schema)(each), ajv.validate(schema, each), `${format} ${each}`)
      }
  })

  it("accept what ajv-formats does not know of RFC 3339: a blank is no separator, and offsets have minutes", () => {
    const isMoment = accepts({ type: "string", format: "date-time" })
    for (const each of ["2024-02-29 12:00:00Z", "2024-02-29T12:00:00+01", "2024-02-29T12:00:00+0130"]) assert.isFalse(isMoment(each), each)
    assert.isTrue(isMoment("2024-02-29T12:00:00+01:30"))
  })

  it("count the characters of a text, not its code units", () => {
    const isShort = accepts({ type: "string", minLength: 2, maxLength: 2 })
    assert.isTrue(isShort("😀😀"))
    assert.isFalse(isShort("😀"))
    assert.isFalse(isShort("😀😀😀"))
    assert.isFalse(accepts({ type: "string" })("a\0"))
    assert.isFalse(accepts({ type: "integer" })(2 ** 53))
    assert.isTrue(accepts({ type: "integer" })(2 ** 53 - 1))
  })

  it("refuse numbers that JSON does not have, which ajv accepts", () => {
    for (const schema of [{ type: "number" }, { type: "number", maximum: 4 }, { type: "integer" }] as const)
      for (const each of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) assert.isFalse(accepts(schema)(each))
  })

  it("limit the length as JSON", () => {
    const property = fc.property(schemas, values, (schema, value) => {
      if (accepts(schema)(value)) assert.isAtMost(bytesOf(value), longestOf(schema), JSON.stringify([schema, value]))
    })
    fc.assert(property, { numRuns: 3000 })
    assert.strictEqual(longestOf({ type: "string", maxLength: 3 }), bytesOf("\u001f\u001f\u001f"))
  })
})
