import type { AddressInfo, LookupFunction } from "node:net"
import { createServer } from "node:net"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { isPublic } from "../../../adapters/public-fetch/public-address.ts"
import { layer } from "../../../adapters/public-fetch/public-fetch.ts"
import type { PublicRequest } from "../../../domain/ports/public-fetch.ts"
import { PublicFetch } from "../../../domain/ports/public-fetch.ts"

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A listener on all addresses of this machine, and the number of connections that it got. */
const listener = async (answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}") => {
  const got = { connections: 0, text: "" }
  const server = createServer((socket) => {
    got.connections += 1
    socket.on("data", (data) => {
      got.text += data
      socket.end(answer)
    })
    socket.on("error", () => socket.destroy())
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "::", done))
  return { got, port: (server.address() as AddressInfo).port }
}

const lookupOf =
  (...addresses: ReadonlyArray<string>): LookupFunction =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )

const request = { method: "GET", limit: 1000, timeout: 2000, allow_private: false } as const

const fetched = (sent: Partial<PublicRequest> & { readonly url: string }, lookup?: LookupFunction) =>
  Effect.runPromise(
    Effect.flatMap(PublicFetch, ({ fetch }) => fetch({ ...request, ...sent })).pipe(
      Effect.match({ onSuccess: ({ status }) => String(status), onFailure: ({ reason }) => reason }),
      Effect.provide(layer(lookup)),
    ),
  )

/** Hosts that reach this machine or a private network, in every spelling that a URL permits. */
const privateHosts = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
  ],
  ...["0.0.0.0", "0", "10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.0.0.8"],
  ...["192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ...["[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:ffff:a9fe:a9fe]"],
  ...["[fc00::1]", "[fd12:3456::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[2001::1]", "[2002:7f00:1::]", "[3fff::1]"],
  ...["[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[100::1]", "[4000::1]", "[5f00::1]"],
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.localhost.", "ｌｏｃａｌｈｏｓｔ"],
]

describe("a private address", () => {
  it.each(privateHosts)("%s gets no connection", async (host) => {
    const { got, port } = await listener()
    const url = `https://${host}:${port}/`
    expect(await fetched({ url })).toBe("the address is private")
    expect(await fetched({ url: `http://${host}:${port}/` })).toBe("the URL is not https")
    const isPublicUrl = Effect.map(PublicFetch, (port) => port.isPublicUrl(url))
    expect(await Effect.runPromise(Effect.provide(isPublicUrl, layer()))).toBe(false)
    expect(got.connections).toBe(0)
  })

  it.each([[["127.0.0.1"]], [["93.184.215.14", "10.0.0.1"]], [["::1"]], [["2606:4700::1111", "::ffff:127.0.0.1"]], [[]]])(
    "%j that a name resolves to gets no connection",
    async (addresses) => {
      const { got, port } = await listener()
      expect(await fetched({ url: `https://example.com:${port}/` }, lookupOf(...addresses))).toBe("the address is private")
      expect(got.connections).toBe(0)
    },
  )

  it("to which the second resolution of a name leads gets no connection, because there is no second one", async () => {
    const { got, port } = await listener()
    const answers = [lookupOf("192.0.2.1"), lookupOf("127.0.0.1")]
    const rebinding: LookupFunction = (...lookup) => answers.shift()?.(...lookup)
    expect(await fetched({ url: `https://rebinding.example:${port}/` }, rebinding)).toBe("the address is private")
    expect([answers.length, got.connections]).toEqual([1, 0])
  })

  it("is reached if the operator wrote the URL, also by http", async () => {
    const { got, port } = await listener()
    expect(await fetched({ url: `http://127.0.0.1:${port}/`, allow_private: true })).toBe("200")
    expect(got.connections).toBe(1)
  })
})

describe("a request", () => {
  it("goes to a public address by https, as the name of the URL", async () => {
    const asked: Array<string> = []
    const lookup: LookupFunction = (host, _options, done) => {
      asked.push(host)
      done(new Error("no network"), "", 0)
    }
    expect(await fetched({ url: "https://example.com/keys" }, lookup)).toBe("the request failed")
    expect(asked).toEqual(["example.com"])
  })

  it("follows no redirect", async () => {
    const { got, port } = await listener("HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n")
    expect(await fetched({ url: `http://127.0.0.1:${port}/`, allow_private: true })).toBe("302")
    expect(got.connections).toBe(1)
  })

  it("sends no cookie, no credentials, and asks for no compression", async () => {
    const { got, port } = await listener()
    await fetched({ url: `http://127.0.0.1:${port}/`, allow_private: true })
    expect(got.text).not.toMatch(/^(cookie|authorization):/im)
    expect(got.text).toMatch(/^accept-encoding: identity\r$/im)
    expect(await fetched({ url: `https://a:b@example.com/` })).toBe("the address is private")
  })

  it("ends after its time, also while the answer arrives byte by byte", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy())
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      const drip = setInterval(() => socket.write("x"), 20)
      socket.on("close", () => clearInterval(drip))
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    expect(await fetched({ url: `http://127.0.0.1:${port}/`, allow_private: true, timeout: 300, limit: 1_000_000 })).toBe(
      "no answer in time",
    )
  })

  it.each([
    [10, "0123456789"],
    [9, null],
  ])("reads at most %d bytes of an answer", async (limit, expected) => {
    const { port } = await listener("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123456789")
    const sent = { ...request, url: `http://127.0.0.1:${port}/`, allow_private: true, limit }
    const { body } = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(PublicFetch, ({ fetch }) => fetch(sent)),
        layer(),
      ),
    )
    expect(body === null ? null : new TextDecoder().decode(body)).toBe(expected)
  })
})

it.each(["1.1.1.1", "93.184.215.14", "2606:4700::1111"])("%s is public", (address) => {
  expect(isPublic(address)).toBe(true)
})

it.each(["::ffff:8.8.8.8", "64:ff9b::808:808", "a name", ""])("%s is not public", (address) => {
  expect(isPublic(address)).toBe(false)
})
