import type { IncomingMessage, ServerResponse } from "node:http"
import { sendNodeResponse } from "@whatwg-node/server"
import { InternalError, NotFound } from "../../domain/errors.ts"
import type { Sallyport } from "./own-server.ts"
import { refusedResponse } from "./refused-response.ts"

/** The part of a `node:http` request that the public types use. It is declared here so that they do not depend on Node's types. */
export interface NodeRequest {
  readonly headers: object
  readonly socket: object
}
export interface NodeResponse {
  readonly headersSent: boolean
  readonly statusCode: number
}

type Fetch = Sallyport<unknown>["fetch"]

/**
 * A `node:http` handler for a service, for Express, Fastify, Koa or a plain server. The peer address is that of the socket. h3 ends the
 * response when the promise is fulfilled.
 */
export const nodeHandler =
  ({ fetch }: { readonly fetch: Fetch }): ((request: NodeRequest, response: NodeResponse) => Promise<void>) =>
  (request, response) =>
    answer(fetch, request as Handled, response as ServerResponse)

const answer = async (fetch: Fetch, req: Handled, res: ServerResponse) => {
  const disconnected = new AbortController()
  res.once("close", () => {
    if (!res.writableFinished) disconnected.abort()
  })
  await sendNodeResponse(await responseTo(fetch, req, disconnected.signal), res, req, false)
}

/** Methods that a `Request` cannot have (Fetch Standard section 2.2.1). */
const isForbidden = (method: string) => /^(connect|trace|track)$/i.test(method)

const responseTo = async (fetch: Fetch, req: Handled, signal: AbortSignal): Promise<Response> => {
  if (isForbidden(req.method ?? "")) return refusedResponse(new NotFound())
  try {
    return await fetch(asSent(req, signal), { address: req.socket.remoteAddress ?? null })
  } catch {
    return refusedResponse(new InternalError())
  }
}

/** The changes that a framework made to a request before the handler: Express strips mount paths, and its parsers consume bodies. */
interface Handled extends IncomingMessage {
  readonly originalUrl?: string
  readonly body?: unknown
}

/** The request as the client sent it, with the body that a parser read. The service reads only path and query of its URL. */
const asSent = (req: Handled, signal: AbortSignal): Request => {
  const { method = "GET", originalUrl, url = "/", headers } = req
  const target = (originalUrl ?? url).replace(/^https?:\/\/[^/?]*/i, "")
  const sent = { method, signal, headers: new Headers(Object.entries(headers).flatMap(asField)) }
  const address = `http://localhost${target.startsWith("/") ? "" : "/"}${target}`
  if (method === "GET" || method === "HEAD") return new Request(address, sent)
  if (!isRead(req)) return new Request(address, { ...sent, body: streamOf(req), ...half })
  // The body is written again, so its length can differ.
  sent.headers.delete("content-length")
  return new Request(address, { ...sent, body: written(req.body, headers["content-type"] ?? "") })
}

/** A header field of `node:http`; in HTTP/2, names with a colon describe the target and are no fields. */
const asField = ([name, value]: [string, string | ReadonlyArray<string> | undefined]): Array<[string, string]> =>
  name.startsWith(":") || value === undefined ? [] : [value].flat().map((each) => [name, each])

/** Whether a parser has read the body. Express 4 sets an empty object if none has: then the stream still contains the body. */
const isRead = ({ body, readableDidRead, readableEnded }: Handled): boolean =>
  readableDidRead || readableEnded || Object.keys(Object(body)).length > 0

/** Required with a stream (Fetch Standard section 5.3); the types do not declare it. */
const half = { duplex: "half" }

/** The unread body. A refused body leaves the connection open, on which the client gets the response. */
const streamOf = (req: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks = req.iterator({ destroyOnReturn: false })
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return?.()
    },
  })
}

const written = (body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return JSON.stringify(body) ?? ""
  const fields = Object.entries(Object(body) as Readonly<Record<string, unknown>>)
  return new URLSearchParams(fields.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))).toString()
}
