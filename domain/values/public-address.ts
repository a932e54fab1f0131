import { canonicalIp } from "./ip-address.ts"
import { networkTest } from "./network.ts"

// The addresses that requests to URLs of clients and webhooks may reach: with others, a URL could make the service send requests into its
// own network (SSRF, CWE-918).

/** The IPv4 networks that are not reachable from everywhere (RFC 6890), the relays of 6to4, multicast, and what is reserved. */
const blocked4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]

/**
 * All but 2000::/3, the public unicast range: so loopback, local networks, multicast, and the networks that embed IPv4 addresses in ::/96,
 * ::ffff:0:0/96, 64:ff9b::/96 and 64:ff9b:1::/48. Within 2000::/3, Teredo, 6to4 and the networks for benchmarks and documentation.
 */
const blocked6 = ["::/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "4000::/2", "8000::/1"]

const isBlocked = networkTest([...blocked4, ...blocked6])

/** Whether a text is an IP address that is reachable from everywhere. */
export const isPublicAddress = (text: string): boolean => canonicalIp(text) !== null && !isBlocked(text)

/** `https://` and a host without credentials. The URL parser also accepts other forms, which readers of the text could take for other hosts. */
const httpsAuthority = /^https:\/\/[^/\\?#@\s\p{Cc}]+([/?#]|$)/iu

/**
 * Whether a URL has https, no credentials, and a host that is a public address or a name other than `localhost` (RFC 6761 section 6.3). What
 * a name resolves to is only known when it is used.
 */
export const isPublicUrl = (text: string): boolean => {
  const url = httpsAuthority.test(text) ? URL.parse(text) : null
  if (url === null) return false
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return canonicalIp(host) === null ? isPublicName(host) : isPublicAddress(host)
}

const isPublicName = (host: string) => !/(^|\.)localhost$/i.test(host) && !host.endsWith(".")
