import cluster from "node:cluster"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { Effect, Queue } from "effect"

/** What a worker receives from the process that started it. */
export const reloadMessage = "reload"

/** How often the files are read. A change counts once two readings agree, so that a file that is being written is not used. */
const period = "5 seconds"

/** A digest of the files. */
const contentOf = (files: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const contents = await Promise.all(files.map((file) => readFile(file, "base64").catch(() => "")))
    return createHash("sha256").update(contents.join()).digest("base64")
  })

/**
 * Waits for the next request for a reload: SIGHUP, a message to a worker, or a changed file. Files are read and not watched: Kubernetes
 * replaces the folder of a mounted Secret, so that a watched file never changes, and network file systems send no events.
 */
export const reloadRequests = Effect.fnUntraced(function* reloadRequests(files: ReadonlyArray<string>) {
  const requests = yield* Queue.sliding<void>(1)
  const request = () => {
    Queue.offerUnsafe(requests, undefined)
  }
  // On a terminal, SIGHUP says that the terminal was closed.
  if (process.stdin.isTTY !== true) process.on("SIGHUP", request)
  cluster.worker?.on("message", (message) => {
    if (message === reloadMessage) request()
  })

  let used = yield* contentOf(files)
  let before = used
  const compare = Effect.gen(function* () {
    const now = yield* contentOf(files)
    if (now === before && now !== used) request()
    before = now
  })
  // The process that started a worker reads the files.
  if (files.length > 0 && cluster.isPrimary) yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(period), compare)))
  return Effect.andThen(
    Queue.take(requests),
    // Before the reload, which may read a later change that is then compared as well.
    Effect.map(contentOf(files), (now) => {
      used = now
    }),
  )
})
