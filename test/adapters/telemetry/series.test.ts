import { Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { expect, it } from "vitest"
import { observationOf } from "../../../adapters/assembly/telemetry.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { algorithms, codesOf, collections, type Instruments, verbs } from "../../../adapters/telemetry/instruments.ts"
import * as Auth from "../../../application/service/auth.ts"
import { signInOutcomes } from "../../../application/service/outcomes.ts"
import * as Outbox from "../../../domain/mail/outbox-tables.ts"
import { modules } from "../../everything.ts"

const auth = Auth.make(modules)
const tables = [...auth.tables, ...Outbox.tables]
const endpoints = Object.values(auth.endpoints)
const raw = { secret: "a secret for these tests only, 32+ bytes", store: { kind: "memory" }, telemetry: { metrics: {} } }
const { rate_limit } = (await Effect.runPromise(configurationOf(raw, []))).settings
const budgets = Object.entries(rate_limit).flatMap(([name, value]) => (typeof value === "object" ? [name] : []))

/** Every series that the service with all modules can have. */
const allSeries = ({
  request,
  operation,
  signIn,
  store,
  conflict,
  hash,
  limiterRefusal,
  limiterFault,
  outboxAttempt,
  webhookAttempt,
  eventLoop,
  collection,
  exemplars: _,
  fromStart,
  outbox,
  removals,
  ...rest
}: Instruments) => [
  ...endpoints.flatMap(({ method, path }) => [200, 400, 500].map((status) => request(`/api/auth${path}`, method, status))),
  ...["/graphql", "/api/auth/openapi.json", "/api/auth/docs", "unmatched"].map((route) => request(route, "GET", 404)),
  ...endpoints.flatMap((endpoint) => codesOf(endpoint).flatMap((code) => operation(endpoint.name, code) ?? [])),
  ...modules.flatMap(({ name }) => signInOutcomes.map((outcome) => signIn(name, outcome))),
  ...verbs.map(store),
  ...tables.map(({ name }) => conflict(name)),
  ...algorithms.map(hash),
  ...collections.map(collection),
  ...budgets.flatMap((budget) => [limiterRefusal(budget), limiterFault(budget)]),
  ...["delivered", "failed", "refused"].map(outboxAttempt),
  ...["delivered", "failed"].map(webhookAttempt),
  ...fromStart,
  ...modules.flatMap(({ gauges }) => gauges.map(({ name }) => Metric.gauge(name))),
  ...eventLoop,
  ...outbox.flatMap(({ pending, oldest, dead }) => [pending, oldest, dead]),
  ...Object.values(removals),
  ...Object.values(rest),
]

const lines = async (update: (instruments: Instruments) => ReadonlyArray<Metric.Metric<number, unknown>>, value = 1) => {
  const configuration = await Effect.runPromise(configurationOf(raw, []))
  const { instruments } = observationOf(auth, modules, tables, configuration)
  const formatted = Effect.gen(function* () {
    if (instruments === undefined) return ""
    for (const metric of update(instruments)) yield* Metric.update(metric, value)
    return yield* PrometheusMetrics.format()
  })
  const text = await Effect.runPromise(Effect.provideService(formatted, Metric.MetricRegistry, new Map()))
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
}

it("has at most 9,000 series when every endpoint of all modules has succeeded, refused and failed", async () => {
  const series = await lines(allSeries)
  expect(new Set(series.map((line) => line.replace(/ \S+$/, ""))).size).toBe(series.length)
  expect(series.length).toBeGreaterThan(1_500)
  expect(series.length).toBeLessThanOrEqual(9_000)
})

it("reports counters that alerts watch as 0 from the start", async () => {
  const series = await lines(({ fromStart }) => fromStart, 0)
  for (const line of [
    'sallyport_limiter_faults_total{budget="sign_in"} 0',
    'sallyport_limiter_refusals_total{budget="requests"} 0',
    'sallyport_outbox_attempts_total{outcome="refused"} 0',
    'sallyport_webhook_attempts_total{outcome="failed"} 0',
    'sallyport_sign_ins_total{method="email_password",outcome="failed"} 0',
    'sallyport_shed_total{workload="list"} 0',
    "sallyport_trace_export_faults_total 0",
  ])
    expect(series).toContain(line)
})

it("adds no series for values outside of the closed sets", async () => {
  const stray = await lines(({ request, operation, signIn, store, conflict, limiterRefusal }) => [
    request("/api/auth/users/ada@example.com", "GET", 200),
    request("unmatched", "ADA@EXAMPLE.COM", 999),
    signIn("ada@example.com", "failed"),
    store("ada@example.com"),
    conflict("ada@example.com"),
    limiterRefusal("ada@example.com"),
    ...[operation("ada@example.com", "ok") ?? []].flat(),
    ...[operation("signInEmail", "ada@example.com") ?? []].flat(),
  ])
  expect(stray.length).toBeGreaterThan(0)
  expect(stray.join("\n").toLowerCase()).not.toContain("ada@example.com")
})

it("is off without the key", async () => {
  const configuration = await Effect.runPromise(configurationOf({ ...raw, telemetry: {} }, []))
  expect(observationOf(auth, modules, tables, configuration)).toEqual({ instruments: undefined, traces: false, database: "other" })
})
