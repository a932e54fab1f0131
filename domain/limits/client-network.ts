// The networks that share a budget of requests or of failed sign-ins. An address is in canonical spelling (`client-address.ts`), or null if
// it is unknown.

/** The network that shares one budget of requests: one IPv4 address, or one IPv6 /64, because one host can use all addresses of a /64. */
export const requestNetwork = (address: string | null) => prefixOf(address, 4, 4)

/**
 * The network that shares one budget of failed sign-ins of one identifier: an IPv4 /24 or an IPv6 /48. Providers assign whole networks of
 * this size, so an attacker with one address can often use the others. With smaller networks, such an attacker could exhaust the total of
 * all networks (`sign_in_total`).
 */
export const signInNetwork = (address: string | null) => prefixOf(address, 3, 3)

/** The first `octets` of an IPv4 address, or the first `groups` of an IPv6 address. */
const prefixOf = (address: string | null, octets: number, groups: number): string => {
  if (address === null) return "unknown"
  if (address.includes(":")) return `${groupsOf(address).slice(0, groups).join(":")}::/${16 * groups}`
  return octets === 4 ? address : `${address.split(".").slice(0, octets).join(".")}.0/${8 * octets}`
}

const groupsOf = (address: string): ReadonlyArray<string> => {
  const [head = "", tail = ""] = address.split("::")
  const split = (part: string) => (part === "" ? [] : part.split(":"))
  const missing = Math.max(0, 8 - split(head).length - split(tail).length)
  return [...split(head), ...Array<string>(missing).fill("0"), ...split(tail)]
}
