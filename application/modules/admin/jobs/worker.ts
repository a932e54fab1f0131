import { Effect } from "effect"
import { newId } from "../../../../domain/storage/new-id.ts"
import { batch } from "./batch.ts"
import type { AnyOperation } from "./operations.ts"
import { heldBy } from "./queue.ts"

/** Runs the jobs that wait until none is left for this process: a batch of each, then again, so that a long job delays no other. */
export const work = (all: ReadonlyArray<AnyOperation>) =>
  Effect.gen(function* workOnJobs() {
    const holder = yield* newId
    while (true) {
      const ids = yield* heldBy(holder)
      if (ids.length === 0) return
      yield* Effect.forEach(ids, (id) => batch(all, id, holder), { concurrency: "unbounded", discard: true })
    }
  })
