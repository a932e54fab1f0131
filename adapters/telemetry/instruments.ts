import { Metric } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { type SignInOutcome, signInOutcomes } from "../../application/service/outcomes.ts"
import { shedCounters } from "../../application/service/shedding.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { manifest } from "../manifest.ts"
import { makeExemplars } from "./exposition.ts"

/** The fixed values of each label. A registry never removes a series, so no label has a value that a client can choose. */
interface LabelSets {
  readonly endpoints: ReadonlyArray<AnyEndpoint>
  /** Paths of requests that are not endpoints. */
  readonly routes: ReadonlyArray<string>
  readonly basePath: string
  /** The modules with an endpoint that signs in. */
  readonly methods: ReadonlyArray<string>
  readonly tables: ReadonlyArray<AnyTable>
  readonly budgets: ReadonlyArray<string>
  /** Who gets messages of the outbox; the last value represents those that an earlier version has stored. */
  readonly receivers: ReadonlyArray<string>
}

export const requestDuration = "http_server_request_duration_seconds"
/** Seconds; five of the boundaries of OpenTelemetry's semantic conventions for HTTP, to limit the series. */
const requestBoundaries = [0.025, 0.1, 0.25, 1, 5]
/** Seconds; the boundaries of OpenTelemetry's semantic conventions for databases. */
const operationBoundaries = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export const verbs = [
  "read",
  "readWithReferenced",
  "readWithReferencing",
  "list",
  "listForEach",
  "take",
  "commit",
  "sweep",
  "ping",
] as const
export type Verb = (typeof verbs)[number]

export const algorithms = ["argon2id", "bcrypt", "scrypt", "pbkdf2", "other"] as const
export const eventLoopDelays = [
  { name: "nodejs_eventloop_delay_p50_seconds", percentile: 50 },
  { name: "nodejs_eventloop_delay_p90_seconds", percentile: 90 },
  { name: "nodejs_eventloop_delay_p99_seconds", percentile: 99 },
] as const

/** Kinds of garbage collection; the last value represents all others. */
export const collections = ["major", "minor", "incremental", "other"] as const
/** Seconds. */
const collectionBoundaries = [0.001, 0.01, 0.1, 1]

const aborted = "aborted"
/** Those of responses; the last value represents requests without one. */
export const statusClasses = ["2xx", "3xx", "4xx", "5xx", aborted] as const
/** The methods of HTTP for routes that are no endpoint; the last value represents all others, which a client can invent. */
const allMethods = ["GET", "POST", "_OTHER"] as const

const outboxOutcomes = ["delivered", "failed", "refused"] as const
const webhookOutcomes = ["delivered", "failed"] as const

/** One metric for each value of a label; the last value represents all others. */
const each = <M>(values: ReadonlyArray<string>, make: (value: string) => M): ((value: string) => M) => {
  const metrics = new Map(values.map((value) => [value, make(value)]))
  const last = metrics.get(values.at(-1) ?? "") ?? make("other")
  return (value) => metrics.get(value) ?? last
}

const counter = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.counter(name, { description, attributes, incremental: true })

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(name, { description, attributes })

const histogram = (name: string, description: string, boundaries: ReadonlyArray<number>, attributes: Record<string, string>) =>
  Metric.histogram(name, { description, boundaries, attributes })

/** Every code of an operation's series. Faults of the service are one code, so that an alert needs no list of them. */
export const codesOf = ({ access, errors, guard, invalid, signsIn }: AnyEndpoint): ReadonlyArray<string> => {
  const declared = [...errors, ...(guard?.errors ?? [])].map((error) => ("code" in error ? error.code : error[0].code))
  const common = ["ok", ...(signsIn === undefined ? [] : ["challenged"]), ...(access === "public" ? [] : ["unauthorized"])]
  return [...new Set([...common, "rate_limited", ...declared, invalid.code, fault])]
}

/** The code of operations that failed because of the service: `internal_error`, `unavailable` and `overloaded`. */
export const fault = "fault"

