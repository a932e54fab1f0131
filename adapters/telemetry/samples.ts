import { DateTime, Duration, Effect, Exit, Layer, Metric } from "effect"
import type { Gauge } from "../../application/service/module.ts"
import { DeadLetters, PendingMessages } from "../../domain/mail/outbox-tables.ts"
import { Store } from "../../domain/ports/store.ts"
import { Drain } from "../http/drain.ts"
import type { Instruments } from "./instruments.ts"
import { eventLoopSampler, observeCollections } from "./process-samples.ts"

const period = Duration.seconds(15)
const readinessPeriod = Duration.seconds(5)
/** Reading this many rows is cheap, and a longer queue raises the same alert. */
const counted = 1000

const sampleOutbox = Effect.fnUntraced(function* sampleOutbox({ outboxPending, outboxOldest, outboxDead }: Instruments) {
  const store = yield* Store
  const now = yield* DateTime.now
  // Ids grow with time, so the first one is the oldest.
  const pending = yield* store.list(PendingMessages, {}, { limit: counted, order: "id" })
  const dead = yield* store.list(DeadLetters, {}, { limit: counted, order: "id" })
  const [oldest] = pending
  const age = oldest === undefined ? 0 : Duration.toSeconds(DateTime.distance(oldest.created_at, now))
  yield* Metric.update(outboxPending, pending.length)
  yield* Metric.update(outboxOldest, Math.max(0, age))
  yield* Metric.update(outboxDead, dead.length)
})

const sampleReadiness = Effect.fnUntraced(function* sampleReadiness({ ready }: Instruments) {
  const { isDraining } = yield* Drain
  const answer = isDraining ? Exit.fail("draining") : yield* Effect.exit((yield* Store).ping)
  yield* Metric.update(ready, Exit.isSuccess(answer) ? 1 : 0)
})

const metricOf = ({ name, description }: Gauge<any>) => Metric.gauge(name, { description })

const sampleGauge = (gauge: Gauge<Store>) => Effect.flatMap(gauge.run, (value) => Metric.update(metricOf(gauge), value))

const orUnknown = <R>(sampling: Effect.Effect<void, never, R>, metrics: ReadonlyArray<Metric.Gauge<number>>) =>
  Effect.catchCause(sampling, () => Effect.forEach(metrics, (metric) => Metric.update(metric, unknown), { discard: true }))

/** No number, where the store does not answer: the last value would look like the state of the outage. */
const unknown = Number.NaN

/**
 * Samples the event loop, the outbox and the gauges of modules, now and every 15 seconds, and readiness every 5 seconds.
 */
export const layer = (instruments: Instruments, gauges: ReadonlyArray<Gauge<any>>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.forEach(instruments.fromStart, (counter) => Metric.update(counter, 0))
      yield* observeCollections(instruments)
      const sampleEventLoop = yield* eventLoopSampler(instruments)
      const { outboxPending, outboxOldest, outboxDead } = instruments
      const ofStore = [
        orUnknown(sampleOutbox(instruments), [outboxPending, outboxOldest, outboxDead]),
        ...gauges.map((gauge) => orUnknown(sampleGauge(gauge), [metricOf(gauge)])),
      ]
      const sample = Effect.all([sampleEventLoop, ...ofStore], { discard: true })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(sample, Effect.sleep(period))))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(sampleReadiness(instruments), Effect.sleep(readinessPeriod))))
    }),
  )
