import { availableParallelism } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, References } from "effect"
import fc from "fast-check"
import { afterEach, beforeEach, vi } from "vitest"
import { layer } from "../../../adapters/passwords/password-hasher.ts"
import type { Cost } from "../../../adapters/passwords/stored-hash.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { bombs, cheap, imported, malformed, ofCost } from "./hashes.ts"

interface Watch {
  readonly calls: Array<{ readonly name: string; readonly args: ReadonlyArray<unknown> }>
  running: number
  most: number
  /** Hashes that were started continue when this completes. */
  hold: Promise<unknown>
}

const watch = vi.hoisted((): Watch => ({ calls: [], running: 0, most: 0, hold: Promise.resolve() }))

const watched = vi.hoisted(
  () =>
    <Args extends ReadonlyArray<any>, A>(name: string, work: (...args: Args) => Promise<A>) =>
    async (...args: Args) => {
      watch.calls.push({ name, args })
      watch.running += 1
      watch.most = Math.max(watch.most, watch.running)
      await watch.hold
      return work(...args).finally(() => {
        watch.running -= 1
      })
    },
)

vi.mock(import("@node-rs/argon2"), async (original) => {
  const real = await original()
  return { ...real, hash: watched("argon2.hash", real.hash), verify: watched("argon2.verify", real.verify) }
})

vi.mock(import("@node-rs/bcrypt"), async (original) => {
  const real = await original()
  return { ...real, verify: watched("bcrypt.verify", real.verify) }
})

vi.mock(import("node:util"), async (original) => {
  const real = await original()
  const promisify = (work: any) => watched(work.name, real.promisify(work) as any)
  return { ...real, promisify: promisify as typeof real.promisify }
})

beforeEach(() => {
  Object.assign(watch, { running: 0, most: 0, hold: Promise.resolve() })
  watch.calls.length = 0
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const phrase = "correct horse battery staple"
const low: Cost = { memory_kib: 64, passes: 1, lanes: 1 }
const usual: Cost = { memory_kib: 19456, passes: 2, lanes: 1 }

const quiet = Effect.provideService(References.MinimumLogLevel, "Error")

/** Runs against a hasher, and forgets what making its decoy called. */
const withHasher = <A, E>(
  options: { readonly cost?: Cost; readonly concurrency?: number; readonly queue?: number },
  use: (hasher: PasswordHasher["Service"]) => Effect.Effect<A, E>,
) => {
  const { cost = low, ...bounds } = options
  const used = Effect.flatMap(PasswordHasher, (hasher) => {
    watch.calls.length = 0
    watch.most = 0
    return use(hasher)
  })
  return used.pipe(Effect.provide(layer(cost, bounds)), quiet)
}

const miss = { correct: false, outdated: false }

describe("our own hashes", () => {
  it.effect("are argon2id of the configured cost with a salt of their own, and verify", () =>
    withHasher({ cost: { memory_kib: 128, passes: 2, lanes: 2 } }, (hasher) =>
      Effect.gen(function* () {
        const [first, second] = [yield* hasher.hash(phrase), yield* hasher.hash(phrase)]
        expect(first).toMatch(/^\$argon2id\$v=19\$m=128,t=2,p=2\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
        expect(second.split("$")[4]).not.toBe(first.split("$")[4])
        expect(yield* hasher.verify(phrase, first)).toEqual({ correct: true, outdated: false })
        expect(yield* hasher.verify(`${phrase} `, first)).toEqual(miss)
      }),
    ),
  )

  it.effect("depend on every character of a password", () =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        for (const password of [" padded ", "a\0b", "👩‍👩‍👧‍👦 пароль", "x".repeat(10_000)]) {
          const hash = yield* hasher.hash(password)
          expect((yield* hasher.verify(password, hash)).correct).toBe(true)
          expect((yield* hasher.verify(password.slice(0, -1), hash)).correct).toBe(false)
          expect((yield* hasher.verify(password.trim().split("\0")[0]!.concat("?"), hash)).correct).toBe(false)
        }
      }),
    ),
  )
})

