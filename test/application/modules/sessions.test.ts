import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { browser, endpoints, signedUp, world } from "../../world.ts"

describe("sessions", () => {
  it.effect("signs up, reads the session, signs out", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp("Ada@Example.com")
      const found = yield* ada.body(endpoints.getSession)
      assert.strictEqual(found.user?.email, "ada@example.com")
      yield* TestClock.adjust("6 days")
      assert.isNotNull((yield* ada.body(endpoints.getSession)).session)
      yield* ada.body(endpoints.signOut)
      assert.deepStrictEqual(yield* browser().body(endpoints.getSession), { session: null, user: null })
    }).pipe(Effect.provide(world())))
})
