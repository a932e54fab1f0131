import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { eventStream, type ServerSentEvent } from "../../../adapters/http/event-stream.ts"

/** A response with the events of a queue, and its text so far. */
const started = Effect.gen(function* () {
  const events = yield* Queue.unbounded<ServerSentEvent, import("effect").Cause.Done>()
  const closing = yield* Deferred.make<void>()
  const { body } = eventStream(Stream.fromQueue(events), Deferred.await(closing))
  if (body._tag !== "Stream") return yield* Effect.die(new Error("no stream"))
  let text = ""
  const fiber = yield* body.stream.pipe(
    Stream.decodeText,
    Stream.runForEach((part) => Effect.sync(() => (text += part))),
    Effect.forkChild,
  )
  /** The text that was added since the last call. */
  const more = Effect.gen(function* () {
    yield* TestClock.adjust(0)
    for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
    const added = text
    text = ""
    return added
  })
  return { events, closing, fiber, more }
})

const next: ServerSentEvent = { id: "7", event: "next", data: "{}" }

it.effect("begins with a comment, so that headers are sent at once, and repeats it every 15 seconds", () =>
  Effect.gen(function* () {
    const { events, more } = yield* started
    assert.strictEqual(yield* more, ":\n\n")
    yield* TestClock.adjust("14999 millis")
    assert.strictEqual(yield* more, "")
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* more, ":\n\n")
    yield* Queue.offer(events, next)
    assert.strictEqual(yield* more, "id: 7\nevent: next\ndata: {}\n\n")
  }),
)

it.effect("ends after `complete` without a retry", () =>
  Effect.gen(function* () {
    const { events, fiber, more } = yield* started
    yield* Queue.offer(events, { event: "complete", data: "" })
    yield* Queue.end(events)
    yield* Fiber.join(fiber)
    assert.strictEqual(yield* more, ":\n\nevent: complete\ndata: \n\n")
  }),
)

it.effect("ends with a retry of one to five seconds when the service stops, or the events end", () =>
  Effect.gen(function* () {
    const [drained, ended] = [yield* started, yield* started]
    assert.deepStrictEqual([yield* drained.more, yield* ended.more], [":\n\n", ":\n\n"])
    yield* Deferred.succeed(drained.closing, undefined)
    yield* Queue.end(ended.events)
    for (const { fiber, more } of [drained, ended]) {
      yield* Fiber.join(fiber)
      const [, millis] = /^retry: (\d+)\n\n$/.exec(yield* more) ?? []
      assert.isAtLeast(Number(millis), 1000)
      assert.isAtMost(Number(millis), 5000)
    }
  }),
)
