import { monitorEventLoopDelay } from "node:perf_hooks"
import { DateTime, Duration, Effect, Exit, Layer, Metric } from "effect"
import type { Gauge } from "../../application/service/module.ts"
import { DeadLetters, PendingMessages } from "../../domain/mail/outbox-tables.ts"
import { Store } from "../../domain/ports/store.ts"
import { Drain } from "../http/drain.ts"
import { type Instruments, quantiles } from "./instruments.ts"

/** Milliseconds. The histogram records the whole time between two ticks, so this is subtracted. */
const resolution = 20
const period = Duration.seconds(15)
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

const processSampler = Effect.fnUntraced(function* processSampler({ eventLoop, residentMemory, processor, started }: Instruments) {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  yield* Metric.update(started, performance.timeOrigin / 1000)
  let counted = 0
  return Effect.gen(function* () {
    for (const [index, gauge] of eventLoop.entries())
      yield* Metric.update(gauge, Math.max(0, delay.percentile(100 * (quantiles[index] ?? 1)) / 1e9 - resolution / 1000))
    delay.reset()
    const { user, system } = process.cpuUsage()
    yield* Metric.update(processor, (user + system) / 1e6 - counted)
    counted = (user + system) / 1e6
    yield* Metric.update(residentMemory, process.memoryUsage.rss())
  })
})

const sampleGauge = ({ name, description, run }: Gauge<Store>) =>
  Effect.flatMap(run, (value) => Metric.update(Metric.gauge(name, { description }), value))

/**
 * Samples the process, the outbox, readiness and the gauges of modules, now and every 15 seconds. A store that does not answer leaves the
 * outbox and the gauges as they were.
 */
export const layer = (instruments: Instruments, gauges: ReadonlyArray<Gauge<any>>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.forEach(instruments.fromStart, (counter) => Metric.update(counter, 0))
      const sampleProcess = yield* processSampler(instruments)
      const ofStore = Effect.all([sampleOutbox(instruments), ...gauges.map(sampleGauge)], { discard: true })
      const sample = Effect.all([sampleProcess, sampleReadiness(instruments), Effect.ignoreCause(ofStore)], { discard: true })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(sample, Effect.sleep(period))))
    }),
  )
