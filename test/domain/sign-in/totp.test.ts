import { createHmac } from "node:crypto"
import { DateTime } from "effect"
import { generateURI, ScureBase32Plugin } from "otplib"
import { describe, expect, it } from "vitest"
import { base32, counterBytes, stepAt, truncated, uriOf } from "../../../domain/sign-in/totp.ts"

const secret = Buffer.from("12345678901234567890")
const passwordFor = (counter: number) => truncated(createHmac("sha1", secret).update(counterBytes(counter)).digest())

describe("a one-time password", () => {
  it("is that of RFC 4226, appendix D", () => {
    const expected = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
    expect(expected.map((_, counter) => passwordFor(counter))).toEqual(expected)
  })

  it("keeps its leading zeros, at every offset", () => {
    expect(truncated(Buffer.alloc(20))).toBe("000000")
    const last = Buffer.alloc(20)
    last[19] = 0xf
    last[18] = 7
    expect(truncated(last)).toBe("000007")
    expect(truncated(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.alloc(16)]))).toBe("483647")
  })

  it("reads an HMAC that is a part of a larger buffer", () => {
    const bytes = Buffer.concat([Buffer.alloc(3, 0xff), createHmac("sha1", secret).update(counterBytes(0)).digest()])
    expect(truncated(new Uint8Array(bytes.buffer, bytes.byteOffset + 3, 20))).toBe("755224")
  })

  it("has time steps of thirty seconds", () => {
    const steps = [0, 29.999, 30, 59, 1_111_111_109, 20_000_000_000].map((seconds) => stepAt(DateTime.makeUnsafe(seconds * 1000)))
    expect(steps).toEqual([0, 0, 1, 1, 37_037_036, 666_666_666])
  })

  it("counts beyond 32 bits", () => {
    expect(Buffer.from(counterBytes(2 ** 40 + 1)).toString("hex")).toBe("0000010000000001")
  })
})

describe("a secret in base32", () => {
  it.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("is as in RFC 4648: %s", (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected)
  })

  it("equals the encoding of apps for the same bytes", () => {
    const bytes = Uint8Array.from({ length: 20 }, (_, index) => (index * 83 + 7) % 256)
    expect(Buffer.from(new ScureBase32Plugin().decode(base32(bytes)))).toEqual(Buffer.from(bytes))
  })
})

describe("the URI of a secret", () => {
  it("equals otplib's", () => {
    const [issuer, name] = ["Ärzte & Co", "ada+x@example.com"]
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    const [ours, theirs] = [uriOf({ issuer, name, secret }), generateURI({ issuer, label: name, secret })].map((uri) => new URL(uri))
    expect(decodeURIComponent(ours!.pathname)).toBe(decodeURIComponent(theirs!.pathname))
    for (const [key, value] of theirs!.searchParams) expect(ours!.searchParams.get(key), key).toBe(value)
    expect(Object.fromEntries(ours!.searchParams)).toEqual({ secret, issuer, algorithm: "SHA1", digits: "6", period: "30" })
  })

  it("cannot get further parameters from its values", () => {
    const uri = new URL(uriOf({ issuer: "a&secret=b", name: "x?secret=c#d@example.com", secret: "MZXW6YTB" }))
    expect(uri.searchParams.getAll("secret")).toEqual(["MZXW6YTB"])
    expect(uri.hash).toBe("")
  })
})
