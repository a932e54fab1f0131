import { readdirSync, readFileSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import { Effect, Layer } from "effect"

/** Added to the nice value of the threads that hash: while the main thread has work, a hash on the same processor gets a tenth of it. */
const nicer = 10

const threads = "/proc/self/task"
const isOfPool = (id: string) => readFileSync(`${threads}/${id}/comm`, "utf8").trim() === "libuv-worker"

/** Lowers the priority of the native thread pool, whose threads have to exist. Throws on systems other than Linux. */
const lowerPriority = () => {
  const nice = Math.min(getPriority() + nicer, constants.priority.PRIORITY_LOW)
  for (const id of readdirSync(threads).filter(isOfPool)) setPriority(Number(id), nice)
}

/**
 * Lets other requests run before password hashes: with equal priority, a storm of sign-ins multiplied the p99 of other requests by four or more
 * (`npm run bench:bystander`). File and DNS operations use the same threads. Has no effect where the system does not support it. Build it
 * after the hasher, whose first hash starts the threads.
 */
export const layer = Layer.effectDiscard(Effect.ignore(Effect.try(lowerPriority)))
