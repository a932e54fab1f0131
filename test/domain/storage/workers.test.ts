import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { makeWorkers } from "../../../domain/storage/workers.ts"

it.effect("a row that is added while its receiver is being listed is tried in the same round", () =>
  Effect.gen(function* () {
    const { start, settled } = makeWorkers()
    const [began, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const waiting = ["first"]
    const tried: Array<string> = []
    const receiver = {
      id: "mail",
      due: Effect.sync(() => waiting.splice(0).map((row) => [row])),
      lease: (row: string) => Effect.succeed(row),
      attempt: (row: string) =>
        Effect.gen(function* () {
          tried.push(row)
          if (row === "first") yield* Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(goOn))
          return true
        }),
      // One attempt at a time: the list is not done before the attempt.
      isFailing: () => true,
    }
    yield* start([receiver])
    yield* Deferred.await(began)
    waiting.push("second")
    yield* start([receiver])
    yield* Deferred.succeed(goOn, undefined)
    yield* settled
    assert.deepStrictEqual(tried, ["first", "second"])
  }),
)
