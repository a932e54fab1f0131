import type { IncomingHttpHeaders, RequestListener } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import type { Sms } from "../../../domain/ports/sms-sender.ts"
import { SmsSender } from "../../../domain/ports/sms-sender.ts"

export const sms: Sms = { to: "+15550001", text: "Your code is 123456.", id: "id-1" }

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A gateway on this machine for the duration of a test, and the requests that it received. It answers 200 unless the test sets another answer. */
export const gateway = Effect.fnUntraced(function* (answer: RequestListener = (_, response) => response.end(), port = 0) {
  const requests: Array<Request> = []
  const broken: Array<string> = []
  const server = createServer(async (request, response) => {
    response.on("close", () => response.writableFinished || broken.push(request.url ?? ""))
    const { method = "", url: path = "", headers } = request
    requests.push({ method, path, headers, body: await text(request) })
    answer(request, response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const listening = (server.address() as AddressInfo).port
  return { requests, broken, port: listening, origin: `http://127.0.0.1:${listening}` }
})

/** Answers every request with this status and body. */
export const always =
  (status: number, body = "", headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

/** A sender over real connections. */
export const senderOf = <E>(layer: Layer.Layer<SmsSender, E, HttpClient.HttpClient>) =>
  Effect.map(Layer.build(Layer.fresh(layer).pipe(Layer.provide(NodeHttpClient.layerUndici))), Context.get(SmsSender))

/** Waits until a condition is true. The test clock cannot be used, because the condition depends on a real connection. */
export const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() =>
    isSo()
      ? Effect.void
      : Effect.andThen(
          Effect.promise(() => new Promise((done) => setTimeout(done, 5))),
          until(isSo),
        ),
  )
