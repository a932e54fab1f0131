import { describe, expect, it } from "vitest"
import * as UriGrammar from "../../../domain/values/uri-grammar.ts"

const whole = (expression: string) => {
  const anchored = new RegExp(`^(?:${expression})$`)
  return (text: string) => anchored.test(text)
}
const isUri = whole(UriGrammar.uri)
const isAuthority = whole(UriGrammar.authority)

const v6 = [
  ...["::", "::1", "1::", "::cafe", "1:2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3::6:7:8"],
  ...["::ffff:192.0.2.128", "1:2:3:4:5:6:192.0.2.1", "64:ff9b::192.0.2.33", "2001:DB8::A", "1:2:3:4::255.255.255.255"],
  ...["1::3:4:5:6:7:8", "1:2::4:5:6:7:8", "1:2:3::5:6:7:8", "1:2:3:4::6:7:8", "1:2:3:4:5::7:8", "1:2:3:4:5:6::8"],
]
const notV6 = [
  ...["", ":", ":::", "1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g", "1:2:3:4:5:6:7::8:9"],
  ...["::256.0.0.1", "::1.2.3", "1.2.3.4::", "::01.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:192.0.2.1", " ::1"],
]

describe("a URI of RFC 3986", () => {
  it.each([
    // Section 1.1.2
    ["ftp://ftp.is.co.za/rfc/rfc1808.txt"],
    ["http://www.ietf.org/rfc/rfc2396.txt"],
    ["ldap://[2001:db8::7]/c=GB?objectClass?one"],
    ["mailto:John.Doe@example.com"],
    ["news:comp.infosystems.www.servers.unix"],
    ["tel:+1-816-555-1212"],
    ["telnet://192.0.2.16:80/"],
    ["urn:oasis:names:specification:docbook:dtd:xml:4.1.2"],
    ["a:"],
    ["a:/"],
    ["a://"],
    ["file:///etc/hosts"],
    ["https://example.com:/"],
    ["https://user:pass@example.com:8080/a//b;c=1?q=/?#f?/"],
    ["https://example.com/%7Eada?%00"],
    ["x+y-z.1:%C3%BC"],
    ["https://[v1.fe80::a+en1]/"],
  ])("%s", (text) => {
    expect(isUri(text)).toBe(true)
  })

  it.each([
    [""],
    [":"],
    [":not_a_rfc3986_valid_uri_"],
    ["//example.com"],
    ["/path"],
    ["1a:b"],
    ["ä:b"],
    ["https://example.com/ü"],
    ["https://example.com/a b"],
    ["https://example.com/%"],
    ["https://example.com/%4"],
    ["https://example.com/%GG"],
    ["https://example.com/#a#b"],
    ["https://example.com/[x]"],
    ["https://exam[ple.com/"],
    ["https://a@b@c/"],
    ["https://example.com:80a/"],
    ["https://[::1"],
    ["https://::1/"],
    ["https://[]/"],
    ["https://[v.x]/"],
    ["https://[v1.]/"],
    ["a:\\b"],
    ["a:<b>"],
    ['a:"b"'],
    ["a:b\n"],
  ])("not: %j", (text) => {
    expect(isUri(text)).toBe(false)
  })
})

describe("the characters of URIs", () => {
  it("are those of RFC 3986, section 2", () => {
    const isOne = whole(`[${UriGrammar.uriCharacters}]`)
    const others = Array.from({ length: 0x180 }, (_, unit) => String.fromCharCode(unit)).filter((text) => !isOne(text))
    expect(others.filter((text) => /[\x21-\x7e]/.test(text)).join("")).toBe('"%<>\\^`{|}')
    expect(others.filter((text) => /[^\x21-\x7e]/.test(text))).toHaveLength(0x180 - 94)
  })
})

describe("an authority that names a host", () => {
  it.each(["example.com", "localhost:3000", "127.0.0.1", "ada@example.com:8", "a:b:c@example.com", "ex%41mple", "a_b!", "[::1]:80"])(
    "%s",
    (text) => {
      expect(isAuthority(text)).toBe(true)
    },
  )

  it.each(["", ":80", "ada@", "@:80", "#x", "a/b", "https://a", "a b", "a:b", "[::1", "::1", "[::1]x", "ä", "a%4", "a@b@c"])(
    "not: %j",
    (text) => {
      expect(isAuthority(text)).toBe(false)
    },
  )

  it.each(v6)("[%s]", (address) => {
    expect(isAuthority(`[${address}]`)).toBe(true)
  })

  it.each(notV6)("not: [%s]", (address) => {
    expect(isAuthority(`[${address}]`)).toBe(false)
  })

  it("is matched in linear time", () => {
    for (const text of ["a".repeat(1e5), `${"a@".repeat(5e4)}`, `${"%41".repeat(3e4)}%`, "1:".repeat(5e4), `a:${"b/".repeat(5e4)} `]) {
      const started = performance.now()
      isUri(text)
      isAuthority(text)
      expect(performance.now() - started).toBeLessThan(500)
    }
  })
})
