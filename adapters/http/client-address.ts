import { BlockList, isIP, SocketAddress } from "node:net"
import type { HttpSettings } from "./settings.ts"

type Headers = Readonly<Record<string, string | undefined>>

/** The header field in which each platform writes the client address, over one that a client sent. */
const platforms = { vercel: "x-real-ip", cloudflare: "cf-connecting-ip", fly: "fly-client-ip" } as const

/** Finds the client address of a request: in the field of `client_address`, or by the peer and its proxies. */
export const clientAddress = ({
  client_address: source,
  trusted_proxies,
}: Pick<HttpSettings["Service"], "client_address" | "trusted_proxies">): ((peer: string | null, headers: Headers) => string | null) => {
  if (source === "peer") return forwardedAddress(trusted_proxies)
  const field = typeof source === "string" ? platforms[source] : source.header
  // The values of a field that was sent twice are joined, which is no address.
  return (_, headers) => canonical(withoutPort((headers[field] ?? "").trim()))
}

/** A client can send any `X-Forwarded-For`, so the field is read from its end and only as far as trusted proxies wrote it. */
const forwardedAddress = (trustedProxies: ReadonlyArray<string>) => {
  const proxies = networksOf(trustedProxies)

  return (peer: string | null, headers: Headers): string | null => {
    const forwardedFor = headers["x-forwarded-for"]
    let address = canonical(peer ?? "")
    if (trustedProxies.length === 0 || forwardedFor === undefined) return address
    for (const hop of forwardedFor.split(",").reverse()) {
      if (address === null || !proxies.check(address, familyOf(address))) return address
      const before = canonical(withoutPort(hop.trim()))
      if (before === null) return address
      address = before
    }
    return address
  }
}

/** Whether a peer is a trusted proxy. */
export const proxyCheck = (trustedProxies: ReadonlyArray<string>) => {
  const proxies = networksOf(trustedProxies)
  return (peer: string | null): boolean => {
    const address = canonical(peer ?? "")
    return address !== null && proxies.check(address, familyOf(address))
  }
}

/** The addresses of networks such as `10.0.0.0/8`. */
export const networksOf = (networks: ReadonlyArray<string>) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

export const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Writes each address in one form, so that a client has one budget. A dual-stack socket shows IPv4 addresses as `::ffff:192.0.2.1`. */
const canonical = (address: string): string | null => {
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : null
  const [withoutZone = ""] = address.split("%")
  return new SocketAddress({ address: withoutZone, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "")
}

/** Removes the port from an address: some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) => hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^\[([^\]]*)\](:\d+)?$/, "$1")
