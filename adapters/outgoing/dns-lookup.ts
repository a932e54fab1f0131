import { Resolver } from "node:dns/promises"
import type { LookupFunction } from "node:net"

/** Milliseconds for the first attempt; the second one takes twice as long. */
const timeout = 500

/**
 * Resolves names by DNS queries; by default to the name servers of the system. The system's `getaddrinfo` would occupy a thread of the process
 * until a slow name server answers, so that the process could resolve no other name: strangers choose these names. The hosts file is not read.
 */
export const lookupOf =
  (servers?: ReadonlyArray<string>): LookupFunction =>
  (host, { all }, done) => {
    const resolver = new Resolver({ timeout, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const addressesOf = async (family: 4 | 6) => {
      const found = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host))
      return found.map((address) => ({ address, family }))
    }
    void Promise.allSettled([addressesOf(4), addressesOf(6)]).then((results) => {
      const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
      const [first] = addresses
      if (first === undefined) return done(Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" }), "", 0)
      return all === true ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
