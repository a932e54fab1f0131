import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect, Option, Result } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { layer } from "../../../adapters/outgoing/public-fetch.ts"
import { PublicFetch, type PublicRequest } from "../../../domain/ports/public-fetch.ts"
import { hostileUrls, privateAddresses, resolver } from "../../hostile-urls.ts"
import { countingListener } from "../../listener.ts"

const endings: Array<() => unknown> = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

const serving = async (listener: RequestListener) => {
  const server = createServer(listener)
  endings.push(() => server.close().closeAllConnections())
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A server that writes these bytes to each connection, and leaves it open. */
const writing = async (text: string) => {
  const sockets: Array<Socket> = []
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => {}))
    socket.write(text)
  })
  endings.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const listening = async () => {
  const listener = await countingListener()
  endings.push(listener.close)
  return listener
}

const given = { method: "GET", headers: {}, limit: 1000, patience: 20_000, allow_private: true } as const

const fetched = (request: Partial<PublicRequest> & { readonly url: string }, lookup?: LookupFunction) =>
  Effect.runPromise(
    Effect.result(Effect.flatMap(PublicFetch, ({ fetch }) => fetch({ ...given, ...request }))).pipe(Effect.provide(layer(lookup))),
  ).then(Result.mapError(({ reason, refused }) => ({ reason, refused })))

const text = (body: Option.Option<Uint8Array>) => Option.map(body, (bytes) => new TextDecoder().decode(bytes))

describe("a request to an address that is not public", () => {
  it("is not sent, and opens no connection", async () => {
    const { count, port } = await listening()
    const { asked, lookup } = resolver(["127.0.0.1"])
    for (const url of hostileUrls(port)) {
      const outcome = await fetched({ url, allow_private: false }, lookup)
      expect(Result.isFailure(outcome) && outcome.failure.refused, url).toBe(true)
    }
    expect([asked, count.connections]).toEqual([[], 0])
  })

  it.each(privateAddresses)("is not sent if a name resolves to %s, alone or beside a public address", async (address) => {
    const { count, port } = await listening()
    for (const addresses of [[address], ["93.184.215.14", address], [address, "93.184.215.14"]]) {
      const { asked, lookup } = resolver(addresses)
      const outcome = await fetched({ url: `https://name.example:${port}/`, allow_private: false }, lookup)
      expect(outcome).toEqual(Result.fail({ reason: "the address is private", refused: true }))
      expect(asked).toEqual(["name.example"])
    }
    expect(count.connections).toBe(0)
  })

  it("is not sent if the system resolves a name to this machine, or to nothing", async () => {
    expect(await fetched({ url: "https://localhost/", allow_private: false })).toMatchObject({ failure: { refused: true } })
    expect(await fetched({ url: "https://name.example/", allow_private: false }, resolver([]).lookup)).toMatchObject({
      failure: { refused: true },
    })
  })

  it("is not sent if a name resolves to another address the second time, because it is resolved once", async () => {
    const { count, port } = await listening()
    const changing = resolver(["192.0.2.1"], ["127.0.0.1"])
    expect(await fetched({ url: `https://name.example:${port}/`, allow_private: false }, changing.lookup)).toMatchObject({
      failure: { refused: true },
    })
    // Public, and never allocated: nothing answers there.
    const later = resolver(["2e00::1"], ["127.0.0.1"])
    const outcome = await fetched({ url: `https://name.example:${port}/`, allow_private: false, patience: 300 }, later.lookup)
    expect(outcome).toMatchObject({ failure: { refused: false } })
    expect([changing.asked.length, later.asked.length, count.connections]).toEqual([1, 1, 0])
  })
})

