import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidJson, PayloadTooLarge } from "../../domain/Errors.ts"

/**
 * The body of a request, which has to be a JSON object; no body at all is the
 * empty one. More than the server's limit is never read, whatever the headers say.
 */
export const jsonBody = (request: HttpServerRequest.HttpServerRequest) =>
  request.text.pipe(
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? new PayloadTooLarge() : new InvalidJson(),
    ),
    Effect.flatMap(parse),
  )

const parse = (text: string) => {
  if (text === "") return Effect.succeed({})
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    return isObject ? Effect.succeed(value) : Effect.fail(new InvalidJson())
  } catch {
    return Effect.fail(new InvalidJson())
  }
}
