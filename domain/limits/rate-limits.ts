import { DateTime, Duration, Effect, Hash, Layer, Option, Schema, Semaphore } from "effect"
import { RateLimiter } from "effect/persistence"
import { modify, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"

const Counter = Schema.Struct({ key: Schema.String, count: Schema.Number, since: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc })
type Counter = typeof Counter.Type

export const Counters = Table.make("rate_limit", Counter, { key: "key", expires: "expires_at", shardKey: ["key"] })

type OptionsOf<Verb extends "fixedWindow" | "tokenBucket"> = Parameters<RateLimiter.RateLimiterStore["Service"][Verb]>[0]

/** Takes tokens from a counter. */
type Take<Options, A> = (
  options: Options,
  counter: Counter | undefined,
  now: DateTime.Utc,
) => readonly [answer: A, next: Counter | undefined]

/** Reads a counter, takes tokens from it and stores it, one call at a time for each key. */
type Count = <Options extends { readonly key: string }, A>(
  take: Take<Options, A>,
) => (options: Options) => Effect.Effect<A, RateLimiter.RateLimiterError>

const make = (count: Count) =>
  RateLimiter.RateLimiterStore.of({
    fixedWindow: count(fixedWindow),
    tokenBucket: count(tokenBucket),
    adaptiveConsume: () => Effect.succeed({ delay: Duration.zero, epoch: 0, phase: "inactive" as const }),
    adaptiveFeedback: () => Effect.void,
  })

/** Counts attempts in the Store, so that all instances share the counters. */
export const layerStore = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const store = yield* Store
    const semaphores = Array.from({ length: 64 }, () => Semaphore.makeUnsafe(1))
    /** Concurrent attempts of this process on one row wait here, instead of conflicting in the store and retrying. */
    const oneAtATime = (key: string) => semaphores[Math.abs(Hash.string(key)) % semaphores.length]!.withPermit
    return make(
      (take) => (options) =>
        Effect.flatMap(DateTime.now, (now) =>
          modify(Counters, options.key, (counter) => {
            const [answer, next] = take(options, Option.getOrUndefined(counter), now)
            return [answer, Option.fromUndefinedOr(next)]
          }),
        ).pipe(Effect.provideService(Store, store), Effect.catchCause(unreachable), oneAtATime(options.key)),
    )
  }),
)

const sweepEvery = Duration.minutes(1)

/** The maximum number of counters in memory, about 50 MB: an attacker with many networks creates counters faster than they are swept. */
const maxCounters = 200_000

/**
 * Counts attempts in this process. Unlike the counters of the package `effect`, these are swept and limited in number, since attackers
 * choose the keys. The least recently used counter is removed first, so that an attacker has to create `capacity` others to reset one.
 */
export const layerMemoryOf = (capacity: number) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const counters = new Map<string, Counter>()
      const sweep = Effect.map(DateTime.now, (now) => {
        for (const [key, { expires_at }] of counters) if (DateTime.isLessThanOrEqualTo(expires_at, now)) counters.delete(key)
      })
      yield* sweep.pipe(Effect.delay(sweepEvery), Effect.forever, Effect.forkScoped)

      const set = (key: string, counter: Counter) => {
        counters.delete(key)
        counters.set(key, counter)
        const [oldest] = counters.keys()
        if (counters.size > capacity && oldest !== undefined) counters.delete(oldest)
      }
      return make(
        (take) => (options) =>
          Effect.map(DateTime.now, (now) => {
            const [answer, next] = take(options, counters.get(options.key), now)
            if (next !== undefined) set(options.key, next)
            return answer
          }),
      )
    }),
  )

export const layerMemory = layerMemoryOf(maxCounters)

const unreachable = (cause: unknown) =>
  Effect.fail(
    new RateLimiter.RateLimiterError({
      reason: new RateLimiter.RateLimitStoreError({ message: "the store did not answer", cause }),
    }),
  )

/** The first attempt opens a window. Each token extends the window by `refillRate`. */
const fixedWindow = (options: OptionsOf<"fixedWindow">, counter: Counter | undefined, now: DateTime.Utc) => {
  const { key, tokens, refillRate, limit } = options
  const [each, time] = [Duration.toMillis(refillRate), DateTime.toEpochMillis(now)]
  const left = counter === undefined ? 0 : Math.max(0, DateTime.toEpochMillis(counter.since) + each * counter.count - time)
  const open = counter !== undefined && left > 0 ? counter : { key, count: 0, since: now }
  const count = open.count + tokens
  if (limit !== undefined && count > limit) return [[count, left], counter] as const

  const end = DateTime.toEpochMillis(open.since) + each * count
  return [[count, end - time], { ...open, count, expires_at: toTheMinute(DateTime.makeUnsafe(end)) }] as const
}

/** Rounded up: while no indexed column changes, PostgreSQL replaces a row in its page and changes no index. */
const toTheMinute = (time: DateTime.Utc) => DateTime.makeUnsafe(Math.ceil(DateTime.toEpochMillis(time) / 60_000) * 60_000)

/** `count` is the number of tokens left, `since` the start of the current refill interval. */
const tokenBucket = (options: OptionsOf<"tokenBucket">, counter: Counter | undefined, now: DateTime.Utc) => {
  const { key, tokens, refillRate, limit, allowOverflow } = options
  const interval = Duration.toMillis(refillRate)
  const since = counter === undefined ? now : counter.since
  const refills = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / interval)
  const before = counter?.count ?? limit
  const refilled = refills > 0 ? Math.min(limit, before + refills) : before
  const start = refilled >= limit ? now : DateTime.add(since, { milliseconds: refills * interval })
  const left = refilled - tokens
  const elapsed = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(start)

  const count = allowOverflow || left >= 0 ? left : refilled
  const expires_at = toTheMinute(DateTime.add(now, { milliseconds: (limit - count) * interval }))
  return [[left, elapsed], { key, count, since: start, expires_at }] as const
}
