import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { enableWebhook } from "../../../adapters/cli/events.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { events } from "../../../application/modules/events/index.ts"
import { States } from "../../../application/modules/events/tables.ts"
import { optional } from "../../../application/modules/index.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { core, world } from "../../world.ts"
import { printed, refused } from "./printed.ts"

const modules = [...core, events.build(Schema.decodeUnknownSync(events.settings)({}))]
const configuration = configurationOf({ secret: "a secret for these tests only, 32+ bytes", modules: { events: {} } }, optional).pipe(
  Effect.orDie,
)

describe("events enable", () => {
  it.effect("enables a disabled webhook, and refuses other ids with exit code 1", () =>
    Effect.gen(function* () {
      const settings = yield* configuration
      const now = yield* DateTime.now
      const state = { id: "gone", failing_since: now, disabled_at: now, reason: "status 410" }
      yield* Effect.orDie((yield* Store).commit([insert(States, state)]))
      const enable = (webhook: string) => enableWebhook({ webhook, json: false }, settings)
      assert.deepStrictEqual(yield* refused(enable("nosuch")), [1, "No webhook with the id nosuch is disabled."])
      assert.deepStrictEqual(yield* printed(enable("gone")), ["Webhook gone is enabled."])
      assert.deepStrictEqual(yield* refused(enable("gone")), [1, "No webhook with the id gone is disabled."])
    }).pipe(Effect.provide(world(modules))),
  )
})
