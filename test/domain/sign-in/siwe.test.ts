import { DateTime, Option } from "effect"
import { describe, expect, it } from "vitest"
import type { SiweMessage } from "../../../domain/sign-in/siwe.ts"
import { isDomain, parse, refusal } from "../../../domain/sign-in/siwe.ts"
import type { Parts } from "../../siwe.ts"
import { parts, written } from "../../siwe.ts"

const read = (text: string) => Option.getOrNull(parse(text))
const readParts = (changes: Parts) => read(written({ ...parts, ...changes }))
const at = (text: string) => DateTime.makeUnsafe(text)

const full = {
  ...parts,
  scheme: "https",
  statement: "I accept [the] terms: #1 (really)!",
  expirationTime: "2021-10-01T00:00:00Z",
  notBefore: "2021-09-30T18:00:00+02:00",
  requestId: "some_id%20!",
  resources: ["ipfs://x", "https://example.com/claim.json"],
}

describe("a message of EIP-4361", () => {
  it("is parsed into its fields", () => {
    expect(read(written(full))).toEqual({
      scheme: "https",
      domain: "service.org",
      address: parts.address,
      statement: full.statement,
      uri: parts.uri,
      chain_id: 1,
      nonce: parts.nonce,
      issued_at: at("2021-09-30T16:25:24Z"),
      expiration_time: at("2021-10-01T00:00:00Z"),
      not_before: at("2021-09-30T16:00:00Z"),
      request_id: full.requestId,
      resources: full.resources,
    })
  })

  it("has null for a missing optional field", () => {
    const none = { scheme: null, statement: null, expiration_time: null, not_before: null, request_id: null, resources: [] }
    expect(readParts({})).toMatchObject(none)
  })

  it.each<[string, Parts, Partial<SiweMessage>]>([
    ["a statement without a character", { statement: "" }, { statement: "" }],
    ["a statement that looks like a part", { statement: "URI: a:b" }, { statement: "URI: a:b" }],
    ["resources without one", { resources: [] }, { resources: [] }],
    ["an empty request id", { requestId: "" }, { request_id: "" }],
    ["a chain with zeros before it", { chainId: "0010" }, { chain_id: 10 }],
    ["a nonce of eight", { nonce: "aB345678" }, { nonce: "aB345678" }],
    ["a port", { domain: "localhost:3000" }, { domain: "localhost:3000" }],
    ["some optional parts", { notBefore: parts.issuedAt, resources: ["a:b"] }, { expiration_time: null, resources: ["a:b"] }],
  ])("can have %s", (_, changes, expected) => {
    expect(readParts(changes)).toMatchObject(expected)
  })

  it.each<[string, Parts]>([
    ["no domain", { domain: "" }],
    ["a domain that is none", { domain: "a b" }],
    ["a scheme that is none", { scheme: "1x" }],
    ["an address after 0X", { address: parts.address.replace("0x", "0X") }],
    ["a short address", { address: parts.address.slice(0, -1) }],
    ["a long address", { address: `${parts.address}0` }],
    ["a statement of two lines", { statement: "a\nb" }],
    ["a statement with a tab", { statement: "a\tb" }],
    ["a statement with a quote", { statement: 'a"b' }],
    ["a statement with a percent sign", { statement: "100%" }],
    ["a statement beyond ASCII", { statement: "ä" }],
    ["a statement that ends with a return", { statement: "a\r" }],
    ["a URI that is none", { uri: "service.org" }],
    ["another version", { version: "2" }],
    ["a version with more after it", { version: "1.0" }],
    ["a chain that is no number", { chainId: "0x1" }],
    ["a negative chain", { chainId: -1 }],
    ["a chain in other digits", { chainId: "１" }],
    ["a nonce of seven", { nonce: "1234567" }],
    ["a nonce with a sign in it", { nonce: "1234567-" }],
    ["a nonce beyond ASCII", { nonce: "1234567ä" }],
    ["a day that is none", { issuedAt: "2022-02-31T17:09:38.578Z" }],
    ["an end that is none", { expirationTime: "2022-02-31T17:09:38.578Z" }],
    ["a beginning that is none", { notBefore: "2022-02-31T17:09:38.578Z" }],
    ["an empty end", { expirationTime: "" }],
    ["a request id with a slash", { requestId: "a/b" }],
    ["a request id with a space", { requestId: "a b" }],
    ["a resource that is none", { resources: ["a:b", "c"] }],
    ["an empty resource", { resources: [""] }],
  ])("cannot have %s", (_, changes) => {
    expect(readParts({})).not.toBeNull()
    expect(readParts(changes)).toBeNull()
  })

  it("has nothing before it or after it, and no other lines", () => {
    const text = written(full)
    for (const other of [` ${text}`, `\n${text}`, `${text} `, `${text}\n`, text.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\r"), ""])
      expect(read(other)).toBeNull()
  })

  it("has its lines in their order, each once", () => {
    const lines = written(full).split("\n")
    const canBeMissing = [full.statement, ...lines.filter((line) => /^(Expiration Time|Not Before|Request ID|- )/.test(line))]
    for (const [index, line] of lines.entries()) {
      expect(read(lines.toSpliced(index, 1).join("\n")) !== null, `without ${line}`).toBe(canBeMissing.includes(line))
      const isOneOfMany = line === "" || line.startsWith("- ")
      if (!isOneOfMany) expect(read(lines.toSpliced(index, 0, line).join("\n")), `twice ${line}`).toBeNull()
    }
    const labelled = lines.findIndex((line) => line.startsWith("URI"))
    for (let index = labelled; index < lines.indexOf("Resources:"); index += 1) {
      const [line = "", next = ""] = lines.slice(index)
      expect(read(lines.toSpliced(index, 2, next, line).join("\n")), `${next} before ${line}`).toBeNull()
    }
  })

  it("has case-sensitive keywords", () => {
    const text = written(full)
    for (const word of [
      "wants",
      "Ethereum",
      "URI",
      "Version",
      "Chain ID",
      "Nonce",
      "Issued",
      "Expiration",
      "Before",
      "Request",
      "Resources",
    ])
      expect(read(text.replace(word, word.toLowerCase().replace("wants", "Wants"))), word).toBeNull()
  })

  it("has at most 16384 characters", () => {
    const statement = "a".repeat(16_384 - written({ ...parts, statement: "" }).length)
    expect(readParts({ statement })).not.toBeNull()
    expect(readParts({ statement: `${statement}a` })).toBeNull()
  })
})

describe("a signed message", () => {
  const message = read(written({ ...full, scheme: "http" })) as SiweMessage
  const to = { domain: "service.org", chain_id: 1 }
  const code = (now: string, changes: Partial<SiweMessage> = {}, addressee = to) =>
    Option.getOrNull(Option.map(refusal({ ...message, ...changes }, addressee, at(now)), ({ _tag }) => _tag))
  const now = "2021-09-30T20:00:00Z"

  it("is valid from its start until just before its end", () => {
    expect(code("2021-09-30T15:59:59.999Z")).toBe("invalid_message")
    expect(code("2021-09-30T16:00:00.000Z")).toBeNull()
    expect(code("2021-09-30T23:59:59.999Z")).toBeNull()
    expect(code("2021-10-01T00:00:00.000Z")).toBe("expired_message")
    expect(code("2100-01-01T00:00:00Z", { expiration_time: null })).toBeNull()
    expect(code("1970-01-01T00:00:00Z", { not_before: null })).toBeNull()
  })

  it("is valid for exactly this domain and this chain", () => {
    expect(code(now)).toBeNull()
    for (const domain of ["service.org:443", "Service.org", "www.service.org", "service.org.evil.example", "ada@service.org"]) {
      expect(code(now, { domain })).toBe("invalid_message")
      expect(code(now, {}, { ...to, domain })).toBe("invalid_message")
    }
    expect(code(now, { chain_id: 2 })).toBe("invalid_message")
    expect(code(now, { chain_id: 2 }, { ...to, chain_id: 2 })).toBeNull()
  })

  it.each<[string, Partial<SiweMessage>]>([
    ["The message is for another domain.", { domain: "other.org" }],
    ["The message is for another chain.", { chain_id: 2 }],
    ["The message is not valid yet.", { not_before: at("2100-01-01T00:00:00Z") }],
  ])("is refused with its reason: %s", (sentence, changes) => {
    expect(Option.getOrThrow(refusal({ ...message, ...changes }, to, at(now))).message).toBe(sentence)
  })

  it("for another domain is not reported as expired", () => {
    expect(code("2100-01-01T00:00:00Z", { domain: "other.org" })).toBe("invalid_message")
  })
})

describe("a domain of messages", () => {
  it.each(["example.com", "localhost:3000", "127.0.0.1:8080", "[::1]:3000"])("%s", (text) => {
    expect(isDomain(text)).toBe(true)
  })

  it.each(["", "https://example.com", "example.com/", "example.com/login", "*.example .com", " example.com", "example.com\n"])(
    "is refused: %j",
    (text) => {
      expect(isDomain(text)).toBe(false)
    },
  )
})
