import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"
import * as PublicFetch from "../../../adapters/outgoing/public-fetch.ts"
import { layer } from "../../../adapters/webhooks/sender.ts"
import { type WebhookMessage, WebhookSender } from "../../../domain/ports/webhook-sender.ts"
import { hostileUrls, resolver } from "../../hostile-urls.ts"
import { countingListener } from "../../listener.ts"

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A receiver on this machine, and the requests that it got. */
const receiver = async (answer: (response: ServerResponse) => void) => {
  const requests: Array<{ readonly headers: IncomingMessage["headers"]; readonly body: string }> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    requests.push({ headers: request.headers, body })
    answer(response)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return { requests, port: (server.address() as AddressInfo).port }
}

const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]
const message = { id: "an id", body: '{"type":"user.created"}', secrets, allow_private: true }

const sender = Layer.provide(layer, PublicFetch.layer(resolver(["127.0.0.1"]).lookup))
const send = (one: Partial<WebhookMessage> & { readonly url: string }) =>
  Effect.runPromise(Effect.flatMap(WebhookSender, ({ send }) => send({ ...message, ...one })).pipe(Effect.provide(sender)))

describe("a webhook", () => {
  it("is signed so that a receiver with either secret verifies it", async () => {
    const { requests, port } = await receiver((response) => response.end())
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({ isAccepted: true, status: 200 })
    const [{ headers, body } = { headers: {}, body: "" }] = requests
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ type: "user.created" })
    expect(() => new Webhook("whsec_b3RoZXIgc2VjcmV0IG90aGVyIHNlY3JldA==").verify(body, headers as Record<string, string>)).toThrow()
  })

  it("is refused by every other status, and follows no redirect", async () => {
    const { requests, port } = await receiver((response) => response.writeHead(302, { location: "/other", "retry-after": "7" }).end())
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({
      isAccepted: false,
      status: 302,
      reason: "status 302",
      isGone: false,
      retryAfter: 7,
    })
    expect(requests).toHaveLength(1)
  })

  it("reports a receiver that is gone", async () => {
    const { port } = await receiver((response) => response.writeHead(410).end())
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ isGone: true })
  })

  it("does not read a long answer to its end", async () => {
    const { port } = await receiver((response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more)
      }
      more()
    })
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({ isAccepted: true, status: 200 })
  })

  it("is not sent to a private address, nor by http", async () => {
    const { count, port, close } = await countingListener()
    for (const url of hostileUrls(port)) {
      const reason = /^https:/i.test(url) ? "the address is private" : "the URL is not https"
      expect(await send({ url, allow_private: false })).toEqual({
        isAccepted: false,
        status: null,
        reason,
        isGone: false,
        retryAfter: null,
      })
    }
    expect(await send({ url: `https://name.example:${port}/`, allow_private: false })).toMatchObject({ reason: "the address is private" })
    close()
    expect(count.connections).toBe(0)
  })
})
