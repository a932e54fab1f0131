import type { IncomingMessage, ServerResponse } from "node:http"
import { createServerAdapter } from "@whatwg-node/server"
import type { Sallyport } from "./own-server.ts"

/** The part of a `node:http` request that the public types use. It is declared here so that they do not depend on Node's types. */
export interface NodeRequest {
  readonly headers: object
  readonly socket: object
}
export interface NodeResponse {
  readonly headersSent: boolean
  readonly statusCode: number
}

/** A `node:http` handler for a service, for Express, Fastify, Koa or a plain server. The peer address is that of the socket. */
export const nodeHandler = ({ fetch }: Pick<Sallyport<unknown>, "fetch">): ((request: NodeRequest, response: NodeResponse) => void) => {
  const handle = createServerAdapter<Context>((request, { req, ...sent }) =>
    fetch(asSent(request, req, sent), { address: req.socket.remoteAddress ?? null }),
  )
  return (request, response) => {
    const req = request as IncomingMessage
    // This is read before the adapter runs: the adapter labels a parsed form as JSON, even in `req.headers`, and a form from another
    // origin would be accepted as JSON.
    const contentType = req.headers["content-type"] ?? ""
    void handle(req, response as ServerResponse, { contentType, body: parsedBody(req) })
  }
}

/** What the client sent, before the adapter changed it. */
interface Sent {
  readonly contentType: string
  /** The body, if a parser of the framework has read it. */
  readonly body: unknown
}
interface Context extends Sent {
  readonly req: Handled
}

/** The changes that a framework made to a request before the handler: Express strips mount paths, and its parsers consume bodies. */
interface Handled extends IncomingMessage {
  readonly originalUrl?: string
  readonly body?: unknown
}

/** The parsed body. Express 4 sets an empty object if no parser has read the body: then the stream still contains it. */
const parsedBody = ({ body, readableDidRead, readableEnded }: Handled): unknown =>
  readableDidRead || readableEnded || Object.keys(Object(body)).length > 0 ? body : undefined

/** The request with the target that the client sent, and with the body that a parser read. */
const asSent = (request: Request, { originalUrl, url = "" }: Handled, { contentType, body }: Sent): Request => {
  const target = originalUrl ?? url
  const sent = target.startsWith("/") ? `${new URL(request.url).origin}${target}` : request.url
  if (request.method === "GET" || request.method === "HEAD" || body === undefined) {
    return sent === request.url ? request : new Request(sent, request)
  }
  const headers = new Headers(request.headers)
  headers.set("content-type", contentType)
  return new Request(sent, { method: request.method, headers, body: written(body, contentType) })
}

const written = (body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return JSON.stringify(body)
  const fields = Object.entries(Object(body) as Readonly<Record<string, unknown>>)
  return new URLSearchParams(fields.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))).toString()
}