describe("a request", () => {
  it("has the given method, headers and body, and no others that depend on the service", async () => {
    const requests: Array<object> = []
    const url = await serving(async ({ method, headers, url }, response) => {
      requests.push({ method, headers, url })
      response.setHeader("x-answer", "yes").end("text")
    })
    const response = Result.getOrThrow(await fetched({ url: `${url}path?q=1`, method: "POST", headers: { "x-test": "1" }, body: "ä" }))
    expect([response.status, response.headers["x-answer"], text(response.body)]).toEqual([200, "yes", Option.some("text")])
    expect(requests).toEqual([
      {
        method: "POST",
        url: "/path?q=1",
        headers: {
          ...{ host: new URL(url).host, connection: "close", "user-agent": "Sallyport", "accept-encoding": "identity" },
          ...{ "content-length": "2", "x-test": "1" },
        },
      },
    ])
  })

  it("follows no redirect, and keeps every status", async () => {
    for (const status of [201, 206, 301, 302, 307, 308, 404, 500]) {
      let count = 0
      const url = await serving((_, response) => {
        count += 1
        response.writeHead(status, { location: "/other" }).end()
      })
      expect([Result.getOrThrow(await fetched({ url })).status, count]).toEqual([status, 1])
    }
  })

  it("gets a body of at most the limit, also if the server says another length, compresses it or never ends it", async () => {
    const sized = await serving(({ url = "" }, response) => response.end("x".repeat(Number(url.slice(1)))))
    expect(Option.map(Result.getOrThrow(await fetched({ url: `${sized}1000` })).body, ({ length }) => length)).toEqual(Option.some(1000))
    expect(Result.getOrThrow(await fetched({ url: `${sized}1001` })).body).toEqual(Option.none())
    const endless = await serving((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more)
      }
      more()
    })
    expect(Result.getOrThrow(await fetched({ url: endless })).body).toEqual(Option.none())
    const packed = gzipSync("x".repeat(100_000))
    const gzip = await serving((_, response) => response.setHeader("content-encoding", "gzip").end(packed))
    expect(Result.getOrThrow(await fetched({ url: gzip })).body).toEqual(Option.some(new Uint8Array(packed)))
  })

  it.each([
    ["nothing", ""],
    ["a status line without an end", "HTTP/1.1 200 OK\r\n"],
    ["a part of the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"],
    ["an informational response only", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("fails when the time is over and the server has sent %s", async (_, sent) => {
    expect(await fetched({ url: await writing(sent), patience: 200 })).toEqual(Result.fail({ reason: "no answer in time", refused: false }))
  })

  it("fails when the time is over and the name is still being resolved", async () => {
    expect(await fetched({ url: "https://name.example/", patience: 100, allow_private: false }, () => {})).toEqual(
      Result.fail({ reason: "no answer in time", refused: false }),
    )
  })

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.9 secret banner\r\n"],
    ["another protocol after an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: secret\r\n\r\nsecret"],
    ["headers without an end", `HTTP/1.1 200 OK\r\nx: ${"secret".repeat(10_000)}`],
  ])("fails without a word of the server: %s", async (_, sent) => {
    const outcome = await fetched({ url: await writing(sent) })
    expect(Result.isFailure(outcome) && outcome.failure).toMatchObject({ refused: false, reason: expect.not.stringMatching(/secret|127/) })
  })

  it("fails with the code of the fault, without the address", async () => {
    const { port, close } = await listening()
    close()
    expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toEqual(Result.fail({ reason: "ECONNREFUSED", refused: false }))
  })

  it("ends its connection when it is interrupted", async () => {
    const closed = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const url = await serving((request) => {
      request.socket.on("close", () => closed.resolve())
      arrived.resolve()
    })
    const controller = new AbortController()
    const running = Effect.runPromise(Effect.flatMap(PublicFetch, ({ fetch }) => fetch({ ...given, url })).pipe(Effect.provide(layer())), {
      signal: controller.signal,
    }).catch(() => "interrupted")
    await arrived.promise
    controller.abort()
    expect(await running).toBe("interrupted")
    await closed.promise
  })

  it("uses no proxy of the environment", async () => {
    const { count, port } = await listening()
    const url = await serving((_, response) => response.end("direct"))
    const proxy = `http://127.0.0.1:${port}`
    const root = join(import.meta.dirname, "../../..")
    const code = `
      import { Effect } from "effect"
      import { layer } from "${root}/adapters/outgoing/public-fetch.ts"
      import { PublicFetch } from "${root}/domain/ports/public-fetch.ts"
      const request = ${JSON.stringify({ ...given, url })}
      const { status } = await Effect.runPromise(Effect.flatMap(PublicFetch, ({ fetch }) => fetch(request)).pipe(Effect.provide(layer())))
      console.log(status)`
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      NO_PROXY: "",
    }
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    for await (const chunk of child.stdout) printed += chunk
    expect([printed.trim(), count.connections]).toEqual(["200", 0])
  })
})