describe("imported hashes", () => {
  it.effect.each(imported)("$name", ({ password, hash }) =>
    withHasher({ cost: usual }, (hasher) =>
      Effect.gen(function* () {
        const right = yield* hasher.verify(password, hash)
        expect(right.correct).toBe(true)
        // A different first byte, so that bcrypt sees it too.
        expect(yield* hasher.verify(`!${password}`, hash)).toEqual(miss)
        expect(watch.calls).toHaveLength(2)
      }),
    ),
  )

  it.effect("of bcrypt depend on 72 bytes, not characters, and not on the 73rd", () =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        const ascii = "$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"
        expect((yield* hasher.verify("x".repeat(71), ascii)).correct).toBe(false)
        expect((yield* hasher.verify("x".repeat(72), ascii)).correct).toBe(true)
        expect((yield* hasher.verify(`${"x".repeat(72)}tail`, ascii)).correct).toBe(true)
        // The cut goes through the middle of the 36th é.
        const cut = "$2b$04$abcdefghijklmnopqrstuuB6OyPRV.a4jQqxN4taK8jbgMieZdxYe"
        expect((yield* hasher.verify(`a${"é".repeat(36)}`, cut)).correct).toBe(true)
        expect((yield* hasher.verify(`a${"é".repeat(35)}`, cut)).correct).toBe(false)
      }),
    ),
  )

  it.effect("of better-auth match all texts with the same NFKC form", () =>
    withHasher({}, (hasher) => {
      const { hash } = imported.find(({ name }) => name.includes("NFKC"))!
      return Effect.map(hasher.verify("fine pass No 5", hash), ({ correct }) => expect(correct).toBe(true))
    }),
  )
})

describe("outdated", () => {
  const outdated = (hash: string, cost = usual) => withHasher({ cost }, (hasher) => hasher.verify(phrase, hash))

  it.effect.each([
    ["of the configured cost", ofCost.equal, false],
    ["with a KiB less", ofCost.oneKibLess, true],
    ["with a pass more", ofCost.onePassMore, false],
    ["with a lane more", ofCost.oneLaneMore, false],
    ["with more memory but a pass less", ofCost.moreMemoryOnePassLess, true],
    ["of version 16", ofCost.version16, true],
    ["of argon2i", ofCost.argon2i, true],
  ] as const)("a hash %s: %s -> %s", ([, hash, expected]) =>
    Effect.map(outdated(hash), (verdict) => expect(verdict).toEqual({ correct: true, outdated: expected })),
  )

  it.effect("a hash with fewer lanes or passes than configured", () =>
    Effect.gen(function* () {
      expect((yield* outdated(ofCost.equal, { ...usual, lanes: 2 })).outdated).toBe(true)
      expect((yield* outdated(ofCost.equal, { ...usual, passes: 3 })).outdated).toBe(true)
    }),
  )

  it.effect("every hash of another kind, when the password is right", () =>
    withHasher({ cost: low }, (hasher) =>
      Effect.gen(function* () {
        for (const { name, password, hash } of imported.filter(({ hash }) => !hash.startsWith("$argon2id$v=19$"))) {
          expect(yield* hasher.verify(password, hash), name).toEqual({ correct: true, outdated: true })
        }
      }),
    ),
  )
})

