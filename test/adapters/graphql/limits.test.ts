import { Effect, Schema } from "effect"
import { parse, validate } from "graphql"
import { describe, expect, it } from "vitest"
import { costOf } from "../../../adapters/graphql/limits.ts"
import { makeSchema } from "../../../adapters/graphql/schema.ts"
import { decode } from "../../../adapters/graphql/settings.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { PageInput } from "../../../application/service/paging.ts"
import { modules } from "../../everything.ts"

const Book = Schema.Struct({ title: Schema.String, authors: Schema.Array(Schema.Struct({ name: Schema.String })) })
const shelf = Module.define({
  name: "shelf",
  settings: Module.NoSettings,
  parts: () => ({
    endpoints: [
      Endpoint.make({
        method: "GET",
        path: "/list-books",
        summary: "Books with their authors.",
        access: "public",
        input: Schema.Struct(PageInput),
        output: Schema.Struct({ books: Schema.Array(Book), shelf: Schema.Struct({ books: Schema.Array(Book) }) }),
        handler: () => Effect.succeed(Endpoint.reply({ books: [], shelf: { books: [] } })),
      }),
    ],
  }),
})

const schema = makeSchema(Auth.make([...modules, shelf.build({})]))
const cost = (text: string, variables: Readonly<Record<string, unknown>> = {}) => {
  const document = parse(text)
  expect(validate(schema, document), text).toEqual([])
  return costOf(schema, document, variables)
}
const users = (input: string, fields = "id") => `{ adminListUsers${input} { users { ${fields} } } }`

describe("the cost of a document", () => {
  it("counts a list at the length that the operation's input requests", () => {
    expect(cost(users("(input: { limit: 70 })"))).toBe(1 + 70)
    expect(cost("query ($limit: Int) { adminListUsers(input: { limit: $limit }) { users { id } } }", { limit: 80 })).toBe(1 + 80)
    expect(cost("query ($input: AdminListUsersInput) { adminListUsers(input: $input) { users { id } } }", { input: { limit: 90 } })).toBe(
      1 + 90,
    )
    expect(cost(users("(input: { limit: -5 })"))).toBe(1 + 1)
  })

  it("counts a list at its default length where the input requests none", () => {
    for (const text of [users(""), users("(input: {})"), users("(input: { limit: null })"), users('(input: { search: "a" })')])
      expect(cost(text), text).toBe(1 + 500)
    const variable =
      "query ($input: AdminListUsersInput, $limit: Int) { a: adminListUsers(input: $input) { users { id } } adminListUsers(input: { limit: $limit }) { users { id } } }"
    expect(cost(variable)).toBe(2 * (1 + 500))
    expect(cost(variable, { input: null, limit: null })).toBe(2 * (1 + 500))
    expect(cost(variable, { input: { search: "a" }, limit: 7 })).toBe(1 + 500 + 1 + 7)
  })

  it("counts lists within objects and fragments alike, and lists within rows as without length", () => {
    const asked = "listBooks(input: { limit: 100 })"
    expect(cost(`{ ${asked} { shelf { books { title } } } }`)).toBe(1 + 1 + 100)
    expect(cost(`{ ${asked} { books { authors { name } } } }`)).toBe(1 + 100 * (1 + 20))
    const fragments = "fragment p on ListBooksPayload { books { ...b } } fragment b on ListBooksBooksItem { title }"
    expect(cost(`{ a: ${asked} { ...p } b: listBooks(input: { limit: 3 }) { ...p } } ${fragments}`)).toBe(1 + 100 + 1 + 3)
    expect(cost("{ listSessions { sessions { id } } }")).toBe(1 + 20)
  })

  it("allows the longest page of every list, but not one with another page for each row", async () => {
    const { max_cost } = await Effect.runPromise(decode({}))
    expect(cost(users("(input: { limit: 1000 })"))).toBeLessThan(max_cost)
    expect(cost('{ organizationListMembers(input: { organizationId: "1", limit: 1000 }) { members { userId } } }')).toBeLessThan(max_cost)
    expect(cost(`{ listBooks(input: { limit: 1000 }) { books { authors { name } } } }`)).toBeGreaterThan(max_cost)
  })
})