/** The metrics of one process, by the values of their labels. */
export const makeInstruments = ({ endpoints, routes, basePath, methods, tables, budgets, receivers }: LabelSets) => {
  const operations = new Map(
    endpoints.map((endpoint) => [
      endpoint.name,
      each(codesOf(endpoint), (code) =>
        counter("sallyport_operations_total", "Calls of operations, over REST and GraphQL.", { operation: endpoint.name, code }),
      ),
    ]),
  )
  const signIns = each(methods, (method) =>
    each(signInOutcomes, (outcome) =>
      counter("sallyport_sign_ins_total", "Steps of sign-ins by the module that received them.", { method, outcome }),
    ),
  )
  const paths = [...new Set([...endpoints.map(({ path }) => `${basePath}${path}`), ...routes])]
  const methodsOf = (route: string) => {
    const own = endpoints.filter(({ path }) => `${basePath}${path}` === route).map(({ method }) => method)
    return own.length === 0 ? allMethods : [...own, "_OTHER"]
  }
  const request = each(paths, (http_route) =>
    each(methodsOf(http_route), (http_request_method) =>
      each(statusClasses, (status_class) =>
        histogram(requestDuration, "Time to answer a request.", requestBoundaries, {
          http_request_method,
          http_route,
          status_class,
        }),
      ),
    ),
  )
  const limiterRefusal = each(budgets, (budget) => counter("sallyport_limiter_refusals_total", "Requests refused by a budget.", { budget }))
  const limiterFault = each(budgets, (budget) =>
    counter("sallyport_limiter_faults_total", "Requests that were allowed because the limiter's store did not answer.", { budget }),
  )
  const outboxAttempt = each(outboxOutcomes, (outcome) =>
    counter("sallyport_outbox_attempts_total", "Attempts to deliver a message; `refused` is final.", { outcome }),
  )
  const webhookAttempt = each(webhookOutcomes, (outcome) =>
    counter("sallyport_webhook_attempts_total", "Attempts to deliver an event to a webhook.", { outcome }),
  )
  const traceFault = counter("sallyport_trace_export_faults_total", "Attempts to export traces that failed.")
  return {
    /** Of requests. */
    exemplars: makeExemplars(requestBoundaries),
    /** Counters that are reported as 0 from the start: without this, an alert on `increase()` would miss their first increment. */
    fromStart: [
      ...budgets.flatMap((budget) => [limiterRefusal(budget), limiterFault(budget)]),
      ...outboxOutcomes.map(outboxAttempt),
      ...webhookOutcomes.map(webhookAttempt),
      ...shedCounters,
      ...methods.flatMap((method) => signInOutcomes.map(signIns(method))),
      traceFault,
    ],
    /** Undefined status: the client did not wait for the response. */
    request: (route: string, method: string, status: number | undefined) =>
      request(route)(method)(status === undefined ? aborted : `${Math.floor(status / 100)}xx`),
    operation: (name: string, code: string) => operations.get(name)?.(code),
    signIn: (method: string, outcome: SignInOutcome) => signIns(method)(outcome),
    store: each(verbs, (verb) =>
      histogram("db_client_operation_duration_seconds", "Time of a call of the store.", operationBoundaries, { verb }),
    ),
    conflict: each(
      tables.map(({ name }) => name),
      (table) => counter("sallyport_store_conflicts_total", "Commits that met a row changed by another commit.", { table }),
    ),
    hash: each(algorithms, (algorithm) =>
      histogram("sallyport_hash_duration_seconds", "Time to hash or verify a password, with the wait for a thread.", operationBoundaries, {
        algorithm,
      }),
    ),
    hashQueue: gauge("sallyport_hash_queue", "Passwords that are being hashed or wait for a thread."),
    limiterRefusal,
    limiterFault,
    outboxAttempt,
    webhookAttempt,
    outbox: receivers.map((receiver) => ({
      receiver,
      pending: gauge("sallyport_outbox_pending", "Messages that wait for their delivery; at most 1000 are counted.", { receiver }),
      oldest: gauge("sallyport_outbox_oldest_age_seconds", "Age of the oldest message that waits.", { receiver }),
      dead: gauge("sallyport_outbox_dead", "Messages that were given up; at most 1000 are counted.", { receiver }),
    })),
    removals: {
      pending: gauge("sallyport_removals_pending", "Removals of rows that go on in the background; at most 1000 are counted."),
      oldest: gauge("sallyport_removals_oldest_age_seconds", "Age of the oldest removal."),
      failing: gauge("sallyport_removals_failing", "Removals that failed in this process and are repeated."),
    },
    ready: gauge("sallyport_ready", "1 if the store answers and the process is not stopping, else 0."),
    traceFault,
    eventLoop: eventLoopDelays.map(({ name }) => gauge(name, "Delay of the event loop in the last sample period of 15 seconds.")),
    eventLoopUse: gauge(
      "nodejs_eventloop_utilization_ratio",
      "Share of the last sample period of 15 seconds in which the event loop was busy.",
    ),
    collection: each(collections, (kind) =>
      histogram("nodejs_gc_duration_seconds", "Pauses of garbage collection.", collectionBoundaries, { kind }),
    ),
    heapUsed: gauge("nodejs_heap_used_bytes", "Memory of JavaScript objects."),
    heapLimit: gauge("nodejs_heap_limit_bytes", "What the memory of JavaScript objects can grow to."),
    openFiles: gauge("process_open_fds", "Open file descriptors."),
    maxFiles: gauge("process_max_fds", "The limit on open file descriptors."),
    residentMemory: gauge("process_resident_memory_bytes", "Resident memory."),
    processor: counter("process_cpu_seconds_total", "Processor time of all threads, user and system."),
    build: gauge("sallyport_build_info", "Always 1.", { version: manifest.version, node: process.versions.node }),
    started: gauge("process_start_time_seconds", "Start of the process, seconds since 1970."),
  }
}
export type Instruments = ReturnType<typeof makeInstruments>
