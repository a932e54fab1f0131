import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import type { ExecutionResult, ValidationRule } from "graphql"
import { GraphQLError } from "graphql"
import type { Plugin } from "graphql-yoga"
import * as Settings from "../../../adapters/graphql/settings.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { core } from "../../world.ts"
import { ask, Logged, post } from "../http/served.ts"
import { codes, graphqlServed, joined, query } from "./request.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const stream = { accept: "text/event-stream", "content-type": "application/json" }
const viewer = "query Who { viewer { user { email } } }"

const codesOf = ({ errors = [] }: ExecutionResult) => errors.map(({ extensions }) => extensions["code"])

/** The hooks that have run, in their order, with what they saw. */
const seen: Array<readonly [hook: string, ...saw: ReadonlyArray<unknown>]> = []

const observer: Plugin = {
  onParams: ({ params }) => void seen.push(["onParams", params.operationName]),
  onParse: ({ params }) => {
    seen.push(["onParse", params.source])
    return ({ result }) => void seen.push(["parsed", (result as { readonly kind: string }).kind])
  },
  onValidate: () => {
    seen.push(["onValidate"])
    return ({ valid }) => void seen.push(["validated", valid])
  },
  onContextBuilding: () => void seen.push(["onContextBuilding"]),
  onExecute: ({ args }) => {
    seen.push(["onExecute", args.operationName])
    return { onExecuteDone: ({ result }) => void seen.push(["executed", codesOf(result as ExecutionResult)]) }
  },
  onSubscribe: () => {
    seen.push(["onSubscribe"])
    return {
      onSubscribeResult: ({ result }) => {
        seen.push(["subscribed", Symbol.asyncIterator in result])
        return { onNext: ({ result }) => void seen.push(["next", result.data]) }
      },
    }
  },
  onExecutionResult: () => void seen.push(["onExecutionResult"]),
  onResultProcess: ({ request, result }) => void seen.push(["onResultProcess", request.headers.get("accept"), Object.keys(result)]),
}

describe("a plugin of the configuration", () => {
  layer(graphqlServed({ modules: [...core, log], background: true, graphql: { plugins: [observer] } }), { excludeTestServices: true })(
    (it) => {
      it.effect("sees each phase of a query, also when its document is in the cache", () =>
        Effect.gen(function* () {
          const headers = yield* joined("ada@example.com")
          for (let time = 0; time < 3; time++) {
            seen.length = 0
            const answer = yield* query(viewer, {}, { headers })
            assert.deepStrictEqual(answer.data, { viewer: { user: { email: "ada@example.com" } } })
            assert.deepStrictEqual(seen, [
              ["onParams", undefined],
              ["onParse", viewer],
              ["parsed", "Document"],
              ["onValidate"],
              ["validated", true],
              ["onContextBuilding"],
              ["onExecute", undefined],
              ["executed", []],
              ["onExecutionResult"],
              ["onResultProcess", "application/graphql-response+json", ["data"]],
            ])
          }
        }),
      )

      it.effect("sees the errors of fields", () =>
        Effect.gen(function* () {
          seen.length = 0
          assert.deepStrictEqual(codes(yield* query("{ listSessions { sessions { id } } }")), ["unauthorized"])
          assert.deepStrictEqual(seen.slice(-3), [
            ["executed", ["unauthorized"]],
            ["onExecutionResult"],
            ["onResultProcess", "application/graphql-response+json", ["errors", "data"]],
          ])
        }),
      )

      it.effect("sees a refused document only as a result: the limits come first", () =>
        Effect.gen(function* () {
          seen.length = 0
          assert.deepStrictEqual(codes(yield* query("{ nope }")), ["invalid_request"])
          assert.deepStrictEqual(
            seen.map(([hook]) => hook),
            ["onParams", "onExecutionResult", "onResultProcess"],
          )
        }),
      )

      it.effect("sees a subscription that is refused, and one with its events", () =>
        Effect.gen(function* () {
          const subscribed = (headers: object) =>
            ask("POST", "/graphql", {
              headers: { ...stream, ...headers },
              body: JSON.stringify({ query: "subscription { sessionEvents { type } }" }),
            })
          seen.length = 0
          assert.strictEqual((yield* subscribed({})).status, 401)
          assert.deepStrictEqual(seen.slice(-4), [
            ["onSubscribe"],
            ["subscribed", false],
            ["onExecutionResult"],
            ["onResultProcess", stream.accept, ["errors"]],
          ])

          const headers = yield* joined("eve@example.com")
          const reading = yield* Effect.forkChild(subscribed(headers))
          while (!seen.some(([hook, isOpen]) => hook === "subscribed" && isOpen === true)) yield* Effect.sleep(20)
          yield* post("/revoke-sessions", {}, { headers })
          assert.include((yield* Fiber.join(reading)).text, "event: complete")
          assert.deepInclude(seen, ["next", { sessionEvents: { type: "SESSION_REVOKED" } }])
        }),
      )
    },
  )

  const noSessions: ValidationRule = (context) => ({
    Field: (node) => {
      if (node.name.value === "session") context.reportError(new GraphQLError('The field "session" is off.', { nodes: node }))
    },
  })
  const ruled: Plugin = { onValidate: ({ addValidationRule }) => addValidationRule(noSessions) }
  layer(graphqlServed({ graphql: { plugins: [ruled] } }), { excludeTestServices: true })((it) => {
    it.effect("can add a validation rule, which applies to documents in the cache too", () =>
      Effect.gen(function* () {
        for (let time = 0; time < 3; time++) {
          const answer = yield* query("{ viewer { session { id } } }")
          assert.deepStrictEqual([answer.status, codes(answer), answer.data], [400, ["invalid_request"], undefined])
          assert.strictEqual((yield* query(viewer)).status, 200)
        }
      }),
    )
  })

  const other: Plugin = {
    onParse: ({ setParsedDocument }) => setParsedDocument({ kind: "Document", definitions: [] } as never),
    onExecutionResult: ({ result, setResult }) => {
      if (result !== undefined && "data" in result) setResult({ ...result, extensions: { cost: 1 } })
    },
  }
  layer(graphqlServed({ graphql: { plugins: [other] } }), { excludeTestServices: true })((it) => {
    it.effect("can extend a result, and cannot replace the document that has passed the limits", () =>
      Effect.gen(function* () {
        const answer = yield* query("{ viewer { user { id } } }")
        assert.deepStrictEqual(JSON.parse(answer.text), { data: { viewer: null }, extensions: { cost: 1 } })
      }),
    )
  })

  const failing: Plugin = {
    onExecute: () => {
      throw new Error("the secret of a plugin")
    },
  }
  layer(graphqlServed({ graphql: { plugins: [failing] } }), { excludeTestServices: true })((it) => {
    it.effect("that fails is logged, and does not reveal why", () =>
      Effect.gen(function* () {
        const answer = yield* query(viewer)
        assert.deepStrictEqual([answer.status, codes(answer)], [500, ["internal_error"]])
        assert.notInclude(answer.text, "secret")
        assert.isNotEmpty((yield* Logged).filter((line) => line.includes("the secret of a plugin")))
      }),
    )
  })

  it.effect("is an object with hooks that run", () =>
    Effect.gen(function* () {
      const unused = ["onRequest", "onResponse", "onRequestParse"].map((hook) => ({ ...observer, [hook]: () => {} }))
      for (const wrong of ["tracing", {}, ...unused])
        assert.include(String(yield* Effect.flip(Settings.decode({ plugins: [observer, wrong] }))), "a plugin of graphql-yoga or envelop")
    }),
  )
})
