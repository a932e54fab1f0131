import { BlockList, isIP, SocketAddress } from "node:net"

/**
 * Finds the client address of a request. A client can send any `X-Forwarded-For`, so the field is read from its end and only as far
 * as trusted proxies wrote it.
 */
export const clientAddress = (trustedProxies: ReadonlyArray<string>) => {
  const proxies = new BlockList()
  for (const network of trustedProxies) {
    const [address = "", bits] = network.split("/")
    proxies.addSubnet(address, Number(bits), familyOf(address))
  }

  return (peer: string | null, forwardedFor: string | undefined): string | null => {
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

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** One spelling per address, so that a client has one budget. A dual-stack socket shows IPv4 as `::ffff:192.0.2.1`. */
const canonical = (address: string): string | null => {
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : null
  const [withoutZone = ""] = address.split("%")
  return new SocketAddress({ address: withoutZone, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "")
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) => hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^\[([^\]]*)\](:\d+)?$/, "$1")
