import { assert, describe, it } from "@effect/vitest"
import { isNetwork, networkTest } from "../../../domain/values/network.ts"

describe("a network", () => {
  it("is an address, or an address and the length of its prefix", () => {
    for (const text of ["10.0.0.0/8", "203.0.113.7", "0.0.0.0/0", "2001:db8::/32", "::1", "::/128"]) assert.isTrue(isNetwork(text), text)
    for (const text of ["10.0.0.0/33", "2001:db8::/129", "10.0.0/8", "example.com", "10.0.0.0/", "/8", "10.0.0.0/8/8", "", "1.2.3.4/x"])
      assert.isFalse(isNetwork(text), text)
  })

  it("contains the addresses with its prefix, up to the last", () => {
    const isInside = networkTest(["203.0.113.0/25", "2001:db8:1::/48", "192.0.2.7"])
    for (const text of ["203.0.113.0", "203.0.113.127", "2001:db8:1::", "2001:db8:1:ffff:ffff:ffff:ffff:ffff", "192.0.2.7"])
      assert.isTrue(isInside(text), text)
    for (const text of ["203.0.113.128", "203.0.112.255", "2001:db8:2::", "192.0.2.8", "::", "unknown", ""])
      assert.isFalse(isInside(text), text)
    assert.isTrue(networkTest(["0.0.0.0/0"])("255.255.255.255"))
    assert.isFalse(networkTest(["0.0.0.0/0"])("::1"))
    assert.isFalse(networkTest([])("192.0.2.7"))
  })
})
