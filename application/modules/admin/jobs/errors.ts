import { define } from "../../../../domain/errors.ts"

export const JobNotFound = define("job_not_found", 404, "There is no such job.", {
  remedy: "Read the jobs from `GET /admin/jobs/list`. They are kept for 90 days.",
})
