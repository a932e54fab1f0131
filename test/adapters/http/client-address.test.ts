import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { clientAddress } from "../../../adapters/http/client-address.ts"
import { get, served, signedUp } from "./served.ts"

describe("the client's address", () => {
  const proxies = ["10.0.0.0/8", "192.0.2.7/32", "2001:db8:aa::/48"]
  const cases: ReadonlyArray<[what: string, peer: string | null, forwardedFor: string | undefined, address: string | null]> = [
    ["is the peer's", "198.51.100.1", undefined, "198.51.100.1"],
    ["is the peer's, whatever a peer that is no proxy writes", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
    ["is what a proxy wrote", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["is the last that no proxy wrote", "10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
    ["is found behind two proxies", "10.0.0.1", "203.0.113.9, 192.0.2.7", "203.0.113.9"],
    ["is found behind two proxies, not before", "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.1.1.1, 192.0.2.7", "203.0.113.9"],
    ["is a proxy's when no client is behind it", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is the proxy's without a header", "10.0.0.1", undefined, "10.0.0.1"],
    ["is the proxy's with an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["is the proxy's that wrote garbage", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["is the last before garbage", "10.0.0.1", "garbage, 10.0.0.2", "10.0.0.2"],
    ["is read whatever blanks there are", "10.0.0.1", " 203.0.113.9 ,10.0.0.2 ", "203.0.113.9"],
    ["is read without its port", "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["is read without its port, IPv6", "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["is read without brackets", "10.0.0.1", "[2001:db8::1]", "2001:db8::1"],
    ["is no number", "10.0.0.1", "3405803785", "10.0.0.1"],
    ["is no short form", "10.0.0.1", "203.0.113", "10.0.0.1"],
    ["is IPv4 on a socket for both", "::ffff:198.51.100.1", undefined, "198.51.100.1"],
    ["is IPv4 in whichever spelling", "::ffff:c633:6401", undefined, "198.51.100.1"],
    ["comes through a proxy on a socket for both", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["is mapped IPv4 from a proxy", "10.0.0.1", "::FFFF:203.0.113.9", "203.0.113.9"],
    ["comes through an IPv6 proxy", "2001:db8:aa::1", "2001:db8:bb::1", "2001:db8:bb::1"],
    ["is IPv6 in one spelling", "2001:0DB8:0:0:0:0:0:1", undefined, "2001:db8::1"],
    ["is IPv6 without its zone", "fe80::1%eth0", "203.0.113.9", "fe80::1"],
    ["is unknown where the peer has none", null, "203.0.113.9", null],
    ["is unknown where the peer's is none", "", "203.0.113.9", null],
  ]
  const addressOf = clientAddress({ client_address: "peer", trusted_proxies: proxies })
  for (const [what, peer, forwardedFor, address] of cases) {
    it(`${what}: ${peer}, ${forwardedFor}`, () => assert.strictEqual(addressOf(peer, { "x-forwarded-for": forwardedFor }), address))
  }

  it("is that of the field of a platform, and unknown with another value", () => {
    for (const [client_address, field] of [
      ["vercel", "x-real-ip"],
      ["cloudflare", "cf-connecting-ip"],
      ["fly", "fly-client-ip"],
      [{ header: "x-client" }, "x-client"],
    ] as const) {
      const inField = clientAddress({ client_address, trusted_proxies: proxies })
      const forged = { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6", "x-client-ip": "6.6.6.6", "true-client-ip": "6.6.6.6" }
      assert.strictEqual(inField("10.0.0.1", { ...forged, [field]: "203.0.113.9" }), "203.0.113.9")
      assert.strictEqual(inField("10.0.0.1", { ...forged, [field]: "203.0.113.9:4711" }), "203.0.113.9")
      assert.isNull(inField("10.0.0.1", forged))
      for (const text of ["", "garbage", "203.0.113.9, 6.6.6.6"]) assert.isNull(inField("10.0.0.1", { [field]: text }))
    }
  })

  const seen = Effect.fnUntraced(function* (forwardedFor: string) {
    const headers = { ...(yield* signedUp()), "x-forwarded-for": forwardedFor, "user-agent": `browser ${"x".repeat(600)}` }
    yield* get("/get-session", { headers })
    const { json } = yield* get("/list-sessions", { headers })
    return json.sessions[0]
  })

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("is stored with the session, with the browser's name", () =>
      Effect.gen(function* () {
        const { ip_address, user_agent } = yield* seen("203.0.113.9")
        assert.strictEqual(ip_address, "127.0.0.1")
        assert.isNull(user_agent)
      }),
    )
  })
})
