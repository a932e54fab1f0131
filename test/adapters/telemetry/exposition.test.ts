import { expect, it } from "vitest"
import { makeExemplars, openMetrics } from "../../../adapters/telemetry/exposition.ts"

const text = `# HELP jobs_total Jobs, "all" of them.
# TYPE jobs_total counter
jobs_total{kind="a"} 3
# HELP size Size.
# TYPE size gauge
size 1
# TYPE took_seconds histogram
took_seconds_bucket{route="/a",le="0.1"} 0
took_seconds_bucket{route="/a",le="1"} 1
took_seconds_bucket{route="/a",le="+Inf"} 2
took_seconds_sum{route="/a"} 2.5
took_seconds_count{route="/a"} 2
`

it("names counters without their suffix, and adds exemplars to the buckets that they belong to", () => {
  const exemplars = makeExemplars([0.1, 1])
  exemplars.keep({ route: "/a" }, { traceId: "older", seconds: 0.2, at: 0 })
  exemplars.keep({ route: "/a" }, { traceId: "newer", seconds: 1, at: 1500 })
  exemplars.keep({ route: "/a" }, { traceId: "slow", seconds: 1.5, at: 2000 })
  exemplars.keep({ route: "/b" }, { traceId: "other", seconds: 0.05, at: 0 })
  expect(openMetrics(text, "took_seconds", exemplars)).toBe(`# HELP jobs Jobs, \\"all\\" of them.
# TYPE jobs counter
jobs_total{kind="a"} 3
# HELP size Size.
# TYPE size gauge
size 1
# TYPE took_seconds histogram
took_seconds_bucket{route="/a",le="0.1"} 0
took_seconds_bucket{route="/a",le="1"} 1 # {trace_id="newer"} 1 1.5
took_seconds_bucket{route="/a",le="+Inf"} 2 # {trace_id="slow"} 1.5 2
took_seconds_sum{route="/a"} 2.5
took_seconds_count{route="/a"} 2
# EOF
`)
})
