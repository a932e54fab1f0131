import { ByteSize, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidJson, PayloadTooLarge } from "../../domain/Errors.ts"

/** Bytes that are not UTF-8 are refused; replaced, a name would come back as another one. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The body of a request, which has to be a JSON object; no body at all is the empty one. */
export const jsonBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(text(request), parse)
}

/** The body of a request as text. More than `maxBytes` is never read, whatever the headers say. */
export const textBody = (maxBytes: number) => {
  const limit = ByteSize.fromInputUnsafe(maxBytes)

  return (request: HttpServerRequest.HttpServerRequest) => {
    if (Number(request.headers["content-length"]) > maxBytes) return Effect.fail(new PayloadTooLarge())
    return request.arrayBuffer.pipe(
      Effect.provideService(HttpServerRequest.MaxBodySize, limit),
      Effect.mapError(({ reason }) =>
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? new PayloadTooLarge() : new InvalidJson(),
      ),
      Effect.flatMap(decode),
    )
  }
}

const decode = (bytes: ArrayBuffer) => Effect.try({ try: () => utf8.decode(bytes), catch: () => new InvalidJson() })

const parse = (text: string): Effect.Effect<object, InstanceType<typeof InvalidJson>> => {
  if (text === "") return Effect.succeed({})
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    return isObject ? Effect.succeed(value) : Effect.fail(new InvalidJson())
  } catch {
    return Effect.fail(new InvalidJson())
  }
}
