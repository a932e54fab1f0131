import { describe, expect, it } from "vitest"
import { requestNetwork, signInNetwork } from "../../../domain/limits/client-network.ts"

const cases: ReadonlyArray<readonly [address: string | null, requests: string, signIns: string]> = [
  ["203.0.113.9", "203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64", "64:ff9b:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["1::", "1:0:0:0::/64", "1:0:0::/48"],
  ["::", "0:0:0:0::/64", "0:0:0::/48"],
  [null, "unknown", "unknown"],
]

describe("the networks of client addresses", () => {
  it.each(cases)("%s counts requests as %s and failed sign-ins as %s", (address, requests, signIns) => {
    expect([requestNetwork(address), signInNetwork(address)]).toEqual([requests, signIns])
  })
})
