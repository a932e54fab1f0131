import { randomUUID } from "node:crypto"
import { availableParallelism } from "node:os"
import { hash, verify } from "@node-rs/argon2"
import { Effect, Layer, Option, Semaphore } from "effect"
import { Overloaded } from "../../domain/errors.ts"
import { PasswordHasher, type Verdict } from "../../domain/ports/password-hasher.ts"
import { type Keys, read } from "./formats.ts"
import type { Cost, StoredHash } from "./stored-hash.ts"

interface Bounds {
  /** The number of hashes that are in the thread pool at the same time. */
  readonly concurrency?: number
  /** Callers that may wait for a hash to start. */
  readonly queue?: number
  /** The keys of other systems that some of their hashes need. */
  readonly keys?: Keys
}

/** The number of hashes that run at the same time: the threads of the pool, or the cores if those are fewer. */
export const threads = (): number => Math.min(availableParallelism(), Number(process.env.UV_THREADPOOL_SIZE) || 4)

/**
 * The number of hashes in the thread pool for each of its threads. A queue in the pool keeps its threads busy between two turns of the event
 * loop. File and DNS operations use the same pool and wait behind these hashes.
 */
const hashes_per_thread = 3

/** The number of waiting callers for each thread: about a second of work at the default cost, like the `retryAfter` of `Overloaded`. */
const queue_per_thread = 50

/** Runs at most `concurrency` hashes, lets `queue` callers wait, and refuses the rest with `Overloaded`. */
export const makeGate = (concurrency: number, queue: number) => {
  const places = Semaphore.makeUnsafe(concurrency + queue)
  const threads = Semaphore.makeUnsafe(concurrency)
  return <A>(work: () => Promise<A>) =>
    // A running hash cannot be stopped: if an interrupted caller released its permit at once, more hashes than `concurrency` would run.
    Effect.uninterruptible(Effect.promise(work)).pipe(
      threads.withPermit,
      places.withPermitsIfAvailable(1),
      Effect.flatMap(Option.match({ onNone: () => Effect.fail(new Overloaded({ retryAfter: 1 })), onSome: Effect.succeed })),
    )
}

const make = Effect.fnUntraced(function* makePasswordHasher(cost: Cost, bounds: Bounds) {
  const concurrency = bounds.concurrency ?? threads() * hashes_per_thread
  const gate = makeGate(concurrency, bounds.queue ?? threads() * queue_per_thread)
  const options = { memoryCost: cost.memory_kib, timeCost: cost.passes, parallelism: cost.lanes }
  const decoy = yield* Effect.promise(() => hash(randomUUID(), options))

  /** Takes as long as a real check, so that the response time does not reveal whether the account has a password. */
  const rejectSlowly = async (password: string): Promise<Verdict> => {
    await verify(decoy, password)
    return { correct: false, outdated: false }
  }

  const verifyStored = async (password: string, stored: StoredHash): Promise<Verdict> => {
    const correct = await stored.matches(password)
    return { correct, outdated: correct && stored.outdated }
  }

  const warnUnreadable = Effect.logWarning(
    "A stored password hash has an unknown format or is too costly to verify: its user cannot sign in with it.",
  )

  return PasswordHasher.of({
    hash: (password) => gate(() => hash(password, options)),
    verify: (password, text) => {
      const rejected = gate(() => rejectSlowly(password))
      if (text === null) return rejected
      const stored = read(text, cost, bounds.keys)?.stored
      if (stored === undefined) return Effect.andThen(warnUnreadable, rejected)
      return gate(() => verifyStored(password, stored).catch(() => rejectSlowly(password)))
    },
  })
})

/** Hashes with argon2id on the thread pool; also verifies hashes of other systems. */
export const layer = (cost: Cost, bounds: Bounds = {}) => Layer.effect(PasswordHasher, make(cost, bounds))
