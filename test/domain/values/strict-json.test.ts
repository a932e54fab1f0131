import { Option } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"

const utf8 = new TextEncoder()
const read = (json: string) => Option.getOrNull(strictJsonObject(utf8.encode(json)))

describe("a strict JSON object", () => {
  it.each([
    ["{}", {}],
    [' {\n\t"a" : [1, {"b": null}] }\r\n', { a: [1, { b: null }] }],
    ['{"a":"\\":","b":"{\\"a\\":1,\\"a\\":2}"}', { a: '":', b: '{"a":1,"a":2}' }],
    ['{"a":[{"a":1},{"a":{"a":2}}]}', { a: [{ a: 1 }, { a: { a: 2 } }] }],
  ])("is read: %s", (json, value) => expect(read(json)).toEqual(value))

  it.each(
    [["", "null", "1", '"a"', "[]", "[{}]", "{", "{}{}", "{} x", "\ufeff{}", "{a:1}", "{'a':1}", '{"a":1,}', '{"a":NaN}', "//\n{}"]].flat(),
  )("is not %j", (json) => expect(Option.isNone(strictJsonObject(utf8.encode(json)))).toBe(true))

  it.each([
    ['{"a":1,"a":1}'],
    ['{"a":1,"b":{"c":1,"c":2}}'],
    ['{"a":[{"b":1,"b":1}]}'],
    ['{"\\u0061":1,"a":2}'],
    ['{"__proto__":1,"__proto__":2}'],
  ])("has no member twice: %s", (json) => expect(read(json)).toBeNull())

  it("is UTF-8", () => {
    const bytes = utf8.encode('{"a":"é"}')
    expect(Option.isSome(strictJsonObject(bytes))).toBe(true)
    expect(Option.isNone(strictJsonObject(bytes.filter((byte) => byte !== 0xa9)))).toBe(true)
  })

  it("is parsed like JSON.parse, except that duplicate members are refused", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const json = JSON.stringify(value)
        expect(read(json)).toEqual(JSON.parse(json))
        const [name] = Object.keys(value)
        expect(read(`{${JSON.stringify(name)}:0,${json.slice(1)}`)).toBeNull()
      }),
    )
  })

  it("is refused when it is nested too deeply", () => {
    const deep = 200_000
    expect(read(`{"a":${"[".repeat(deep)}${"]".repeat(deep)}}`)).toBeNull()
  })
})
