import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { auditServer } from "graphql-http"
import { port } from "../http/served.ts"
import { graphqlServed } from "./request.ts"

/** Optional parts of GraphQL over HTTP that this service does not support, because it accepts only POST. */
const left = [
  "MAY accept application/x-www-form-urlencoded formatted GET requests",
  "MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json",
  "MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json",
]

describe("GraphQL over HTTP, audited by graphql-http", () => {
  layer(graphqlServed(), { excludeTestServices: true })((it) => {
    it.effect("passes every required and every recommended check", () =>
      Effect.gen(function* () {
        const url = `http://127.0.0.1:${yield* port}/graphql`
        const results = yield* Effect.promise(() => auditServer({ url }))
        const of = (level: string) => results.filter(({ name }) => name.startsWith(`${level} `))
        for (const [level, atLeast] of Object.entries({ MUST: 13, SHOULD: 23, MAY: 25 })) assert.isAtLeast(of(level).length, atLeast, level)
        const failed = (level: string) => of(level).flatMap((audit) => (audit.status === "ok" ? [] : [`${audit.name}: ${audit.reason}`]))
        assert.deepStrictEqual([failed("MUST"), failed("SHOULD")], [[], []])
        assert.sameMembers(
          of("MAY").flatMap(({ name, status }) => (status === "ok" ? [] : [name])),
          left,
        )
      }),
    )
  })
})
