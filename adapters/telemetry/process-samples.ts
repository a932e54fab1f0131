import { readdir, readFile } from "node:fs/promises"
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { Effect, Metric, Option } from "effect"
import { type Measure, Measures } from "../measures.ts"
import { eventLoopDelays, type Instruments } from "./instruments.ts"

/** Milliseconds. The histogram records the whole time between two ticks, so this is subtracted. */
const resolution = 20

/** Samples the event loop: what happened since the last sample. */
export const eventLoopSampler = Effect.fnUntraced(function* eventLoopSampler({ eventLoop, eventLoopUse }: Instruments) {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  let before = performance.eventLoopUtilization()
  return Effect.gen(function* () {
    for (const [index, gauge] of eventLoop.entries())
      yield* Metric.update(gauge, Math.max(0, delay.percentile(eventLoopDelays[index]?.percentile ?? 100) / 1e9 - resolution / 1000))
    delay.reset()
    const now = performance.eventLoopUtilization()
    yield* Metric.update(eventLoopUse, performance.eventLoopUtilization(now, before).utilization)
    before = now
  })
})

const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
])

/** Records the pauses of garbage collection until the scope ends. */
export const observeCollections = Effect.fnUntraced(function* observeCollections({ collection }: Instruments) {
  const services = yield* Effect.context<never>()
  const record = ({ detail, duration }: PerformanceEntry & { readonly detail?: { readonly kind?: number } }) =>
    collection(kinds.get(detail?.kind ?? 0) ?? "other").updateUnsafe(duration / 1000, services)
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(record))
  yield* Effect.acquireRelease(
    Effect.sync(() => observer.observe({ entryTypes: ["gc"] })),
    () => Effect.sync(() => observer.disconnect()),
  )
})

/** Linux lists the descriptors of a process and their limit; elsewhere the metrics are missing. */
const descriptors = Effect.tryPromise(async () => {
  const [open, limits] = await Promise.all([readdir("/proc/self/fd"), readFile("/proc/self/limits", "utf8")])
  return { open: open.length, limit: Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) }
})

/** Reads the state of the process, and what its parts offer as measures. Runs each time metrics are collected. */
export const processReader = Effect.fnUntraced(function* processReader(instruments: Instruments) {
  const { build, heapLimit, heapUsed, maxFiles, openFiles, processor, residentMemory, started } = instruments
  const measures = yield* Measures
  yield* Metric.update(started, performance.timeOrigin / 1000)
  yield* Metric.update(build, 1)
  /** The series of measures. Those of measures that are no longer offered are removed. */
  const series = new Map<Measure, Metric.Metric<number, unknown>>()
  const withdraw = Effect.suspend(() => {
    const gone = [...series].filter(([measure]) => !measures.has(measure))
    for (const [measure] of gone) series.delete(measure)
    return Effect.forEach(gone, ([, metric]) => Metric.remove(metric), { discard: true })
  })
  /** What a counter had when metrics were last collected. */
  const counted = new Map<unknown, number>()
  const count = (key: unknown, counter: Metric.Counter<number>, total: number) => {
    const before = counted.get(key) ?? 0
    counted.set(key, total)
    return Metric.update(counter, total - before)
  }
  return Effect.gen(function* () {
    const { user, system } = process.cpuUsage()
    yield* count(processor, processor, (user + system) / 1e6)
    yield* Metric.update(residentMemory, process.memoryUsage.rss())
    const heap = getHeapStatistics()
    yield* Metric.update(heapUsed, heap.used_heap_size)
    yield* Metric.update(heapLimit, heap.heap_size_limit)
    const files = yield* Effect.option(descriptors)
    if (Option.isSome(files)) yield* Effect.andThen(Metric.update(openFiles, files.value.open), Metric.update(maxFiles, files.value.limit))
    yield* withdraw
    for (const measure of measures) {
      const { attributes = {}, description, name, read, type } = measure
      const gauge = Metric.gauge(name, { description, attributes })
      const counter = Metric.counter(name, { description, attributes, incremental: true })
      series.set(measure, type === "gauge" ? gauge : counter)
      yield* type === "gauge" ? Metric.update(gauge, read()) : count(measure, counter, read())
    }
  })
})
