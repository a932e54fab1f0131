import { Deferred, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { OpenStream } from "../../application/service/stream-reader.ts"
import { disconnect } from "../http/event-stream.ts"

/**
 * Binds the stream that a request opens to the request: the stream is closed when the request ends, and a client that reads it too slowly is
 * disconnected. Returns the function that gets the stream.
 */
export const bindStream = Effect.fnUntraced(function* bindStream(request: HttpServerRequest.HttpServerRequest) {
  const opened = yield* Deferred.make<OpenStream>()
  let stream: OpenStream | undefined
  let isOver = false
  yield* Effect.addFinalizer(() => {
    isOver = true
    return stream?.close ?? Effect.void
  })
  const whenTooSlow = Effect.flatMap(Deferred.await(opened), ({ overflowed }) => overflowed)
  yield* Effect.forkScoped(Effect.andThen(whenTooSlow, disconnect(request)))
  return (given: OpenStream) => {
    stream = given
    Deferred.doneUnsafe(opened, Effect.succeed(given))
    // The client has disconnected while the stream was being opened.
    if (isOver) Effect.runSync(given.close)
  }
})
