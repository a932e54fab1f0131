import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Auth } from "../../../application/service/auth.ts"
import { NotFound } from "../../../domain/errors.ts"
import { disconnect } from "../../http/event-stream.ts"
import type { Followed, FollowedEvent } from "../page.ts"

/**
 * Opens a stream of events for the caller, until the scope ends. A browser that connects again continues after the last event that it has
 * received (`Last-Event-ID`); the connection of a too slow one is closed.
 */
export const followed = Effect.fnUntraced(function* followedStream<R>(
  auth: Auth<R>,
  request: HttpServerRequest.HttpServerRequest,
  name: string,
  given: Pick<Followed, "after">,
) {
  const stream = auth.streams.find((each) => each.name === name)
  if (stream === undefined) return yield* new NotFound()
  const { body: viewer } = yield* auth.viewer
  const after = request.headers["last-event-id"]
  const input = after === undefined ? given : { ...given, after }
  const services = yield* Effect.context<any>()
  const { next, overflowed } = yield* auth.open(stream, viewer, input)
  yield* Effect.forkScoped(Effect.andThen(overflowed, disconnect(request)))
  const encode = Schema.encodeSync(Schema.toCodecJson(stream.output))
  const shown = Effect.map(next, (event): FollowedEvent | undefined => event && { ...event, encoded: () => encode(event.value) })
  const opened: Followed = { ...input, next: Effect.provideContext(shown, services) }
  return opened
})
