import { describe, expect, it } from "vitest"
import { maxBytesOf, requestsOf } from "../../../adapters/http/body-size.ts"

const max = 1_000_000
const block = 65_536

describe("a body counts as requests by its Content-Length", () => {
  it.each([
    ["0", 1],
    [String(block - 1), 1],
    [String(block), 2],
    [String(max), 16],
    [String(max + 1), 1],
  ])("%s", (length, requests) => {
    expect(requestsOf({ "content-length": length }, max)).toBe(requests)
    expect(maxBytesOf({ "content-length": length }, max)).toBe(max)
  })

  it.each([undefined, "", "-65536", "-1", "abc", "1e9", "NaN", "Infinity", " 12", "12, 12"])("%s is no length", (length) => {
    expect(requestsOf({ "content-length": length }, max)).toBe(1)
    expect(maxBytesOf({ "content-length": length }, max)).toBe(block)
  })
})
