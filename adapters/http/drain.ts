import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** Whether this process is stopping: `/readyz` then refuses, and every response closes its connection. */
export const Drain = Context.Reference<{ readonly isDraining: boolean }>("sallyport/Drain", {
  defaultValue: () => ({ isDraining: false }),
})

class Begin extends Context.Service<Begin, () => void>()("sallyport/Drain/Begin") {}

/** The state of one process, for the layers of `serving` and `onStop`. */
export const layer = Layer.suspend(() => {
  const state = { isDraining: false }
  const begin = () => {
    state.isDraining = true
  }
  return Layer.merge(Layer.succeed(Drain, state), Layer.succeed(Begin, begin))
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
 * Announces the stop and waits `delay` seconds before the listener closes, so that load balancers notice the stop. Acquire it after the
 * server, whose scope closes the listener.
 */
export const onStop = (delay: () => number) =>
  Layer.effectDiscard(
    Effect.flatMap(Begin, (begin) =>
      Effect.addFinalizer(() =>
        Effect.andThen(
          Effect.sync(begin),
          Effect.suspend(() => Effect.sleep(`${delay()} seconds`)),
        ),
      ),
    ),
  )
