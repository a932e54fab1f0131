import { Context, Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

interface State {
  /** Whether this process is stopping: `/readyz` then refuses, and every response closes its connection. */
  readonly isDraining: boolean
  /** Succeeds just before the listener closes: responses without an end, such as event streams, then end. */
  readonly closing: Effect.Effect<void>
}

/** How far this process is with its stop. */
export const Drain = Context.Reference<State>("sallyport/Drain", {
  defaultValue: () => ({ isDraining: false, closing: Effect.never }),
})

class Stop extends Context.Service<Stop, { readonly begin: Effect.Effect<void>; readonly close: Effect.Effect<void> }>()(
  "sallyport/Drain/Stop",
) {}

/** The state of one process, for the layers of `serving` and `onStop`. */
export const layer = Layer.suspend(() => {
  const closing = Deferred.makeUnsafe<void>()
  const state = { isDraining: false, closing: Deferred.await(closing) }
  const begin = Effect.sync(() => {
    state.isDraining = true
  })
  const close = Effect.asVoid(Deferred.succeed(closing, undefined))
  return Layer.merge(Layer.succeed(Drain, state), Layer.succeed(Stop, { begin, close }))
})

/**
 * Sends `Connection: close` while the process drains: a load balancer then opens its next connection to another process. `close()` of Node
 * resets requests that arrive on idle connections. Provide it to the routes: the middleware that is added first also processes the
 * responses of the others.
 */
export const closingConnections = HttpRouter.use((router) =>
  Effect.flatMap(Drain, (drain) =>
    router.addGlobalMiddleware(
      Effect.map((response) => (drain.isDraining ? HttpServerResponse.setHeader(response, "connection", "close") : response)),
    ),
  ),
)

/**
 * Announces the stop and waits `delay` seconds before event streams end and the listener closes, so that load balancers notice the stop.
 * Acquire it after the server, whose scope closes the listener.
 */
export const onStop = (delay: () => number) =>
  Layer.effectDiscard(
    Effect.flatMap(Stop, ({ begin, close }) =>
      Effect.addFinalizer(() =>
        Effect.gen(function* drain() {
          yield* begin
          yield* Effect.sleep(`${delay()} seconds`)
          yield* close
        }),
      ),
    ),
  )
