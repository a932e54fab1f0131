import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A request, as the guard passes it to observers. */
export interface Arrival {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The path of the route; never that of the request, which a client chooses. */
  readonly route: string
  readonly id: string
  /** The client's address, read through trusted proxies. */
  readonly address: string | null
}

export type Observe = <R>(
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>,
  arrival: Arrival,
) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>

/**
 * Called for every request that the guard answers: for logs, metrics and traces. By default there is none, and requests are not wrapped.
 */
export const RequestObserver = Context.Reference<Observe | undefined>("sallyport/RequestObserver", { defaultValue: () => undefined })
