import { Effect, Option } from "effect"
import { PublicFetch, type PublicRequest } from "../../../../domain/ports/public-fetch.ts"

/** A response of a client's server. */
export const responding = (status: number, body = "") => ({ status, headers: {}, body: Option.some(new TextEncoder().encode(body)) })

/** The server of a client's `jwks_uri`: its answer can be replaced, and it counts the requests. */
export const keyServer = () => {
  const server = { requests: [] as Array<PublicRequest>, answer: () => responding(404) }
  const client = PublicFetch.of({
    fetch: (request) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          server.requests.push(request)
          return server.answer()
        }),
      ),
  })
  return { server, client }
}
