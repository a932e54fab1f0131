import { Effect, Layer } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { type Answer, answerOf, hasMethods } from "./answer.ts"

/** Your own HTTP client, as `http` in the configuration: for providers, gateways and the check for breached passwords. */
export interface OwnHttpClient {
  /** Sends the request and resolves with the response as it is. `request.redirect` is `manual`: a followed redirect could leave the configured host. */
  fetch(request: Request): Answer<Response>
}

export const isHttpClient = (value: unknown): value is OwnHttpClient => hasMethods(value, ["fetch"])

export const layer = (own: OwnHttpClient): Layer.Layer<HttpClient.HttpClient> => {
  const send: typeof fetch = (input, init) => Effect.runPromise(answerOf(() => own.fetch(new Request(input, init))))
  return FetchHttpClient.layer.pipe(
    Layer.provideMerge(Layer.succeed(FetchHttpClient.Fetch, send)),
    Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })),
  )
}
