import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { Cause, Effect, Layer, Redacted, References } from "effect"
import { reasonOf, rootCauseOf } from "../root-cause.ts"
import { isTlsFault } from "../tls-fault.ts"
import { RedisUnavailable } from "./redis-unavailable.ts"

/** What Redis answers to a wrong password, a user without rights, or an unknown database. */
const refusals = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid DB|DB index))/

const unavailable = (cause: unknown) =>
  new RedisUnavailable({ cause, isFinal: refusals.test(reasonOf(cause)) || isTlsFault(rootCauseOf(cause)) })

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
    Layer.catchCause((cause) => Layer.effectContext(Effect.fail(unavailable(Cause.squash(cause))))),
    // The client logs each attempt to connect, with a stack trace. The limits log the requests that were not counted.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  )
