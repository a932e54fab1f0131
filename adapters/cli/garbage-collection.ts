import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Layer } from "effect"

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
