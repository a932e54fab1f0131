import { Effect, Layer, type Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import * as Connection from "./connection.ts"

/** A request waits this long to be counted. */
const patience = "500 millis"

const bounded = <A>(count: Effect.Effect<A, RateLimiter.RateLimiterError>) =>
  Effect.timeoutOrElse(count, { duration: patience, orElse: () => Effect.fail(notCounted) })

const notCounted = new RateLimiter.RateLimiterError({
  reason: new RateLimiter.RateLimitStoreError({ message: "Redis did not answer in time" }),
})

/** Counts attempts in Redis, for all instances together (`rate_limit.store: "redis"`). */
export const layer = (url: Redacted.Redacted) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.map(RateLimiter.makeStoreRedis({ prefix: "sallyport:" }), (store) => ({
      ...store,
      fixedWindow: (options) => bounded(store.fixedWindow(options)),
      tokenBucket: (options) => bounded(store.tokenBucket(options)),
    })),
  ).pipe(Layer.provide(Connection.layer(url)))
