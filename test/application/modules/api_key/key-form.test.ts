import { crc32 } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { hintOf, keyOf, keyTest, ownerKinds, patternOf } from "../../../../application/modules/api_key/key-form.ts"

const random = (seed: number) => Uint8Array.from({ length: 32 }, (_, index) => (seed * 31 + index * 97) % 256)
const isKey = keyTest("spk")

describe("the text of a key", () => {
  it("has the prefix, the kind of its owner, 43 random characters and a checksum", () => {
    for (const kind of ownerKinds) assert.match(keyOf("spk", kind, random(1)), /^spk_[uos]_[0-9A-Za-z]{49}$/)
    assert.match(keyOf("acme1", "user", new Uint8Array(32)), /^acme1_u_0{43}[0-9A-Za-z]{6}$/)
    assert.strictEqual(keyOf("spk", "user", new Uint8Array(32).fill(255)).length, "spk_u_".length + 49)
    assert.match(keyOf("spk", "user", random(2)), new RegExp(`^${patternOf("spk")}$`))
  })

  it("ends with the CRC-32 of what precedes it", () => {
    const text = keyOf("spk", "service_account", random(3))
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    const sum = [...text.slice(-6)].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0)
    assert.strictEqual(sum, crc32(text.slice(0, -6)))
  })

  it("fails the test with any other character in any place", () => {
    const text = keyOf("spk", "user", random(4))
    assert.isTrue(isKey(text))
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === "x" ? "y" : "x"
      assert.isFalse(isKey(text.slice(0, at) + other + text.slice(at + 1)), `position ${at}`)
    }
    assert.isFalse(isKey(`${text}0`))
    assert.isFalse(isKey(text.slice(0, -1)))
    assert.isFalse(keyTest("other")(text))
  })

  it("is found 10,000 times of 10,000, and never twice", () => {
    const keys = Array.from({ length: 10_000 }, () => keyOf("spk", "user", crypto.getRandomValues(new Uint8Array(32))))
    assert.strictEqual(new Set(keys).size, 10_000)
    assert.isTrue(keys.every(isKey))
  })

  it("shows the end of the random part as a hint, not the checksum", () => {
    const text = keyOf("spk", "user", random(5))
    assert.strictEqual(hintOf(text), text.slice(-10, -6))
  })
})
