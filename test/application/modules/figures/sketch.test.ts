import { createHmac } from "node:crypto"
import { assert, describe, it } from "vitest"
import { addTo } from "../../../../application/modules/figures/active.ts"
import { add, emptySketch, estimate, merge, read, type Sketch, written } from "../../../../application/modules/figures/sketch.ts"
import { times } from "../../../world.ts"

/** The hash of an id under a fixed key, so that every run has the same numbers. */
const hashOf = (id: number) => createHmac("sha256", "a fixed key").update(`user ${id}`).digest("base64url")
const sketchOf = (from: number, to: number) => {
  const sketch = emptySketch()
  for (let id = from; id < to; id++) addTo(sketch, hashOf(id))
  return sketch
}
const merged = (...sketches: ReadonlyArray<Sketch>) => {
  const all = emptySketch()
  for (const each of sketches) merge(all, each)
  return all
}

describe("the sketch of active users", () => {
  it.each([0, 1, 10, 100, 1_000, 10_000, 40_000, 100_000])("counts %i users within 2.5 percent", (count) => {
    assert.closeTo(estimate(sketchOf(0, count)), count, count * 0.025)
  })

  it("has equal registers however it is merged, once or twice, and with what was there before", () => {
    const parts = times(5, (at) => sketchOf(at * 900, at * 900 + 1_500))
    const whole = written(sketchOf(0, 4 * 900 + 1_500))
    const [one, two, three, four, five] = parts as [Sketch, Sketch, Sketch, Sketch, Sketch]
    for (const order of [
      parts,
      parts.toReversed(),
      [three, one, five, two, four, one, five],
      [merged(one, two), merged(five, four, three)],
    ])
      assert.strictEqual(written(merged(...order)), whole)
  })

  it("is a text of 16,384 printable characters, and the same after it was read", () => {
    const sketch = sketchOf(0, 5_000)
    add(sketch, 0, 0)
    const text = written(sketch)
    assert.match(text, /^[0-c]{16384}$/)
    assert.strictEqual(text[0], "c")
    assert.deepStrictEqual(read(text), sketch)
  })

  it("takes the register from the first 14 bits, and the rank from the 50 bits after them", () => {
    const rankOf = (high: number, low: number) => {
      const sketch = emptySketch()
      add(sketch, high, low)
      return [...sketch.entries()].filter(([, rank]) => rank > 0)
    }
    assert.deepStrictEqual(rankOf(0xffff_ffff, 0xffff_ffff), [[16_383, 1]])
    assert.deepStrictEqual(rankOf(0x0004_0001, 0), [[1, 18]])
    assert.deepStrictEqual(rankOf(0x0004_0000, 0x8000_0000), [[1, 19]])
    assert.deepStrictEqual(rankOf(0, 1), [[0, 50]])
    assert.deepStrictEqual(rankOf(0, 0), [[0, 51]])
  })
})
