import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Effect, Layer } from "effect"
import { HttpClient, type HttpClientError } from "effect/http"
import { retainedOnSuccess } from "./retained.ts"

/** Sends requests by undici, which follows no redirects. It is large, so it is loaded with the first request. */
export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* makeHttpClient() {
    const scope = yield* Effect.scope
    const client = yield* retainedOnSuccess(
      Effect.map(Layer.buildWithScope(NodeHttpClient.layerUndici, scope), Context.get(HttpClient.HttpClient)),
    )
    return HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
      Effect.flatMap((request) => Effect.flatMap(client, ({ execute }) => execute(request))),
      Effect.succeed,
    )
  }),
)
