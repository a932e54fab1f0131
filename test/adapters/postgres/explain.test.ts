import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { explainPostgres } from "../../explain.ts"
import { startPostgres } from "../../postgres-server.ts"

const server = Effect.acquireRelease(
  Effect.promise(() => startPostgres()),
  ({ stop }) => Effect.sync(stop),
)

describe("among thousands of users", () => {
  it.live(
    "sign-in, get-session and list-users read only rows that an index selects",
    () =>
      Effect.gen(function* () {
        const plans = yield* explainPostgres(yield* server, 4000)
        for (const part of ['FROM "user"', 'JOIN "account"', 'FROM "session"'])
          assert.isTrue(
            plans.some((plan) => plan.includes(part)),
            part,
          )
        for (const plan of plans) assert.notInclude(plan, "Seq Scan")
      }).pipe(Effect.scoped),
    60_000,
  )
})
