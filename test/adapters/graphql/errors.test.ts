import { GraphQLError } from "graphql"
import { describe, expect, it } from "vitest"
import { documentError } from "../../../adapters/graphql/errors.ts"

const shown = (message: string) => documentError(new GraphQLError(message)).message
const long = "secret ".repeat(1000)

describe("the error message of an invalid document", () => {
  it.each([
    ['Variable "$input" has invalid value: String cannot represent a non string value: { a: 1 }', "non string value."],
    ["Int cannot represent a value:secret", "Int cannot represent a value."],
    [`Boolean cannot represent a non boolean value: ${long}`, "a non boolean value."],
    ['Expected value of type "SignUpEmailInput" to be an object, found: "secret"', "to be an object."],
    [`Expected value of type "X", but encountered error "${long}"; found: "secret"`, 'type "X".'],
    ['Syntax Error: Expected Name, found String "secret".', "Syntax Error: Expected Name, found String."],
    ['Syntax Error: Expected Name, found String "a "secret" b".', "found String."],
    [`Syntax Error: Unexpected BlockString "${long}".`, "Syntax Error: Unexpected BlockString."],
    [`Syntax Error: Unexpected String "${long}`, "Syntax Error: Unexpected String."],
    ['Syntax Error: Unexpected Int "1secret"', "Syntax Error: Unexpected Int"],
  ])("does not repeat the value that was sent, example %#", (message, end) => {
    expect(shown(message)).not.toContain("secret")
    expect(shown(message).endsWith(end), shown(message)).toBe(true)
  })

  it.each([
    `not to include unknown field "${"cannot represent ".repeat(60_000)}", found: { a: 1 }`,
    `not to include unknown field "${'String "Int '.repeat(80_000)}`,
    ", but encountered error found ,;.?".repeat(30_000),
  ])("is shortened in linear time, example %#", (message) => {
    const begin = process.threadCpuUsage()
    shown(message)
    const { user, system } = process.threadCpuUsage(begin)
    expect((user + system) / 1000).toBeLessThan(100)
  })

  it("has a bounded length", () => {
    expect(shown(`Cannot query field "${"x".repeat(1000)}".`)).toHaveLength(301)
  })
})