describe("a hash that cannot be checked", () => {
  const decoyed = [{ name: "argon2.verify", args: [expect.stringMatching(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/), phrase] }]

  it.effect("null costs one decoy of the configured cost, and is never correct", () =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        expect(yield* hasher.verify(phrase, null)).toEqual(miss)
        expect(watch.calls).toEqual(decoyed)
      }),
    ),
  )

  it.effect("a wrong password costs one hash as well", () =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        expect(yield* hasher.verify("wrong", cheap)).toEqual(miss)
        expect(watch.calls).toEqual([{ name: "argon2.verify", args: [cheap, "wrong"] }])
      }),
    ),
  )

  it.effect.each(malformed)("malformed: %s", (hash) =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        expect(yield* hasher.verify(phrase, hash)).toEqual(miss)
        expect(watch.calls).toEqual(decoyed)
      }),
    ),
  )

  it.effect.each(bombs)("unaffordable: %s", (hash) =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        expect(yield* hasher.verify(phrase, hash)).toEqual(miss)
        expect(watch.calls).toEqual(decoyed)
      }),
    ),
  )

  it.effect("a hash whose check fails is incorrect, after a decoy", () =>
    withHasher({}, (hasher) =>
      Effect.gen(function* () {
        let first = true
        watch.hold = {
          // biome-ignore lint/suspicious/noThenProperty: awaiting it fails once.
          then: (resolve: () => void, reject: (error: Error) => void) => {
            const settle = first ? () => reject(new Error("out of memory")) : resolve
            first = false
            settle()
          },
        } as unknown as Promise<unknown>
        expect(yield* hasher.verify(phrase, cheap)).toEqual(miss)
        expect(watch.calls).toHaveLength(2)
      }),
    ),
  )

  it.effect("a warning is logged that contains neither the hash nor the password", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const verdict = Effect.flatMap(PasswordHasher, (hasher) => hasher.verify(phrase, "$md5$cafe"))
      yield* verdict.pipe(Effect.provide(Layer.mergeAll(layer(low), logger)))
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/cafe|horse/)
    }),
  )

  it.effect("two hundred random texts and two hundred damaged hashes never throw and never match", () => {
    const damaged = fc
      .tuple(fc.constantFrom(...imported.map(({ hash }) => hash)), fc.nat(), fc.constantFrom("", "$", ",", "=", "!", "\0", "é", ":", "9"))
      .map(([hash, at, put]) => hash.slice(0, at % hash.length) + put + hash.slice((at % hash.length) + 1))
    const prefixed = fc.tuple(
      fc.constantFrom("", "$argon2id$", "$2b$", "$scrypt$", "$pbkdf2-sha256$", "pbkdf2_sha256$"),
      fc.string({ unit: "binary" }),
    )
    const garbage = [
      ...fc.sample(prefixed, { numRuns: 200, seed: 1 }).map((parts) => parts.join("")),
      ...fc.sample(damaged, { numRuns: 200, seed: 2 }),
    ]
    return withHasher({ queue: 400 }, (hasher) =>
      Effect.gen(function* () {
        const verdicts = yield* Effect.forEach(garbage, (hash) => hasher.verify("unknown password", hash), { concurrency: "unbounded" })
        expect(verdicts).toHaveLength(400)
        expect(verdicts).toEqual(garbage.map(() => miss))
      }),
    )
  })
})

