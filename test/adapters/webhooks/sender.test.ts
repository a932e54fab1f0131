import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, LookupFunction } from "node:net"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"
import { isPublic } from "../../../adapters/webhooks/public-address.ts"
import { layer } from "../../../adapters/webhooks/sender.ts"
import { type WebhookMessage, WebhookSender } from "../../../domain/ports/webhook-sender.ts"

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

const send = (one: Partial<WebhookMessage> & { readonly url: string }, lookup?: LookupFunction) =>
  Effect.runPromise(Effect.flatMap(WebhookSender, (sender) => sender.send({ ...message, ...one })).pipe(Effect.provide(layer(lookup))))

describe("a webhook", () => {
  it("is signed so that a receiver with either secret verifies it", async () => {
    const { requests, port } = await receiver((response) => response.end())
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({ isAccepted: true })
    const [{ headers, body } = { headers: {}, body: "" }] = requests
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ type: "user.created" })
    expect(() => new Webhook("whsec_b3RoZXIgc2VjcmV0IG90aGVyIHNlY3JldA==").verify(body, headers as Record<string, string>)).toThrow()
  })

  it("is refused by every other status, and follows no redirect", async () => {
    const { requests, port } = await receiver((response) => response.writeHead(302, { location: "/other", "retry-after": "7" }).end())
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({
      isAccepted: false,
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
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual({ isAccepted: true })
  })
})

describe("a private address is refused", () => {
  const refused = { isAccepted: false, reason: "the address is private", isGone: false, retryAfter: null }

  it.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "169.254.169.254", "[fd00::1]"])("%s", async (host) => {
    expect(await send({ url: `https://${host}/`, allow_private: false })).toEqual(refused)
  })

  it("that a name resolves to", async () => {
    expect(await send({ url: "https://localhost/", allow_private: false })).toEqual(refused)
  })

  it("that is one of several", async () => {
    const lookup: LookupFunction = (_host, _options, done) =>
      done(null, [
        { address: "93.184.215.14", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ])
    expect(await send({ url: "https://example.com/", allow_private: false }, lookup)).toEqual(refused)
  })

  it("of a name that resolves to a public and then to a private address, because it is resolved once", async () => {
    const { requests, port } = await receiver((response) => response.end())
    let lookups = 0
    const rebinding: LookupFunction = (_host, _options, done) => {
      lookups += 1
      const address = lookups === 1 ? "192.0.2.1" : "127.0.0.1"
      done(null, [{ address, family: 4 }])
    }
    expect(await send({ url: `https://rebinding.example:${port}/`, allow_private: false }, rebinding)).toEqual(refused)
    expect([lookups, requests]).toEqual([1, []])
  })

  it("and so is http", async () => {
    expect(await send({ url: "http://example.com/", allow_private: false })).toMatchObject({ reason: "the URL is not https" })
  })
})

it.each(["1.1.1.1", "93.184.215.14", "2606:4700::1111"])("%s is public", (address) => {
  expect(isPublic(address)).toBe(true)
})

it.each([
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:7f00:1::",
  "fc00::1",
  "fe80::1",
  "ff02::1",
  "a name",
])("%s is not public", (address) => {
  expect(isPublic(address)).toBe(false)
})
