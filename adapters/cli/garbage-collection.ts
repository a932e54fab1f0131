import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Layer, Schedule } from "effect"

/**
 * Sets flags of V8 for the whole process.
 *
 * No allocation-site pretenuring: it allocates objects directly in the old generation if earlier objects of the same site lived long. The
 * nodes of parsed documents and everything that they reference then stay in memory longer. While a client sent distinct GraphQL documents,
 * the pauses of garbage collection grew from 2 ms to 50 ms (`npm run bench:bystander`).
 *
 * The old generation grows by 30 % before it is collected, not to a multiple of its size: after a million requests the process had 162 MB
 * instead of 218 (`npm run bench:memory`).
 */
export const tuneGarbageCollection = (): void => {
  setFlagsFromString("--no-allocation-site-pretenuring")
  setFlagsFromString("--heap-growing-percent=30")
}

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
 * Keeps V8's new space, where objects are allocated first, from doubling beyond its limit. On machines with much memory, V8 would let it
 * grow to 128 MB under load, and keep it. V8's own limit (`--max-semi-space-size`) can only be set on the command line, which belongs to
 * the operator; the factor by which the space grows can be set at any time.
 */
export const boundNewSpace = Layer.effectDiscard(Effect.forkScoped(Effect.repeat(Effect.sync(limitGrowth), Schedule.spaced("1 second"))))
