import cluster, { type Worker } from "node:cluster"
import { Array, Effect, Latch, type Redacted } from "effect"
import { reloadMessage } from "./reload-requests.ts"
import { codes } from "./start-faults.ts"
import { isTerminated, Stop } from "./stop.ts"
import { answerWorker } from "./worker-secrets.ts"

interface Ended {
  readonly code: number | null
  readonly signal: string | null
}

const variable = "WORKER_NUMBER"

/** The number of this worker, from 1; undefined in a process without workers. */
export const workerNumber = (): number | undefined => {
  const number = process.env[variable]
  return cluster.isWorker && number !== undefined ? Number(number) : undefined
}

/** Whether this process starts the workers, and does not serve itself. */
export const isPrimary = (workers: number): boolean => workers > 1 && cluster.isPrimary

/** What every worker gets. */
export interface Shared {
  readonly port: number
  secrets: ReadonlyArray<Redacted.Redacted<string>>
  reloads: number
}

const send = (worker: Worker) => {
  // With a callback, a worker that ended in the meantime causes no error event, which would end this process.
  if (worker.isConnected()) worker.send(reloadMessage, () => {})
}

/** Lets the workers reload the configuration; one that starts does so once it listens. */
export const reload = (shared: Shared): void => {
  shared.reloads += 1
  for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) send(worker)
}

/**
 * Runs this program in `count` worker processes that share the listener, until it is interrupted. The first one starts alone, so that one
 * process migrates the database and reports the faults of the configuration: if it ends before it listens, its exit code ends all. Later, a
 * worker that ends is replaced after a second, or after `pause` if it did not listen: the others still serve.
 */
export const supervise = (count: number, shared: Shared) =>
  Effect.gen(function* () {
    const isServing = yield* Latch.make()
    const others = Effect.forEach(Array.range(2, count), (number) => keepRunning(number, shared, isServing), {
      concurrency: "unbounded",
      discard: true,
    })
    yield* Effect.all([keepRunning(1, shared, isServing), Effect.andThen(isServing.await, others)], { concurrency: "unbounded" })
  })

const pause = "30 seconds"

/** `isServing` is open once any worker has listened. */
const keepRunning = Effect.fnUntraced(function* keepRunning(number: number, shared: Shared, isServing: Latch.Latch) {
  while (true) {
    const isListening = yield* Latch.make()
    const listening = Effect.andThen(Effect.annotateLogs(Effect.logInfo("worker listens"), { worker: number }), isServing.open)
    const announcement = yield* Effect.forkChild(Effect.andThen(isListening.await, listening))
    const { code, signal } = yield* run(number, shared, isListening)
    const hasListened = announcement.pollUnsafe() !== undefined
    if (!hasListened && !isServing.isOpen()) return yield* new Stop({ code: code ?? codes.failed, lines: [] })
    const text = hasListened ? "worker ended, starting another" : `worker did not start, trying again in ${pause}`
    yield* Effect.annotateLogs(Effect.logError(text), { worker: number, code, signal })
    yield* Effect.sleep(hasListened ? "1 second" : pause)
  }
})

/** Runs one worker to its end. An interruption forwards the signal that this process received. */
const run = (number: number, shared: Shared, isListening: Latch.Latch) =>
  Effect.callback<Ended>((resume) => {
    const { port, reloads } = shared
    const worker = cluster.fork({ [variable]: String(number) })
    answerWorker(worker, () => shared.secrets)
    worker.on("listening", (address) => {
      if (port !== 0 && address.port !== port) return
      isListening.openUnsafe()
      if (shared.reloads !== reloads) send(worker)
    })
    worker.once("exit", (code, signal) => resume(Effect.succeed({ code, signal })))
    return Effect.callback<void>((done) => {
      if (worker.isDead()) return done(Effect.void)
      worker.once("exit", () => done(Effect.void))
      worker.process.kill(isTerminated() ? "SIGTERM" : "SIGINT")
    })
  })
