import type { AdminSettings } from "../administrators.ts"
import { jobEndpoints } from "./endpoints.ts"
import { jobEvents } from "./events.ts"
import { type AnyOperation, operations } from "./operations.ts"
import { JobFailures, JobQueues, Jobs, JobTargets } from "./tables.ts"
import { work } from "./worker.ts"

/** What jobs add to the module `admin`. */
const partsOf = (settings: AdminSettings, others: ReadonlyArray<AnyOperation>) => {
  const started = operations(settings)
  const all = [...started, ...others]
  return {
    tables: [Jobs, JobTargets, JobFailures, JobQueues],
    endpoints: jobEndpoints(started, all),
    rowEvents: jobEvents,
    background: [{ every: 1000, run: work(all) }],
  }
}
type JobParts = ReturnType<typeof partsOf>

const noParts = { tables: [], endpoints: [], rowEvents: [], background: [] }

/**
 * Operations on many users, which run in the background; nothing unless they are on. The endpoints have their types in any case. `others`:
 * operations that other endpoints start.
 */
export const jobParts = (settings: AdminSettings, others: ReadonlyArray<AnyOperation>) =>
  settings.jobs === true ? partsOf(settings, others) : (noParts as unknown as JobParts)