describe("concurrent hashes", () => {
  it.effect.each([1, 2, 3])("never more than %i run, of whatever kind, and all complete", (concurrency) =>
    withHasher({ concurrency, queue: 100 }, (hasher) =>
      Effect.gen(function* () {
        const work = [
          ...imported.map(({ password, hash }) => hasher.verify(password, hash)),
          ...Array.from({ length: 10 }, () => hasher.hash(phrase)),
          ...malformed.slice(0, 10).map((hash) => hasher.verify(phrase, hash)),
          ...Array.from({ length: 10 }, () => hasher.verify(phrase, null)),
        ]
        expect(yield* Effect.all(work, { concurrency: "unbounded" })).toHaveLength(work.length)
        expect(watch.most).toBe(concurrency)
        expect(watch.running).toBe(0)
      }),
    ),
  )

  it.effect.each([
    ["3", 3],
    ["1", 1],
    ["rubbish", 4],
    ["", 4],
  ] as const)("with a thread pool of '%s', each thread that has a core has three to do", ([size, threads]) => {
    vi.stubEnv("UV_THREADPOOL_SIZE", size)
    return withHasher({}, (hasher) =>
      Effect.gen(function* () {
        yield* Effect.all(
          Array.from({ length: 20 }, () => hasher.hash(phrase)),
          { concurrency: "unbounded" },
        )
        expect(watch.most).toBe(3 * Math.min(threads, availableParallelism()))
      }),
    )
  })

  /** Forks this many hashes, which end only after the returned effect has run. */
  const held = Effect.fnUntraced(function* (hasher: PasswordHasher["Service"], many: number) {
    const release = Promise.withResolvers<void>()
    watch.hold = release.promise
    const fibers = yield* Effect.forEach(Array.from({ length: many }), () =>
      Effect.forkChild(hasher.hash(phrase), { startImmediately: true }),
    )
    return { fibers, release: Effect.sync(() => release.resolve()) }
  })

  it.effect("the last place in the queue is available, and the next caller is refused for a second", () =>
    withHasher({ concurrency: 2, queue: 3 }, (hasher) =>
      Effect.gen(function* () {
        const { fibers, release } = yield* held(hasher, 5)
        expect(watch.running).toBe(2)
        const verdicts = [cheap, null, "garbage"].map((hash) => Effect.asVoid(hasher.verify(phrase, hash)))
        for (const refused of [Effect.asVoid(hasher.hash(phrase)), ...verdicts]) {
          expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "overloaded", status: 503, retryAfter: 1 })
        }
        yield* release
        for (const fiber of fibers) expect(yield* Fiber.join(fiber)).toMatch(/^\$argon2id/)
        expect(watch.calls).toHaveLength(5)
        expect(yield* hasher.hash(phrase)).toMatch(/^\$argon2id/)
      }),
    ),
  )

  it.effect("by default fifty wait for each thread", () =>
    withHasher({ concurrency: 2 }, (hasher) =>
      Effect.gen(function* () {
        const { fibers, release } = yield* held(hasher, 102)
        expect((yield* Effect.flip(hasher.hash(phrase)))._tag).toBe("overloaded")
        yield* release
        expect(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))).toHaveLength(102)
      }),
    ),
  )

  it.effect("without a queue, more callers than threads are refused", () =>
    withHasher({ concurrency: 1, queue: 0 }, (hasher) =>
      Effect.gen(function* () {
        const { fibers, release } = yield* held(hasher, 1)
        expect((yield* Effect.flip(hasher.hash(phrase)))._tag).toBe("overloaded")
        yield* release
        yield* Fiber.join(fibers[0]!)
        expect(yield* hasher.hash(phrase)).toMatch(/^\$argon2id/)
      }),
    ),
  )

  it.effect("a caller who is interrupted while waiting leaves at once, and the place is free", () =>
    withHasher({ concurrency: 1, queue: 1 }, (hasher) =>
      Effect.gen(function* () {
        const { fibers, release } = yield* held(hasher, 2)
        expect((yield* Effect.flip(hasher.hash(phrase)))._tag).toBe("overloaded")
        yield* Fiber.interrupt(fibers[1]!)
        const next = yield* Effect.forkChild(hasher.hash(phrase), { startImmediately: true })
        expect((yield* Effect.flip(hasher.hash(phrase)))._tag).toBe("overloaded")
        yield* release
        expect(yield* Fiber.join(next)).toMatch(/^\$argon2id/)
        expect(yield* Fiber.join(fibers[0]!)).toMatch(/^\$argon2id/)
        expect(watch.calls).toHaveLength(2)
      }),
    ),
  )

  it.effect("a caller who is interrupted while their hash runs keeps the thread until it is done", () =>
    withHasher({ concurrency: 1, queue: 1 }, (hasher) =>
      Effect.gen(function* () {
        const { fibers, release } = yield* held(hasher, 2)
        const gone = yield* Deferred.make<void>()
        yield* Effect.forkChild(Effect.andThen(Fiber.interrupt(fibers[0]!), Deferred.succeed(gone, undefined)), { startImmediately: true })
        yield* Effect.yieldNow
        expect(yield* Deferred.isDone(gone)).toBe(false)
        expect(watch.running).toBe(1)
        expect((yield* Effect.flip(hasher.hash(phrase)))._tag).toBe("overloaded")
        yield* release
        expect(Exit.hasInterrupts(yield* Fiber.await(fibers[0]!))).toBe(true)
        expect(yield* Fiber.join(fibers[1]!)).toMatch(/^\$argon2id/)
        expect(watch.most).toBe(1)
      }),
    ),
  )
})
