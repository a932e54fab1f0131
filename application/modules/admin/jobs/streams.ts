import { Schema } from "effect"
import * as EventStream from "../../../service/streams/event-stream.ts"
import { JobNotFound } from "./errors.ts"
import { ShownJob, shownJob } from "./shown.ts"
import { Jobs } from "./tables.ts"

export const jobProgress = EventStream.ofRow({
  name: "jobProgress",
  summary: "A job as it advances, until it has ended. For administrators.",
  table: Jobs,
  input: Schema.Struct({ job_id: Schema.String }),
  output: ShownJob,
  permission: "jobs:read",
  keyOf: ({ job_id }) => job_id,
  absent: () => new JobNotFound(),
  show: shownJob,
  hasEnded: ({ finished_at }) => finished_at !== null,
})
