import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ownMailer } from "../../../examples/own-mailer.ts"

const received: Array<{ readonly headers: IncomingHttpHeaders; readonly body: unknown }> = []
let status = 200
const server = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await json(request) })
  response.writeHead(status).end()
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const mail = { to: "ada@example.com", subject: "Hello", text: "Hello, Ada", html: "<p>Hello, Ada</p>", language: "en", messageId: "m1" }
const send = () => {
  const { port } = server.address() as AddressInfo
  return ownMailer(`http://127.0.0.1:${port}/`, "key").send(mail, new AbortController().signal)
}

it("the mailer of the examples posts a mail, with the key by which a service removes duplicates", async () => {
  status = 200
  await send()
  const [{ headers, body } = { headers: {}, body: null }] = received
  expect(headers).toMatchObject({ authorization: "Bearer key", "idempotency-key": "m1" })
  const { messageId, language, ...sent } = mail
  expect(body).toMatchObject({ ...sent, headers: { "Auto-Submitted": "auto-generated", "Content-Language": language } })
})

it.each([
  [422, true],
  [429, false],
  [503, false],
])("the mailer of the examples: an answer with %s is final: %s", async (answered, permanent) => {
  status = answered
  await expect(send()).rejects.toMatchObject({ permanent, reason: `status ${answered}` })
})
