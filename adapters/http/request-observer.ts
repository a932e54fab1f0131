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

interface Observer {
  readonly observe: Observe
  /** Requests are observed always, or while lines of the level `debug` are written. */
  readonly when: "always" | { readonly isDebug: boolean }
}

/** Called for the requests that the guard answers: for logs, metrics and traces. By default there is none. */
export const RequestObserver = Context.Reference<Observer | undefined>("sallyport/RequestObserver", { defaultValue: () => undefined })
