import { DateTime, Duration, Effect, Exit, Metric } from "effect"
import type { Gauge } from "../../application/service/module.ts"
import { DeadLetters, PendingMessages } from "../../domain/mail/outbox-tables.ts"
import { Store } from "../../domain/ports/store.ts"
import { Failures, Removals } from "../../domain/storage/removals.ts"
import { Drain } from "../http/drain.ts"
import { answering } from "../http/health.ts"
import type { Instruments } from "./instruments.ts"
import { eventLoopSampler, observeCollections } from "./process-samples.ts"

const period = Duration.seconds(15)
/** Reading this many rows is cheap, and a longer queue raises the same alert. */
const limit = 1000

/** Ids grow with time, so the first one is the oldest. */
const ageOf = ([oldest]: ReadonlyArray<{ readonly created_at: DateTime.Utc }>, now: DateTime.Utc) =>
  oldest === undefined ? 0 : Math.max(0, Duration.toSeconds(DateTime.distance(oldest.created_at, now)))

const sampleOutbox = Effect.fnUntraced(function* sampleOutbox({ outbox }: Instruments) {
  const { list } = yield* Store
  const now = yield* DateTime.now
  const allDead = yield* list(DeadLetters, {}, { limit, order: "id" })
  const isOf = (name: string, receiver: string | null) => (name === "other" ? receiver === null : receiver?.split(":")[0] === name)
  for (const { receiver, pending, oldest, dead } of outbox) {
    const rows =
      receiver === "other"
        ? yield* list(PendingMessages, { receiver: null }, { limit, order: "id" })
        : yield* list(PendingMessages, {}, { limit, order: "id", prefix: { field: "receiver", text: receiver } })
    yield* Metric.update(pending, rows.length)
    yield* Metric.update(oldest, ageOf(rows, now))
    yield* Metric.update(dead, allDead.filter((row) => isOf(receiver, row.receiver)).length)
  }
})

const sampleRemovals = Effect.fnUntraced(function* sampleRemovals({ removals }: Instruments) {
  const rows = yield* (yield* Store).list(Removals, {}, { limit, order: "id" })
  yield* Metric.update(removals.pending, rows.length)
  yield* Metric.update(removals.oldest, ageOf(rows, yield* DateTime.now))
  yield* Metric.update(removals.failing, (yield* Failures).size)
})

const gaugeOf = ({ name, description }: Gauge<Store>) => Metric.gauge(name, { description })

/**
 * Samples the event loop, the outbox, the removals and the gauges of modules, now and every 15 seconds. Returns what samples readiness, for
 * each collection. While the store does not answer, its gauges are NaN: their last values would look like measured ones.
 */
export const sampling = Effect.fnUntraced(function* startSampling(instruments: Instruments, gauges: ReadonlyArray<Gauge<any>>) {
  yield* Effect.forEach(instruments.fromStart, (counter) => Metric.update(counter, 0))
  yield* observeCollections(instruments)
  const sampleEventLoop = yield* eventLoopSampler(instruments)
  const { outbox, ready, removals } = instruments
  const ofOutbox = outbox.flatMap(({ pending, oldest, dead }) => [pending, oldest, dead])
  const ofStore = [...ofOutbox, removals.pending, removals.oldest, ...gauges.map(gaugeOf)]
  const forget = Effect.forEach(ofStore, (gauge) => Metric.update(gauge, Number.NaN), { discard: true })
  const sampleGauges: Effect.Effect<unknown, never, Store> = Effect.forEach(gauges, (gauge) =>
    Effect.flatMap(gauge.run, (value) => Metric.update(gaugeOf(gauge), value)),
  )
  const sampleStore = Effect.all([sampleOutbox(instruments), sampleRemovals(instruments), sampleGauges], { discard: true })
  const sample = Effect.andThen(
    sampleEventLoop,
    Effect.catchCause(sampleStore, () => forget),
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(sample, Effect.sleep(period))))

  const { ping } = yield* Store
  return Effect.gen(function* sampleReadiness() {
    const { isDraining } = yield* Drain
    const isReady = Exit.isSuccess(isDraining ? Exit.fail("draining") : yield* Effect.exit(answering(ping)))
    yield* Metric.update(ready, isReady ? 1 : 0)
    if (!isReady && !isDraining) yield* forget
  })
})
