// The networks that requests and failed sign-ins are counted for. Addresses are in canonical spelling (`client-address.ts`), or null.

/** Who shares a budget of requests: one IPv4 address, or one IPv6 network of 64 bits, since one host can use all of its addresses. */
export const requestNetwork = (address: string | null) => prefixOf(address, 4, 4)

/**
 * Who shares a budget of failed sign-ins of one identifier: 24 bits of IPv4, 48 of IPv6. Providers assign such networks whole, so that an
 * attacker who has one address can often use the others, and would use up the total of all networks with narrower ones.
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
