import type { RequestListener } from "node:http"
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Jose from "../../../adapters/crypto/jose.ts"
import * as TextHashes from "../../../adapters/crypto/text-hashes.ts"
import * as NoMail from "../../../adapters/mail/none.ts"
import * as Webhook from "../../../adapters/sms/webhook.ts"
import * as Outbox from "../../../domain/mail/outbox.ts"
import { DeadLetters, PendingMessages, tables } from "../../../domain/mail/outbox-tables.ts"
import { SmsSender } from "../../../domain/ports/sms-sender.ts"
import { Store } from "../../../domain/ports/store.ts"
import * as Keys from "../../../domain/tokens/keys.ts"
import { storeLayer } from "../../stores.ts"
import { always, gateway, senderOf, sms, until } from "./server.ts"

const keys = Keys.layer([Redacted.make("a secret that is long enough for a test")]).pipe(
  Layer.provide(Jose.layer),
  Layer.provideMerge(Layer.merge(NodeCrypto.layer, TextHashes.layer)),
)
const secret = Redacted.make(`whsec_${Buffer.alloc(32).toString("base64")}`)

/** An outbox with real connections to the gateway at this port. */
const outboxTo = Effect.fnUntraced(function* (port: number) {
  const sender = yield* senderOf(Webhook.layer({ url: Redacted.make(`http://127.0.0.1:${port}`), secret, headers: {} }))
  const store = Context.get(yield* Layer.build(storeLayer(tables)), Store)
  const built = yield* Layer.build(
    Layer.fresh(Outbox.layer).pipe(Layer.provide([Layer.succeed(Store, store), Layer.succeed(SmsSender, sender), NoMail.layer, keys])),
  )
  const { drain, sms: write } = Context.get(built, Outbox.Outbox)
  const queue = Effect.gen(function* () {
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 5 })
    yield* store.commit([yield* write({ to: sms.to, text: sms.text, expiresAt })])
  })
  const left = Effect.gen(function* () {
    const pending = yield* store.list(PendingMessages, {}, { limit: 10 })
    const dead = yield* store.list(DeadLetters, {}, { limit: 10 })
    return { pending: pending.length, dead: dead.map(({ reason }) => reason) }
  })
  return { drain, queue, left }
})

/** Answers the first requests with this status, and later ones with 200. */
const atFirst = (times: number, status: number): RequestListener => {
  let count = 0
  return (request, response) => always(++count <= times ? status : 200)(request, response)
}

const nothing = { pending: 0, dead: [] }

describe("a short message in the outbox", () => {
  it.effect.each([503, 429])("arrives, under one id, after the gateway refused it twice with %i", (status) =>
    Effect.gen(function* () {
      const { port, requests } = yield* gateway(atFirst(2, status))
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      yield* drain
      yield* TestClock.adjust("5 seconds")
      yield* drain
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })
      yield* TestClock.adjust("10 seconds")
      yield* drain
      assert.deepStrictEqual(yield* left, nothing)
      assert.lengthOf(requests, 3)
      assert.strictEqual(new Set(requests.map(({ headers }) => headers["webhook-id"])).size, 1)
      assert.deepStrictEqual(JSON.parse(requests[2]?.body ?? ""), { to: sms.to, body: sms.text })
    }),
  )

  it.effect("that the gateway refuses is given up, and the reason does not contain the recipient", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* gateway(always(400, `no such number: ${sms.to}`))
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      yield* drain
      yield* TestClock.adjust("1 minute")
      yield* drain
      assert.lengthOf(requests, 1)
      assert.deepStrictEqual(yield* left, { pending: 0, dead: ["the gateway answered 400"] })
    }),
  )

  it.effect("waits for an unreachable gateway, but not longer than its code is valid", () =>
    Effect.gen(function* () {
      const away = yield* Effect.scoped(Effect.map(gateway(), ({ port }) => port))
      const { drain, queue, left } = yield* outboxTo(away)
      yield* queue
      yield* drain
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })
      yield* TestClock.adjust("299 seconds")
      yield* drain
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })

      const { requests } = yield* gateway(undefined, away)
      yield* TestClock.adjust("5 minutes")
      yield* drain
      assert.lengthOf(requests, 0)
      assert.deepStrictEqual(yield* left, nothing)
    }),
  )

  it.effect("is interrupted when the gateway does not answer for half a minute", () =>
    Effect.gen(function* () {
      const { port, requests, broken } = yield* gateway(() => undefined)
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      const draining = yield* Effect.forkChild(drain)
      yield* until(() => requests.length === 1)
      yield* TestClock.adjust("29 seconds")
      assert.lengthOf(broken, 0)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(draining)
      yield* until(() => broken.length === 1)
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })
    }),
  )
})
