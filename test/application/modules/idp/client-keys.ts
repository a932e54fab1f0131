import { Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

/** The server of a client's `jwks_uri`: its answer can be replaced, and it counts the requests. */
export const keyServer = () => {
  const server = { count: 0, answer: (): Response => new Response("", { status: 404 }) }
  const client = HttpClient.make((request) =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => {
        server.count += 1
        return HttpClientResponse.fromWeb(request, server.answer())
      }),
    ),
  )
  return { server, client }
}
