// A process that only allocates, for four seconds. It prints the size of V8's new space in bytes.

import { getHeapSpaceStatistics } from "node:v8"
import { Effect, Layer } from "effect"
import { boundHeap } from "../../../adapters/process/garbage-collection.ts"

Effect.runFork(Layer.launch(boundHeap))
const kept: Array<unknown> = []
const end = Date.now() + 4_000

/** The last 20,000 objects are in use, so that each collection finds some to keep. */
const allocate = () => {
  for (let at = 0; at < 20_000; at++) kept[at] = { at, numbers: [at, at + 1] }
  if (Date.now() < end) return void setImmediate(allocate)
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size)
  process.exit()
}
allocate()
