import { expect, it } from "vitest"
import { canonicalIp } from "../../../domain/values/ip-address.ts"

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:DB8:0:0:0:0:0:1", "[2001:db8::1]"],
  ["2001:db8::1", "[2001:db8::1]"],
  ["::ffff:192.0.2.1", "[::ffff:c000:201]"],
  ["", null],
  ["192.0.2", null],
  ["192.0.2.01", null],
  ["192.0.2.256", null],
  ["3221225985", null],
  ["example.com", null],
  ["2001:db8::1]", null],
  ["2001:db8", null],
  ["1:2:3:4:5:6:7:8:9", null],
  ["fe80::1%eth0", null],
  ["<invalid>", null],
])("the IP address in %j is %s", (text, address) => {
  expect(canonicalIp(text)).toBe(address)
})
