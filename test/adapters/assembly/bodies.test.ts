import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Sallyport, sallyport } from "../../../index.ts"
import { configured } from "./configured.ts"
import type { Mounted } from "./mounts.ts"
import { mounts } from "./mounts.ts"

/** More than one block of 64 KiB, and less than the 100 kB that the parsers of Express accept. */
const max_body_bytes = 70_000
const path = "/api/auth/request-password-reset"
const [before, after] = ['{"email":"ada@example.com","pad":"', '"}']
const textOf = (bytes: number) => `${before}${"x".repeat(bytes - before.length - after.length)}${after}`

/** Required with a stream (Fetch Standard section 5.3); the types do not declare it. */
const half = { duplex: "half" }

/** A stream without an announced length, in chunks of 10,000 bytes. */
const streamOf = (text: string, onCancel = () => {}) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) controller.close()
      else controller.enqueue(bytes.slice(at, at + 10_000))
      at += 10_000
    },
    cancel: onCancel,
  })
}

const sent = (url: string, body: string | ReadableStream) =>
  new Request(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body, ...half })

const outcomeOf = async (response: Response) => {
  const { success, error } = (await response.json()) as { success?: boolean; error?: { code: string } }
  return [response.status, success ?? error?.code]
}

/** Parsers of a framework read the whole body before the service gets it. */
const isParsed = (name: string) => name.includes("parser")

describe.each(Object.entries(mounts))("a body in %s", (name, mount) => {
  let auth: Pick<Sallyport<unknown>, "fetch" | "close">
  let mounted: Mounted
  beforeAll(async () => {
    auth = sallyport({ ...configured().configuration, max_body_bytes })
    mounted = await mount(auth)
  })
  afterAll(async () => {
    await mounted.stop()
    await auth.close()
  })

  it("may have max_body_bytes and no more, with a length or without one", async () => {
    for (const asBody of [(text: string) => text, streamOf]) {
      expect(await outcomeOf(await fetch(sent(mounted.url, asBody(textOf(max_body_bytes)))))).toEqual([200, true])
      expect(await outcomeOf(await fetch(sent(mounted.url, asBody(textOf(max_body_bytes + 1)))))).toEqual([413, "payload_too_large"])
    }
  })

  it("that is aborted leaves the service running", async () => {
    const socket = connect(Number(new URL(mounted.url).port), "localhost")
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
    )
    await once(socket, "connect")
    socket.destroy()
    await once(socket, "close")
    expect(await outcomeOf(await fetch(sent(mounted.url, textOf(100))))).toEqual([200, true])
  })

  if (isParsed(name)) return
  it("that never ends is refused while it is sent, and others are answered", async () => {
    const socket = connect(Number(new URL(mounted.url).port), "localhost")
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(`${head}10\r\n{"email":"ada@ex\r\n`)
    expect((await fetch(`${mounted.url}/api/auth/get-session`)).status).toBe(200)
    const answered = once(socket, "data")
    socket.write(`20000\r\n${"x".repeat(0x20000)}\r\n`)
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    expect((await fetch(`${mounted.url}/api/auth/get-session`)).status).toBe(200)
  })
})

describe("a body that is passed to fetch", () => {
  it("as a stream may have max_body_bytes and no more; the rest is not read", async () => {
    const auth = sallyport({ ...configured().configuration, max_body_bytes })
    const fetched = (body: ReadableStream) => auth.fetch(sent("http://localhost:3000", body)).then(outcomeOf)
    expect(await fetched(streamOf(textOf(max_body_bytes)))).toEqual([200, true])
    let isCancelled = false
    const endless = streamOf(textOf(10_000_000), () => {
      isCancelled = true
    })
    expect(await fetched(endless)).toEqual([413, "payload_too_large"])
    expect(isCancelled).toBe(true)
    await auth.close()
  })

  it("as a stream that fails is invalid_json", async () => {
    const auth = sallyport({ ...configured().configuration, max_body_bytes })
    const failing = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) })
    expect(await outcomeOf(await auth.fetch(sent("http://localhost:3000", failing)))).toEqual([400, "invalid_json"])
    await auth.close()
  })
})
