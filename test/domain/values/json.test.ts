import { describe, expect, it } from "vitest"
import { structureOf } from "../../../domain/values/json.ts"

describe("the structure of a JSON text", () => {
  it.each([
    ['{"a":"x","b":[1,2]}', { members: 2, values: 5 }],
    ['{"a\\"b,:[":"c\\\\","d":"\\\\\\""}', { members: 2, values: 3 }],
    ['["\\\\\\\\",",",":"]', { members: 0, values: 4 }],
    ['"unterminated, [ { :', { members: 0, values: 1 }],
    ['"ends in a backslash\\"', { members: 0, values: 1 }],
  ])("of %s", (json, structure) => {
    expect(structureOf(json)).toEqual(structure)
  })
})
