import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { explainMongo } from "../../explain.ts"
import { freshMongoUrl } from "../../stores.ts"

describe("among thousands of users", () => {
  it.live(
    "sign-in, get-session and list-users read only documents that an index selects",
    () =>
      Effect.gen(function* () {
        const commands = yield* explainMongo(yield* freshMongoUrl, 4000)
        assert.includeMembers(
          commands.map(({ command }) => command),
          ["aggregate user", "update user", "aggregate session"],
        )
        for (const { command, documents, stages } of commands) {
          assert.notInclude(stages, "COLLSCAN", command)
          assert.notInclude(stages, "NestedLoopJoin", command)
          assert.isAtMost(documents, 2, command)
        }
      }).pipe(Effect.scoped),
    60_000,
  )
})
