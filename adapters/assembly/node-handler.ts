import type { IncomingMessage, ServerResponse } from "node:http"
import { createServerAdapter } from "@whatwg-node/server"
import type { Sallyport } from "./own-server.ts"

/** The part of a request of `node:http` that types need: the package's types do without those of Node. */
export interface NodeRequest {
  readonly headers: object
  readonly socket: object
}
export interface NodeResponse {
  readonly headersSent: boolean
  readonly statusCode: number
}

/** Mounts a service where a handler of `node:http` goes: in Express, Fastify, Koa or a plain server. The peer is the socket's. */
export const nodeHandler = ({ fetch }: Pick<Sallyport<unknown>, "fetch">): ((request: NodeRequest, response: NodeResponse) => void) => {
  const handle = createServerAdapter<{ readonly req: IncomingMessage }>((request, { req }) =>
    fetch(asSent(request, req), { address: req.socket.remoteAddress ?? null }),
  )
  return (request, response) => void handle(request as IncomingMessage, response as ServerResponse)
}

/** What a framework did to a request before its handlers: Express strips mount paths, and its parsers consume bodies. */
interface Handled extends IncomingMessage {
  readonly originalUrl?: string
  readonly body?: unknown
}

/** The request with the target that the client sent, and with the body that a parser read. */
const asSent = (request: Request, { originalUrl, url = "", body }: Handled): Request => {
  const target = originalUrl ?? url
  const sent = target.startsWith("/") ? `${new URL(request.url).origin}${target}` : request.url
  if (request.method === "GET" || request.method === "HEAD" || body === undefined) {
    return sent === request.url ? request : new Request(sent, request)
  }
  const { method, headers } = request
  return new Request(sent, { method, headers, body: written(body, headers.get("content-type") ?? "") })
}

const written = (body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (!contentType.startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body)
  const fields = Object.entries(Object(body) as Readonly<Record<string, unknown>>)
  return new URLSearchParams(fields.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))).toString()
}
