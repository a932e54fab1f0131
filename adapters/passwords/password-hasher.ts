import { randomUUID } from "node:crypto"
import { availableParallelism } from "node:os"
import { hash, verify } from "@node-rs/argon2"
import { Effect, Layer, Option, Semaphore } from "effect"
import { Overloaded } from "../../domain/errors.ts"
import { PasswordHasher, type Verdict } from "../../domain/ports/password-hasher.ts"
import * as argon2 from "./argon2.ts"
import * as bcrypt from "./bcrypt.ts"
import * as pbkdf2 from "./pbkdf2.ts"
import * as scrypt from "./scrypt.ts"
import type { Cost, StoredHash } from "./stored-hash.ts"

interface Bounds {
  /** Hashes that are with the thread pool at once. */
  readonly concurrency?: number
  /** Callers that wait behind them. */
  readonly queue?: number
}

/** As many hashes run at once as the thread pool has threads, or as there are cores if those are fewer. */
const threads = () => Math.min(availableParallelism(), Number(process.env.UV_THREADPOOL_SIZE) || 4)

/** Handed to the thread pool ahead of time, so that no thread waits for this one between two hashes; files and names wait behind them. */
const hashes_per_thread = 3

/** About a second of work at the default cost: whoever is sent away is told to come back after a second. */
const queue_per_thread = 50

const read = (text: string, cost: Cost): StoredHash | undefined =>
  argon2.read(text, cost) ?? bcrypt.read(text) ?? scrypt.read(text) ?? pbkdf2.read(text)

/** At most `concurrency` at once, `queue` waiting. */
const makeGate = (concurrency: number, queue: number) => {
  const places = Semaphore.makeUnsafe(concurrency + queue)
  const threads = Semaphore.makeUnsafe(concurrency)
  return <A>(work: () => Promise<A>) =>
    // What a thread has begun cannot be stopped, so an interrupted caller gives its place back only when that is done.
    Effect.uninterruptible(Effect.promise(work)).pipe(
      threads.withPermit,
      places.withPermitsIfAvailable(1),
      Effect.flatMap(Option.match({ onNone: () => Effect.fail(new Overloaded({ retryAfter: 1 })), onSome: Effect.succeed })),
    )
}

const make = Effect.fnUntraced(function* (cost: Cost, bounds: Bounds) {
  const concurrency = bounds.concurrency ?? threads() * hashes_per_thread
  const gate = makeGate(concurrency, bounds.queue ?? threads() * queue_per_thread)
  const options = { memoryCost: cost.memory_kib, timeCost: cost.passes, parallelism: cost.lanes }
  const decoy = yield* Effect.promise(() => hash(randomUUID(), options))

  const miss = async (password: string): Promise<Verdict> => {
    await verify(decoy, password)
    return { correct: false, outdated: false }
  }

  const judge = async (password: string, stored: StoredHash): Promise<Verdict> => {
    const correct = await stored.matches(password)
    return { correct, outdated: correct && stored.outdated }
  }

  const unreadable = Effect.logWarning("A stored password hash is of no known format or too costly to check: it lets nobody in.")

  return PasswordHasher.of({
    hash: (password) => gate(() => hash(password, options)),
    verify: (password, text) => {
      const missed = gate(() => miss(password))
      if (text === null) return missed
      const stored = read(text, cost)
      if (stored === undefined) return Effect.andThen(unreadable, missed)
      return gate(() => judge(password, stored).catch(() => miss(password)))
    },
  })
})

/** Hashes with argon2id on the thread pool; checks what other systems made as well. */
export const layer = (cost: Cost, bounds: Bounds = {}) => Layer.effect(PasswordHasher, make(cost, bounds))
