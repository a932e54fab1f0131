import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { formBody, isForm } from "./form-body.ts"
import { jsonBody } from "./json-body.ts"

/** Bodies of requests that are not counted yet are read up to this length. Longer ones, and ones without a length, are counted first. */
const maxUncounted = 8192

/** Finds the client that a request proves to come from, where the endpoint's protocol has clients. The handler reads the same body again. */
export const clientReader = (maxBodyBytes: number) => {
  const form = formBody(maxBodyBytes)
  const json = jsonBody(maxBodyBytes)

  return (request: HttpServerRequest.HttpServerRequest, endpoint: AnyEndpoint | undefined) => {
    const client = endpoint?.protocol?.client
    if (client === undefined) return Effect.succeed(null)
    const isShort = Number(request.headers["content-length"] ?? Number.NaN) <= maxUncounted
    const read: Effect.Effect<unknown, unknown> = isShort ? (isForm(request) ? form : json)(request) : Effect.succeed({})
    const body = Effect.orElseSucceed(read, () => ({}))
    return Effect.flatMap(body, (body) => client({ authorization: request.headers["authorization"] ?? null, body }))
  }
}
