import { Socket } from "node:net"
import { Effect, Random, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

// Server-sent events (HTML Living Standard, section 9.2).

export interface ServerSentEvent {
  /** A client sends the last id that it has received in `Last-Event-ID`. */
  readonly id?: string | undefined
  readonly event: string
  /** One line. */
  readonly data: string
}

/** Time between two comments, in seconds: many proxies close connections that are silent for 30 to 60 seconds. */
const heartbeat = 15
/** The pause until a client reconnects after the service has ended its stream, in milliseconds: random, so that not all return at once. */
const pause = [1000, 5000] as const

const written = ({ id, event, data }: ServerSentEvent) => `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

const retry = Effect.map(Random.nextIntBetween(...pause), (millis) => `retry: ${millis}\n\n`)

/**
 * The response with these events. It ends after a last event with `complete`. If `closing` succeeds before, or the events end without it,
 * the response ends with a `retry`: the client reconnects, to another process.
 */
export const eventStream = (events: Stream.Stream<ServerSentEvent>, closing: Effect.Effect<void>) => {
  let isComplete = false
  const texts = Stream.map(events, (event) => {
    isComplete = event.event === "complete"
    return written(event)
  })
  const comments = Stream.map(Stream.tick(`${heartbeat} seconds`), () => ":\n\n")
  const ended = Stream.unwrap(Effect.map(retry, (text) => (isComplete ? Stream.empty : Stream.make(text))))
  const body = Stream.merge(comments, texts, { haltStrategy: "right" }).pipe(
    Stream.interruptWhen(closing),
    Stream.concat(ended),
    Stream.encodeText,
  )
  return HttpServerResponse.stream(body, { contentType: "text/event-stream; charset=utf-8", headers: { "x-accel-buffering": "no" } })
}

/** Closes the connection of a request at once. A response to a client that does not read cannot end otherwise. */
export const disconnect = ({ source }: HttpServerRequest.HttpServerRequest) =>
  Effect.sync(() => {
    if ("socket" in source && source.socket instanceof Socket) source.socket.destroy()
  })
