import { Cause, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type AnyEndpoint, statusOf } from "../../application/service/endpoint.ts"
import { type AuthError, InternalError, Unavailable } from "../../domain/errors.ts"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { logRepeated } from "../../domain/storage/repeated-log.ts"
import { reasonOf } from "../root-cause.ts"
import { isForm } from "./form-body.ts"
import { retryHeaders } from "./response-headers.ts"

/** Writes the response to an error. */
export type Refuse = (
  error: AuthError,
  request: HttpServerRequest.HttpServerRequest,
  endpoint: AnyEndpoint | undefined,
  headers: Readonly<Record<string, string>>,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** The envelope, the format of the endpoint's protocol, or a redirect. */
export const refusal: Refuse = (error, request, endpoint, headers) => {
  if (error.location !== undefined)
    return Effect.succeed(HttpServerResponse.empty({ status: 303, headers: { ...headers, location: error.location } }))
  const status = endpoint === undefined ? error.status : statusOf(endpoint, error)
  const sent = { form: isForm(request), authorization: request.headers["authorization"] ?? null }
  const special = endpoint?.protocol?.refusal?.(error, sent)
  return Effect.succeed(
    HttpServerResponse.jsonUnsafe(special?.body ?? { error: { code: error._tag, message: error.message } }, {
      status,
      headers: { ...headers, ...retryHeaders(error), ...error.fields, ...special?.headers },
    }),
  )
}

/**
 * Logs a defect with its cause; the caller gets `internal_error` or `unavailable` without details. During an outage of the store, one line
 * stands for many requests, and has no stack.
 */
export const refuseDefect = (defect: unknown, request: HttpServerRequest.HttpServerRequest, id: string) => {
  const isOutage = defect instanceof StoreUnavailable
  const [path] = request.url.split("?")
  const log = isOutage
    ? Effect.annotateLogs(logRepeated("The store cannot be reached."), { reason: reasonOf(defect) })
    : Effect.logError("A request failed.", Cause.die(defect))
  return log.pipe(
    Effect.annotateLogs({ request_id: id, method: request.method, path }),
    Effect.andThen(Effect.fail(isOutage ? new Unavailable() : new InternalError())),
  )
}
