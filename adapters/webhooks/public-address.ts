import { BlockList, isIP } from "node:net"

// Webhooks must not reach private addresses: a URL could otherwise make the service send requests into its own network (SSRF, CWE-918).

const blocked4: ReadonlyArray<readonly [string, number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]

/** All but 2000::/3, the public unicast range; within it, networks that embed IPv4 addresses, and those for documentation. */
const blocked6: ReadonlyArray<readonly [string, number]> = [
  ["::", 3],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["4000::", 2],
  ["8000::", 1],
]

const listOf = (networks: ReadonlyArray<readonly [string, number]>, family: "ipv4" | "ipv6") => {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

// Two lists: a list with both families compares IPv4 addresses with the IPv6 networks too.
const blocked = { 4: listOf(blocked4, "ipv4"), 6: listOf(blocked6, "ipv6") }

/** Whether an address is reachable from everywhere (RFC 6890). */
export const isPublic = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !blocked[4].check(address, "ipv4")
  return family === 6 && !blocked[6].check(address, "ipv6")
}
