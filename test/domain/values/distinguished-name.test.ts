import { describe, expect, it } from "vitest"
import { isDistinguishedName, isSameDistinguishedName } from "../../../domain/values/distinguished-name.ts"

describe("a distinguished name", () => {
  it.each([
    ["CN=client,O=Example,C=DE", "CN=client,O=Example,C=DE"],
    ["cn=client, o=Example , c=DE", "CN=client,O=Example,C=DE"],
    ["OU=Sales+CN=J.  Smith,DC=example", "CN=J.  Smith + OU=Sales,DC=example"],
    ['CN=James \\"Jim\\" Smith\\, III', "CN=James \\22Jim\\22 Smith\\2C III"],
    ["CN=Before\\0dAfter", "CN=Before\\0DAfter"],
    ["CN=Lu\\C4\\8Di\\C4\\87", "CN=Lučić"],
    ["CN=a\\ ", "CN=a\\20"],
    ["CN=a=b", "CN=a\\=b"],
    ["1.3.6.1.4.1.1466.0=x", "1.3.6.1.4.1.1466.0=x"],
  ])("%s is the same as %s", (one, other) => {
    expect(isSameDistinguishedName(one, other)).toBe(true)
  })

  it.each([
    ["CN=client,O=Example", "O=Example,CN=client"],
    ["CN=client", "CN=Client"],
    ["CN=client", "CN=client,O=Example"],
    ["CN=a,O=b", "CN=a\\,O=b"],
    ["CN=a+O=b", "CN=a,O=b"],
    ["CN=a\\ ", "CN=a"],
    ["CN=a", "OU=a"],
  ])("%s differs from %s", (one, other) => {
    expect(isSameDistinguishedName(one, other)).toBe(false)
  })

  it.each(["", " ", "client", "CN=a,", "CN=a+", ",CN=a", "CN", "=a", "CN=a;O=b", 'CN="a"', "CN=a\\", "CN=\\C4", "CN=\\x", "C N=a"])(
    "%j is none",
    (text) => {
      expect(isDistinguishedName(text)).toBe(false)
      expect(isSameDistinguishedName(text, text)).toBe(false)
    },
  )

  it("reads a long text in linear time", () => {
    expect(isDistinguishedName(`CN=${" a".repeat(20_000)}\\`)).toBe(false)
    expect(isDistinguishedName(`CN=a${" ".repeat(200_000)}b`)).toBe(true)
    expect(isDistinguishedName(`CN${" ".repeat(200_000)}b`)).toBe(false)
    expect(isDistinguishedName("\\\\".repeat(200_000))).toBe(false)
    expect(isDistinguishedName("CN=a,".repeat(20_000))).toBe(false)
  })
})
