import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "graphql"
import { makeDocumentCache } from "../../../adapters/graphql/document-cache.ts"
import { graphqlServed, query } from "./request.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapAfterCollection = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Valid documents of some 1,900 tokens, which take nearly half a megabyte each once they are parsed. */
const large = (index: number) =>
  `query Q${index} { ...f } fragment f on Query { ${"... on Query { __typename } ".repeat(14)} ${"... @include(if: true) { ...g } ".repeat(150)} } fragment g on Query { __typename }`

const small = (index: number) => `query Q${index} { __typename }`

describe("the cache of parsed documents", () => {
  it("distinct documents of an attacker, sent once or twice, do not fill the memory", () => {
    const cache = makeDocumentCache({ maxBytes: 1_000_000, maxSeen: 100 })
    const before = heapAfterCollection()
    for (let index = 0; index < 100; index++) {
      cache.offer(large(index), parse(large(index)))
      cache.offer(large(index), parse(large(index)))
      for (let other = 0; other < 10; other++) {
        const text = small(index * 10 + other)
        cache.offer(text, parse(text))
        cache.offer(text, parse(text))
      }
      assert.isAtMost(cache.size().bytes, 1_000_000)
      assert.isAtMost(cache.size().seen, 100)
    }
    assert.isAbove(cache.size().documents, 50)
    assert.isBelow(heapAfterCollection() - before, 8_000_000)
  })

  it("does not underestimate the memory of a document", () => {
    const texts = [
      (index: number) => `{ q${index} { ${Array.from({ length: 400 }, (_, n) => `f${n}`).join(" ")} } }`,
      (index: number) => `{ q${index}(a: [${"{a:1}".repeat(200)}]) }`,
      (index: number) => `query Q${index}(${Array.from({ length: 200 }, (_, n) => `$a${n}:A`).join(" ")}) { a }`,
      (index: number) => `{ q${index} }${"\n#a".repeat(900)}`,
      (index: number) => `{ q${index}(a: """${"x\n".repeat(4500)}""") }`,
    ]
    for (const text of texts) {
      const cache = makeDocumentCache({ maxBytes: 100_000_000, maxSeen: 200 })
      const before = heapAfterCollection()
      for (let index = 0; index < 100; index++) {
        cache.offer(text(index), parse(text(index)))
        cache.offer(text(index), parse(text(index)))
      }
      assert.strictEqual(cache.size().documents, 100)
      assert.isBelow(heapAfterCollection() - before, cache.size().bytes + 1_000_000, text(0).slice(0, 60))
    }
  })

  it("keeps a document from its second use on and evicts the least recently used one", () => {
    const cache = makeDocumentCache({ maxBytes: 16_000, maxSeen: 2 })
    const use = (index: number) => {
      const known = cache.get(small(index)) !== undefined
      if (!known) cache.offer(small(index), parse(small(index)))
      return known
    }
    assert.deepStrictEqual([1, 1, 1].map(use), [false, false, true])
    assert.deepStrictEqual([2, 3, 4, 2].map(use), [false, false, false, false])
    assert.deepStrictEqual(cache.size().documents, 1)
  })
})

describe("GraphQL", () => {
  layer(graphqlServed(), { excludeTestServices: true })((it) => {
    it.effect("keeps its memory when a client sends a new document with each request", () =>
      Effect.gen(function* () {
        const send = (from: number, count: number) =>
          Effect.forEach(
            Array.from({ length: count }, (_, index) => from + index),
            (index) => Effect.andThen(query(large(index)), query(large(index))),
          )
        const [first] = yield* send(0, 5)
        assert.deepStrictEqual(first?.errors, [])
        const before = heapAfterCollection()
        yield* send(5, 50)
        assert.isBelow(heapAfterCollection() - before, 10_000_000)
      }),
    )
  })
})
