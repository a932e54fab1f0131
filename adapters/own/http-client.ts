import { Effect, Layer } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { answerOf, hasMethods } from "./answer.ts"
import type { OwnHttpClient } from "./ports.ts"

export const isHttpClient = (value: unknown): value is OwnHttpClient => hasMethods(value, ["fetch"])

export const layer = (own: OwnHttpClient): Layer.Layer<HttpClient.HttpClient> => {
  const send: typeof fetch = (input, init) => Effect.runPromise(answerOf(() => own.fetch(new Request(input, init))))
  return FetchHttpClient.layer.pipe(
    Layer.provideMerge(Layer.succeed(FetchHttpClient.Fetch, send)),
    Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })),
  )
}
