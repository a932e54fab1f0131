import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { open, seal } from "../../../domain/tokens/token-sealed.ts"

const [token, other] = ["a".repeat(43), "b".repeat(43)]

describe("text that is sealed for the bearer of a token", () => {
  layer(NodeCrypto.layer)((it) => {
    it.effect("is opened with the same token and context only", () =>
      Effect.gen(function* () {
        const sealed = yield* seal(token, "context", "text \u{1f600}")
        assert.deepStrictEqual(yield* open(token, "context", sealed), Option.some("text \u{1f600}"))
        for (const [by, context, text] of [
          [other, "context", sealed],
          [token, "another", sealed],
          [token, "context", `${sealed}A`],
          [token, "context", sealed.replace(/^./, (first) => (first === "A" ? "B" : "A"))],
          [token, "context", ""],
          [token, "context", "not base64url!"],
        ] as const) {
          assert.isTrue(Option.isNone(yield* open(by, context, text)))
        }
        assert.notStrictEqual(yield* seal(token, "context", "text"), yield* seal(token, "context", "text"))
      }),
    )
  })
})
