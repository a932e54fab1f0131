import { DateTime, Duration, Effect, Hash, Layer, Option, Schema, Semaphore } from "effect"
import { RateLimiter } from "effect/persistence"
import { modify, Store } from "../ports/store.ts"
import * as Table from "../storage/table.ts"

const Counter = Schema.Struct({ key: Schema.String, count: Schema.Number, since: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc })
type Counter = typeof Counter.Type

export const Counters = Table.make("rate_limit", Counter, { key: "key", expires: "expires_at" })

type Decision<A> = (held: Counter | undefined, now: DateTime.Utc) => readonly [answer: A, left: Counter | undefined]

type Asked<Verb extends "fixedWindow" | "tokenBucket"> = Parameters<RateLimiter.RateLimiterStore["Service"][Verb]>[0]

/** Runs decisions on counters, one at a time for each key. */
type Count = <A>(key: string, decision: Decision<A>) => Effect.Effect<A, RateLimiter.RateLimiterError>

const make = (count: Count) =>
  RateLimiter.RateLimiterStore.of({
    fixedWindow: (asked) => count(asked.key, (held, now) => fixedWindow(asked, held, now)),
    tokenBucket: (asked) => count(asked.key, (held, now) => tokenBucket(asked, held, now)),
    adaptiveConsume: () => Effect.succeed({ delay: Duration.zero, epoch: 0, phase: "inactive" as const }),
    adaptiveFeedback: () => Effect.void,
  })

/** Counts tries where the Store is, so that several instances share them. */
export const layerStore = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const store = yield* Store
    const lanes = Array.from({ length: 64 }, () => Semaphore.makeUnsafe(1))
    /** Tries of one process that count on one row wait for each other here rather than try again and again there. */
    const inTurn = (key: string) => lanes[Math.abs(Hash.string(key)) % lanes.length]!.withPermit
    return make((key, decision) =>
      Effect.flatMap(DateTime.now, (now) =>
        modify(Counters, key, (held) => {
          const [answer, left] = decision(Option.getOrUndefined(held), now)
          return [answer, Option.fromUndefinedOr(left)]
        }),
      ).pipe(Effect.provideService(Store, store), Effect.catchCause(unreachable), inTurn(key)),
    )
  }),
)

const sweepEvery = Duration.minutes(1)

/** The most counters that a process holds, some 50 MB: an attacker with many networks makes new ones faster than they are swept. */
const maxCounters = 200_000

/**
 * Counts tries in this process. Unlike effect's own counters these are swept and bounded: strangers choose the keys. The counter that was
 * not used for longest makes room, so that an attacker has to fill the memory with others before one starts again at zero.
 */
export const layerMemoryOf = (most: number) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const counters = new Map<string, Counter>()
      const sweep = Effect.map(DateTime.now, (now) => {
        for (const [key, { expires_at }] of counters) if (DateTime.isLessThanOrEqualTo(expires_at, now)) counters.delete(key)
      })
      yield* sweep.pipe(Effect.delay(sweepEvery), Effect.forever, Effect.forkScoped)

      const keep = (key: string, counter: Counter) => {
        counters.delete(key)
        counters.set(key, counter)
        const [oldest] = counters.keys()
        if (counters.size > most && oldest !== undefined) counters.delete(oldest)
      }
      return make((key, decision) =>
        Effect.map(DateTime.now, (now) => {
          const [answer, left] = decision(counters.get(key), now)
          if (left !== undefined) keep(key, left)
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

/** A window opens with its first try and is over when the tries in it have been paid for. */
const fixedWindow = (asked: Asked<"fixedWindow">, held: Counter | undefined, now: DateTime.Utc) => {
  const { key, tokens, refillRate, limit } = asked
  const open = held !== undefined && DateTime.isGreaterThan(held.expires_at, now) ? held : { key, count: 0, since: now, expires_at: now }
  const count = open.count + tokens
  if (limit !== undefined && count > limit) return [[count, remaining(open, now)], held] as const

  const left = { ...open, count, expires_at: DateTime.addDuration(open.expires_at, Duration.times(refillRate, tokens)) }
  return [[count, remaining(left, now)], left] as const
}

const remaining = ({ expires_at }: Counter, now: DateTime.Utc) => DateTime.toEpochMillis(expires_at) - DateTime.toEpochMillis(now)

/** `count` holds the tokens left, `since` the start of the running refill interval. */
const tokenBucket = (asked: Asked<"tokenBucket">, held: Counter | undefined, now: DateTime.Utc) => {
  const { key, tokens, refillRate, limit, allowOverflow } = asked
  const interval = Duration.toMillis(refillRate)
  const since = held === undefined ? now : held.since
  const refills = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / interval)
  const before = held?.count ?? limit
  const refilled = refills > 0 ? Math.min(limit, before + refills) : before
  const start = refilled >= limit ? now : DateTime.add(since, { milliseconds: refills * interval })
  const left = refilled - tokens
  const elapsed = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(start)

  const count = allowOverflow || left >= 0 ? left : refilled
  const expires_at = DateTime.add(now, { milliseconds: (limit - count) * interval })
  return [[left, elapsed], { key, count, since: start, expires_at }] as const
}
