import { expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { waitForStore } from "../../../adapters/process/waiting.ts"
import { StoreUnavailable } from "../../../domain/ports/store.ts"

class Thing extends Context.Service<Thing, number>()("test/Thing") {}

/** A store that becomes available at this attempt. */
const appearing = (at: number) => {
  const seen = { tries: 0, lines: [] as Array<string> }
  const store = Layer.effect(
    Thing,
    Effect.suspend(() => {
      seen.tries += 1
      return seen.tries < at ? Effect.fail(new StoreUnavailable({ cause: new Error("not yet") })) : Effect.succeed(seen.tries)
    }),
  )
  const log = Logger.layer([Logger.make(({ message }) => seen.lines.push(String(message)))])
  return { seen, build: Effect.provide(Layer.build(waitForStore(store)), log) }
}

it.effect("a store that is available is used at once", () =>
  Effect.gen(function* () {
    const { seen, build } = appearing(1)
    expect(Context.get(yield* build, Thing)).toBe(1)
    expect(seen.lines).toEqual([])
  }),
)

it.effect("a store that becomes available within 30 s is used, with one line of log", () =>
  Effect.gen(function* () {
    const { seen, build } = appearing(29)
    const built = yield* Effect.forkChild(build)
    yield* TestClock.adjust("28 seconds")
    expect(Context.get(yield* Fiber.join(built), Thing)).toBe(29)
    expect(seen.lines).toEqual(["The store cannot be reached yet (not yet; store.url or DATABASE_URL names it); retrying for 30s."])
  }),
)

it.effect("a store that stays unavailable fails the start after 30 s", () =>
  Effect.gen(function* () {
    const { seen, build } = appearing(1000)
    const built = yield* Effect.forkChild(Effect.exit(build))
    yield* TestClock.adjust("29 seconds")
    expect(built.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust("3 seconds")
    expect(Exit.isFailure(yield* Fiber.join(built))).toBe(true)
    expect(seen.tries).toBeLessThanOrEqual(33)
    expect(seen.lines.length).toBe(1)
  }),
)

it.effect("other failures are not retried", () =>
  Effect.gen(function* () {
    let tries = 0
    const refused = Layer.effect(
      Thing,
      Effect.suspend(() => {
        tries += 1
        return Effect.fail("refused" as const)
      }),
    )
    expect(yield* Effect.flip(Layer.build(waitForStore(refused)))).toBe("refused")
    expect(tries).toBe(1)
  }),
)
