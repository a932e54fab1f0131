import { describe, expect, it } from "vitest"
import { blocksIn, requestsOf } from "../../../adapters/http/body-size.ts"

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
  })

  it.each([undefined, "", "-65536", "-1", "abc", "1e9", "NaN", "Infinity", " 12", "12, 12"])("%s is no length", (length) => {
    expect(requestsOf({ "content-length": length }, max)).toBe(1)
  })
})

describe("the blocks of a body without Content-Length", () => {
  it("are those that a length would count as further requests", () => {
    for (const bytes of [0, block - 1, block, 2 * block - 1, 2 * block, max])
      expect(1 + blocksIn(bytes)).toBe(requestsOf({ "content-length": String(bytes) }, max))
  })
})
