import { BlockList, isIP } from "node:net"

/**
 * Finds the address a request came from. `X-Forwarded-For` is written by whoever
 * likes, so it is read from its end and only as far as the proxies we know wrote it.
 */
export const clientAddress = (trustedProxies: ReadonlyArray<string>) => {
  const proxies = new BlockList()
  for (const network of trustedProxies) {
    const [address = "", bits] = network.split("/")
    proxies.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4")
  }
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

  return (peer: string, forwardedFor: string | undefined): string => {
    let address = plain(peer)
    if (forwardedFor === undefined || !isProxy(address)) return address
    for (const hop of forwardedFor.split(",").reverse()) {
      const before = plain(hop.trim())
      if (isIP(before) === 0) return address
      address = before
      if (!isProxy(address)) return address
    }
    return address
  }
}

/** IPv4 addresses reach a socket that listens on both as `::ffff:192.0.2.1`. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** Who shares a request budget: one IPv4 address, or one IPv6 network of 64 bits, since whoever has one such address has them all. */
export const budgetOwner = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail = ""] = (address.split("%")[0] ?? "").split("::")
  const groups = (part: string) => (part === "" ? [] : part.split(":"))
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length)
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`
}
