import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { SiweNonces, siwe } from "../../../application/modules/siwe/index.ts"
import { Store } from "../../../domain/ports/store.ts"
import { core, rows, times } from "../../world.ts"
import { ask, get, served } from "./served.ts"

const module = siwe.build(Schema.decodeUnknownSync(siwe.settings)({}))
const perMinute = 20
const settings = { rate_limit: { requests: { limit: perMinute, window: 60 } }, trusted_proxies: ["127.0.0.0/8"] }

/** Nonces live for ten minutes, and the sweeper runs once a minute. */
const most = perMinute * 11

/** One run of the sweeper. */
const swept = Effect.gen(function* () {
  yield* (yield* Store).sweep(DateTime.toDateUtc(yield* DateTime.now), 1000)
})

const document = `{ ${times(15, (index) => `a${index}: siweNonce { nonce }`).join(" ")} }`
const attacks = {
  REST: (headers: object) => get("/siwe/nonce", { headers: { ...headers } }),
  "GraphQL with aliases": (headers: object) =>
    ask("POST", "/graphql", { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify({ query: document }) }),
}

describe("an attacker who requests nonces without end", () => {
  for (const [shell, attack] of Object.entries(attacks)) {
    layer(served({ modules: [...core, module], settings, graphql: {} }))((it) => {
      it.effect(`over ${shell} leaves no more rows than the request budget allows in their lifetime`, () =>
        Effect.gen(function* () {
          for (const _ of times(15, String)) {
            yield* Effect.all(
              times(perMinute + 10, () => attack({ "x-forwarded-for": "203.0.113.1" })),
              { concurrency: 10 },
            )
            yield* TestClock.adjust("1 minute")
            yield* swept
          }
          const left = (yield* rows(SiweNonces)).length
          assert.isAtMost(left, most)
          assert.isAtLeast(left, perMinute)
          yield* TestClock.adjust("11 minutes")
          yield* swept
          assert.lengthOf(yield* rows(SiweNonces), 0)
        }),
      )
    })
  }
})
