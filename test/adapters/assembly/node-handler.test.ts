import { once } from "node:events"
import type { AddressInfo } from "node:net"
import express, { type RequestHandler } from "express"
import { describe, expect, it } from "vitest"
import { nodeHandler } from "../../../index.ts"

const form = "application/x-www-form-urlencoded"

/** Express 4 sets `body` to an empty object, even if no parser has read the body. */
const leaveObject: RequestHandler = (request, _, next) => {
  request.body ??= {}
  next()
}

/** The type and the body that the service gets from a client behind these handlers. */
const received = async (handlers: ReadonlyArray<RequestHandler>, type: string, body: string) => {
  const handle = nodeHandler({
    fetch: async (request) => Response.json([request.headers.get("content-type"), await request.text(), new URL(request.url).pathname]),
  })
  const app = express()
  for (const handler of handlers) app.use(handler)
  app.use("/api", handle)
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/path`
    const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body })
    return await response.json()
  } finally {
    server.close()
  }
}

describe("the service gets type and body as the client sent them", () => {
  const none: ReadonlyArray<RequestHandler> = []
  it.each([
    ["without a parser", none, form, "a=1&b=2"],
    ["behind express.urlencoded", [express.urlencoded()], form, "a=1&b=2+3"],
    ["behind express.urlencoded, with a repeated field", [express.urlencoded()], `${form}; charset=utf-8`, "a=1&a=2"],
    ["behind express.json, which does not read forms", [express.json()], form, "a=1"],
    ["behind parsers of Express 4, none of which reads forms", [express.json(), leaveObject], form, "a=1"],
    ["behind parsers of Express 4", [express.json(), express.urlencoded(), leaveObject], form, "a=1"],
    ["behind express.json", [express.json()], "application/json", '{"a":1}'],
    ["behind express.json, with an empty object", [express.json(), leaveObject], "application/json", "{}"],
    ["behind express.text", [express.text({ type: "*/*" })], "application/json", '{"a": 1}'],
    ["behind express.raw", [express.raw({ type: "*/*" })], form, "a=%20"],
  ])("%s", async (_, handlers, type, body) => {
    expect(await received(handlers, type, body)).toEqual([type, body, "/api/path"])
  })
})
