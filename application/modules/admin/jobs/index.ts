import type { AdminSettings } from "../administrators.ts"
import { partsIf } from "../optional-parts.ts"
import { jobEndpoints } from "./endpoints.ts"
import { jobEvents } from "./events.ts"
import { type AnyOperation, operations } from "./operations.ts"
import { jobProgress } from "./streams.ts"
import { JobFailures, JobQueues, Jobs, JobTargets } from "./tables.ts"
import { work } from "./worker.ts"

/** Operations on many users, which run in the background. `others`: operations that other endpoints start. */
export const jobParts = (settings: AdminSettings, others: ReadonlyArray<AnyOperation>) => {
  const started = operations(settings)
  const all = [...started, ...others]
  return partsIf(settings.jobs, {
    tables: [Jobs, JobTargets, JobFailures, JobQueues],
    endpoints: jobEndpoints(started, all),
    rowEvents: jobEvents,
    streams: [jobProgress],
    background: [{ every: 1000, run: work(all) }],
  })
}
