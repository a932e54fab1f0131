import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as GraphField from "../../../application/service/graph-field.ts"
import * as Module from "../../../application/service/module.ts"
import { Forbidden } from "../../../domain/errors.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import { core, password } from "../../world.ts"
import { get } from "../http/served.ts"
import { counted, questions } from "./counted.ts"
import { codes, graphqlServed, joined, query } from "./request.ts"

// A module of a third party: users have shelves, shelves have books, and books have pages.

const Shelf = Schema.Struct({ id: Schema.String, user_id: Schema.String, placed_at: Schema.DateTimeUtc }).annotate({ identifier: "Shelf" })
const Book = Schema.Struct({ id: Schema.String, shelf_id: Schema.String, title: Schema.String }).annotate({ identifier: "Book" })
const Leaf = Schema.Struct({ id: Schema.String, book_id: Schema.String, number: Schema.Int }).annotate({ identifier: "Leaf" })

const Shelves = Table.make("shelf", Shelf, { key: "id", indexed: [["user_id", "placed_at"]], references: { user_id: Users } })
const Books = Table.make("book", Book, { key: "id", references: { shelf_id: Shelves } })
const Leaves = Table.make("leaf", Leaf, { key: "id", indexed: [["book_id", "number"]], references: { book_id: Books } })

const shelves = GraphField.paged({
  on: User,
  name: "shelves",
  summary: "Where the user keeps books.",
  output: Shelf,
  place: ["placed_at", "id"],
  load: Effect.fnUntraced(function* (users, page) {
    const { user } = yield* CurrentSession
    const own = users.filter(({ id }) => id === user.id)
    const found = yield* (yield* Store).listForEach(
      Shelves,
      "user_id",
      own.map(({ id }) => id),
      { order: "placed_at", ...page },
    )
    return users.map((each) => found[own.indexOf(each)] ?? new Forbidden())
  }),
})

const books = GraphField.paged({
  on: Shelf,
  name: "books",
  summary: "What stands on it.",
  output: Book,
  place: ["id"],
  load: Effect.fnUntraced(function* (shelves, page) {
    return yield* (yield* Store).listForEach(
      Books,
      "shelf_id",
      shelves.map(({ id }) => id),
      page,
    )
  }),
})

const leaves = GraphField.paged({
  on: Book,
  name: "leaves",
  summary: "What is bound in it.",
  output: Leaf,
  place: ["number", "id"],
  load: Effect.fnUntraced(function* (books, page) {
    return yield* (yield* Store).listForEach(
      Leaves,
      "book_id",
      books.map(({ id }) => id),
      { order: "number", ...page },
    )
  }),
})

const firstLeaf = GraphField.make({
  on: Book,
  name: "firstLeaf",
  summary: "The one it opens with.",
  output: Schema.NullOr(Leaf),
  load: Effect.fnUntraced(function* (books) {
    const found = yield* (yield* Store).listForEach(
      Leaves,
      "book_id",
      books.map(({ id }) => id),
      { order: "number", limit: 1 },
    )
    return found.map(([leaf]) => leaf ?? null)
  }),
})

const readers = Endpoint.make({
  method: "GET",
  path: "/library/readers",
  summary: "All readers.",
  access: "public",
  input: Endpoint.NoInput,
  output: Schema.Struct({ readers: Schema.Array(User) }),
  handler: Effect.fnUntraced(function* listed() {
    return Endpoint.reply({ readers: yield* (yield* Store).list(Users, {}, { limit: 10 }) })
  }),
})

const library = Module.define({
  name: "library",
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Shelves, Books, Leaves],
    endpoints: [readers],
    graphFields: [shelves, books, leaves, firstLeaf],
  }),
}).build({})

/** This many shelves, books on each shelf and pages in each book. */
const stocked = Effect.fnUntraced(function* (user_id: string, wide: number) {
  const { commit } = yield* Store
  const placed_at = yield* DateTime.now
  const times = Array.from({ length: wide }, (_, index) => String(index).padStart(2, "0"))
  for (const s of times) {
    const shelf_id = `${user_id} ${s}`
    const held = times.flatMap((b) => [
      insert(Books, { id: `${shelf_id} ${b}`, shelf_id, title: `Book ${b}` }),
      ...times.map((l) => insert(Leaves, { id: `${shelf_id} ${b} ${l}`, book_id: `${shelf_id} ${b}`, number: Number(l) })),
    ])
    yield* Effect.orDie(commit([insert(Shelves, { id: shelf_id, user_id, placed_at }), ...held]))
  }
})

const all = `query ($first: Int!) {
  viewer { user { shelves(first: $first) { edges { node { id books(first: $first) { edges { node {
    title
    firstLeaf { number }
    leaves(first: $first) { edges { node { id number } } pageInfo { hasNextPage } }
  } } } } } } } }
}`

const modules = [...core, library]

describe("the graph", () => {
  layer(graphqlServed({ modules, instead: counted }), { excludeTestServices: true })((it) => {
    it.effect("reads a thousand nodes with as many store calls as eight", () =>
      Effect.gen(function* () {
        const headers = yield* joined("reader@example.com")
        const { json } = yield* get("/get-session", { headers })
        yield* stocked(json.user.id, 10)
        const asked = Effect.fnUntraced(function* (first: number) {
          questions.count = 0
          const answer = yield* query(all, { first }, { headers })
          assert.deepStrictEqual(codes(answer), [])
          const nodes = answer.text.match(/"node":/g)?.length ?? 0
          return { nodes, questions: questions.count, data: answer.data }
        })
        const [few, many] = [yield* asked(2), yield* asked(10)]
        assert.deepStrictEqual([few.nodes, many.nodes], [2 + 4 + 8, 10 + 100 + 1000])
        assert.deepStrictEqual([few.questions, many.questions], [5, 5])
        const [shelf] = few.data.viewer.user.shelves.edges
        assert.deepStrictEqual(shelf.node.books.edges[1].node.firstLeaf, { number: 0 })
        assert.deepStrictEqual(
          shelf.node.books.edges[1].node.leaves.edges.map(({ node }: any) => node.number),
          [0, 1],
        )
        assert.isTrue(shelf.node.books.edges[1].node.leaves.pageInfo.hasNextPage)
      }),
    )
  })

  layer(graphqlServed({ modules }), { excludeTestServices: true })((it) => {
    it.effect("shows each caller their own data, and refuses only the rest", () =>
      Effect.gen(function* () {
        const headers = yield* joined("curious@example.com")
        yield* joined("private@example.com")
        const text = "{ libraryReaders { readers { email shelves { pageInfo { hasNextPage } } } } }"
        const answer = yield* query(text, {}, { headers })
        assert.deepStrictEqual(codes(answer), ["forbidden"])
        assert.sameDeepMembers(answer.data.libraryReaders.readers, [
          { email: "curious@example.com", shelves: { pageInfo: { hasNextPage: false } } },
          { email: "private@example.com", shelves: null },
        ])
        assert.deepStrictEqual(codes(yield* query(text)), ["unauthorized", "unauthorized"])
      }),
    )

    it.effect("belongs to the user whom the previous field signed in", () =>
      Effect.gen(function* () {
        for (const name of ["first", "second"]) yield* joined(`${name}@example.com`)
        const signIn = (name: string) =>
          `${name}: signInEmail(input: { email: "${name}@example.com", password: "${password}" }) { user { shelves { pageInfo { hasNextPage } } } }`
        const answer = yield* query(`mutation { ${signIn("first")} ${signIn("second")} }`)
        assert.deepStrictEqual(codes(answer), [])
        assert.isNotNull(answer.data.second.user.shelves)
      }),
    )
  })
})
