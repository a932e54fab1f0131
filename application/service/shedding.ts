import { Clock, Effect, Metric, Schema, SchemaAST } from "effect"
import { Overloaded } from "../../domain/errors.ts"
import { type Budget, StoreBudget } from "../../domain/ports/store-budget.ts"
import type { AnyEndpoint } from "./endpoint.ts"

/** What survives longest first: reads of a session, and of what other software reads; sign-ins and changes; lists. */
export const workloads = ["session", "change", "list"] as const
export type Workload = (typeof workloads)[number]

export const workloadOf = ({ method, output, protocol, signsIn }: AnyEndpoint): Workload => {
  if (signsIn !== undefined || method !== "GET" || protocol?.navigable === true) return "change"
  return protocol === undefined && hasList(output) ? "list" : "session"
}

const hasList = (output: Schema.Top) =>
  "fields" in output && Object.values(output.fields as Schema.Struct.Fields).some((field) => SchemaAST.isArrays(Schema.toType(field).ast))

/** The share of its budget that a request may wait for the store before others of the workload are refused. */
const shares: Readonly<Record<Workload, number>> = { session: 0.9, change: 0.4, list: 0.2 }

/** The weight of one request in the average. */
const weight = 0.1
/** Milliseconds after which an average counts half: it must not refuse one workload forever when another one has ended. */
const halfLife = 5000

const shed = (workload: Workload) =>
  Metric.counter("sallyport_shed_total", {
    description: "Operations that were refused because others wait for the store.",
    attributes: { workload },
    incremental: true,
  })
export const shedCounters = workloads.map(shed)

/** From this share of the budget on, requests wait for each other. Below it, few requests end because few arrive. */
const queueing = 0.05
/** Milliseconds over which ended requests are counted. */
const window = 1000

interface Load {
  running: number
  /** Since when more than one runs, by the clock. */
  since: number
  /** At this time: the average wait for the store in milliseconds, and how many requests have ended in the last window. */
  wait: number
  ended: number
  at: number
}

/**
 * How long a request that begins now will wait: as long as those that end now or, if they queue, until those that run have ended at the
 * current rate (Little's law). The average alone would show a long queue only when its first requests have waited. A queue that began just
 * now says little: of a burst, none can have ended.
 */
const expectedWait = ({ running, since, wait, ended, at }: Load, now: number, limit: number) => {
  const average = wait * 2 ** ((at - now) / halfLife)
  if (average <= queueing * limit || running < 2) return average
  const rate = (ended * Math.exp((at - now) / window)) / window
  return Math.min(limit, Math.max(average, Math.min(running / rate, 2 * (now - since))))
}

/**
 * Refuses operations while others of the same workload, or of one that survives longer, wait for the store for a large part of their budget:
 * early, so that clients do not wait for an answer that comes too late. One operation of each workload always runs, and shows whether it
 * still waits.
 */
export const makeShedding = () => {
  const loads = workloads.map((): Load => ({ running: 0, since: 0, wait: 0, ended: 0, at: 0 }))

  /** Fails if an operation has to be refused. */
  const admit = Effect.fnUntraced(function* admitOperation(workload: Workload) {
    const { limit } = yield* StoreBudget
    const own = workloads.indexOf(workload)
    if (loads[own]!.running === 0) return
    const now = yield* Clock.currentTimeMillis
    const wait = Math.max(...loads.slice(0, own + 1).map((load) => expectedWait(load, now, limit)))
    if (wait <= shares[workload] * limit) return
    yield* Metric.update(shed(workload), 1)
    return yield* new Overloaded({ retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
  })

  const admitted = (workload: Workload) => {
    const load = loads[workloads.indexOf(workload)]!
    return Effect.fnUntraced(function* runAdmitted<A, E, R>(operation: Effect.Effect<A, E, R>) {
      const budget = yield* StoreBudget
      if (budget.limit === Number.POSITIVE_INFINITY) return yield* operation
      const clock = yield* Clock.Clock
      let waited = 0
      /** The budget of the request, which also adds up what this operation waits: others of the request use it at the same time. */
      const own: Budget = {
        limit: budget.limit,
        get left() {
          return budget.left
        },
        set left(left) {
          waited += budget.left - left
          budget.left = left
        },
      }
      let isRunning = false
      const counted = Effect.suspend(() => {
        isRunning = true
        if (++load.running === 2) load.since = clock.currentTimeMillisUnsafe()
        return Effect.provideService(operation, StoreBudget, own)
      })
      yield* admit(workload)
      return yield* Effect.onExit(counted, () => {
        if (!isRunning) return Effect.void
        const now = clock.currentTimeMillisUnsafe()
        const average = load.wait * 2 ** ((load.at - now) / halfLife)
        load.running--
        load.wait = average + (waited - average) * weight
        load.ended = load.ended * Math.exp((load.at - now) / window) + 1
        load.at = now
        return Effect.void
      })
    })
  }

  return { admit, admitted }
}
