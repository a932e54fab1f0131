import { request } from "node:http"
import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { start } from "./program.ts"
import { until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

/** Opens a stream of the caller's session events; `text` is what it has sent so far. */
const openStream = async (port: number, cookie: string | undefined) => {
  const stream = { text: "", isClosed: false }
  const headers = { accept: "text/event-stream", "content-type": "application/json", ...(cookie === undefined ? {} : { cookie }) }
  const sent = request({ host: "127.0.0.1", port, path: "/graphql", method: "POST", headers, agent: false }, (response) => {
    response.setEncoding("utf8").on("data", (part) => (stream.text += part))
    response.on("close", () => (stream.isClosed = true))
  })
  atEnd(() => sent.destroy())
  sent.on("error", () => {}).end(JSON.stringify({ query: "subscription { sessionEvents { type isCurrent } }" }))
  await until("the stream to begin", async () => stream.text.includes(":\n\n") || undefined, 20)
  return stream
}

it("events of another process arrive in a stream, which a stop ends with a pause for the client", async () => {
  const config = { store: await freshStore(), modules: { audit: {} }, listen: { drain_delay: 1 } }
  const first = await start(config)
  const second = await start(config)
  const { cookie } = await first.call("/sign-up/email", credentials)
  const own = await openStream(first.port, cookie)

  await second.call("/sign-in/email", credentials)
  await until("the event of the other process", async () => own.text.includes('"SESSION_OPENED","isCurrent":false') || undefined, 5)

  const stopped = Date.now()
  expect(await first.stop()).toBe(0)
  expect(Date.now() - stopped).toBeLessThan(10_000)
  expect(own.isClosed).toBe(true)
  expect(own.text).toMatch(/\n\nretry: \d{4}\n\n$/)

  const again = await openStream(second.port, cookie)
  await second.call("/revoke-sessions", {}, { cookie })
  await until("the stream to end with its session", async () => again.isClosed || undefined, 5)
  expect(again.text).toContain('"SESSION_REVOKED","isCurrent":true')
  expect(again.text).toMatch(/"code":"unauthorized".*\n\nevent: complete\ndata: \n\n$/)
})
