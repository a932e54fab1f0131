import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import { Counters } from "../../../domain/limits/rate-limits.ts"
import { Outbox } from "../../../domain/mail/outbox.ts"
import { PendingMessages, tables } from "../../../domain/mail/outbox-tables.ts"
import * as OutboxWake from "../../../domain/mail/outbox-wake.ts"
import { insert, put, Store } from "../../../domain/ports/store.ts"

const message = Effect.map(DateTime.now, (now) =>
  insert(PendingMessages, {
    id: "letter",
    sealed: "",
    receiver: "mail",
    attempts: 0,
    created_at: now,
    due_at: now,
    give_up_at: now,
    reason: null,
  }),
)
const other = Effect.map(DateTime.now, (now) => put(Counters, { key: "k", count: 1, since: now, expires_at: now }))

it.effect("the worker wakes after a commit with a message, and only then", () => {
  const woken: Array<number> = []
  const world = OutboxWake.layer.pipe(
    Layer.provide(
      Layer.effect(
        Outbox,
        Effect.map(Store, (store) => ({
          mail: () => Effect.die("unused"),
          sms: () => Effect.die("unused"),
          post: () => Effect.die("unused"),
          nudge: Effect.map(store.list(PendingMessages, {}, { limit: 10 }), (rows) => void woken.push(rows.length)),
          drain: Effect.void,
          work: Effect.never,
        })),
      ),
    ),
    Layer.provide(StoreMemory.layer([...tables, Counters])),
  )
  return Effect.gen(function* () {
    const store = yield* Store
    yield* store.commit([yield* other])
    expect(woken).toEqual([])
    yield* store.commit([yield* other, yield* message])
    expect(woken).toEqual([1])
    expect(yield* Effect.flip(store.commit([yield* message]))).toMatchObject({ _tag: "Taken" })
    expect(woken).toEqual([1])
  }).pipe(Effect.provide(world))
})
