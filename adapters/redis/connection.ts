import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { Cause, Effect, Layer, Redacted, References } from "effect"
import { RedisUnavailable } from "./redis-unavailable.ts"

/** The maximum number of commands that wait for an answer. */
const maxCommands = 10_000

/** One connection to Redis or Valkey. While it is lost, commands fail at once, instead of waiting in a queue. */
export const layer = (url: Redacted.Redacted) =>
  NodeRedis.layer({
    url: Redacted.value(url),
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxCommands,
    socket: { connectTimeout: 5_000 },
  }).pipe(
    Layer.catchCause((cause) => Layer.effectContext(Effect.fail(new RedisUnavailable({ cause: Cause.squash(cause) })))),
    // The client logs each attempt to connect, with a stack trace. The limits log the requests that were not counted.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  )
