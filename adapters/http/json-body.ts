import { ByteSize, Effect, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidJson, PayloadTooLarge } from "../../domain/errors.ts"
import { isJsonObject, maxJsonValues, structureOf } from "../../domain/values/json.ts"
import { blocksIn, CountFurther, lengthOf } from "./body-size.ts"

/** Invalid UTF-8 is refused: a replacement character would store another text than the one sent. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/**
 * Reads a JSON object that is sent as JSON; an absent body is the empty object. Pages of other origins can send forms and plain text
 * with cookies and without a preflight, so a body of another type is refused even if it is valid JSON.
 */
export const jsonBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(text(request), (body): Effect.Effect<object, InstanceType<typeof InvalidJson>> => {
      if (body === "") return Effect.succeed({})
      if (isJson(request.headers["content-type"])) return Effect.flatMap(pauseAfter(body), () => parse(body))
      return Effect.fail(new InvalidJson({ message: "The body must have the content type application/json." }))
    })
}

const isJson = (contentType = "") => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)

/** Reads the body as text; at most `maxBytes`, also with a smaller `Content-Length` or without one. */
export const textBody = (maxBytes: number) => (request: HttpServerRequest.HttpServerRequest) => {
  const length = lengthOf(request.headers)
  if (length === undefined) return Effect.flatMap(unannounced(request, maxBytes), decode)
  if (length > maxBytes) return Effect.fail(new PayloadTooLarge())
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.fromInputUnsafe(maxBytes)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? new PayloadTooLarge() : new InvalidJson(),
    ),
    Effect.flatMap(decode),
  )
}

/**
 * Reads a body without `Content-Length`, and counts each block of it before the next one is kept: otherwise such bodies would occupy memory
 * that no budget limits.
 */
const unannounced = Effect.fnUntraced(function* readUnannounced(request: HttpServerRequest.HttpServerRequest, maxBytes: number) {
  if (isEmpty(request)) return Buffer.alloc(0)
  const count = yield* CountFurther
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  const keep = (chunk: Uint8Array) => {
    const before = blocksIn(bytes)
    bytes += chunk.length
    if (bytes > maxBytes) return Effect.fail(new PayloadTooLarge())
    chunks.push(chunk)
    return count(blocksIn(bytes) - before)
  }
  const body = Stream.mapError(request.stream, () => new InvalidJson())
  yield* Stream.runForEach(body, keep)
  return Buffer.concat(chunks)
})

/** Whether a request of the Fetch API has no body; a request of `node:http` then has an empty stream. */
const isEmpty = ({ source }: HttpServerRequest.HttpServerRequest) => "body" in source && source.body === null

/** Lets other requests run between decoding a large body and parsing it: each takes milliseconds for 1 MB. */
const pauseAfter = ({ length }: string) => (length > 65_536 ? Effect.yieldNow : Effect.void)

const decode = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, InstanceType<typeof InvalidJson>> => {
  try {
    return Effect.succeed(utf8.decode(bytes))
  } catch {
    return Effect.fail(new InvalidJson())
  }
}

const parse = (text: string): Effect.Effect<object, InstanceType<typeof InvalidJson>> => {
  if (structureOf(text).values > maxJsonValues)
    return Effect.fail(new InvalidJson({ message: `The body has more than ${maxJsonValues} values.` }))
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? Effect.succeed(value) : Effect.fail(new InvalidJson())
  } catch {
    return Effect.fail(new InvalidJson())
  }
}
