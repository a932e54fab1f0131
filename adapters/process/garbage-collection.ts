import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Layer, Schedule } from "effect"

/**
 * Disables V8's allocation-site pretenuring, which allocates objects directly in the old generation if earlier objects of the same site
 * lived long. With it, the nodes of parsed documents and everything that they reference stay in memory longer. While a client sent distinct
 * GraphQL documents, the pauses of garbage collection then grew from 2 ms to 50 ms (`npm run bench:bystander`).
 */
export const keepPausesShort = (): void => setFlagsFromString("--no-allocation-site-pretenuring")

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect({ type: "major", flavor: "last-resort" })
}

/** Collects the garbage of the start, about 5 MB, once the service has answered its first probes. V8 would keep it until the heap has grown. */
export const afterStart = Layer.effectDiscard(Effect.forkScoped(Effect.delay(Effect.sync(collectGarbage), "2 seconds")))

/** Bytes. With a larger new space, requests take no less processor time. */
const newSpaceLimit = 32 * 2 ** 20

const limitGrowth = (): void => {
  const { space_size = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space") ?? {}
  setFlagsFromString(`--semi-space-growth-factor=${space_size < newSpaceLimit ? 2 : 1}`)
}

/**
 * Keeps the heap of the server small under load; commands are not affected. After a million reads the process has 162 MB, without this more
 * than 240 (`npm run bench:memory`).
 *
 * V8 collects its old generation after it grew by 30 %, not to a multiple of its size. Its new space, where objects are allocated first, no
 * longer doubles beyond the limit: on machines with much memory, V8 would let it grow to 128 MB and keep it. V8's own limit
 * (`--max-semi-space-size`) can only be set on the command line, which belongs to the operator; the factor by which the space grows can be
 * set at any time.
 */
export const boundHeap = Layer.effectDiscard(
  Effect.gen(function* boundHeapOfServer() {
    setFlagsFromString("--heap-growing-percent=30")
    yield* Effect.forkScoped(Effect.repeat(Effect.sync(limitGrowth), Schedule.spaced("1 second")))
  }),
)
