import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { candidates, isRecommended, strongestBelow } from "../../../adapters/passwords/hash-cost.ts"
import { hashTime } from "../../../adapters/passwords/hash-time.ts"
import type { Cost } from "../../../adapters/passwords/stored-hash.ts"

const unlimited = 2 ** 30
const work = ({ memory_kib, passes }: Cost) => memory_kib * passes

describe("the settings to choose from", () => {
  it("grow, first in memory and then in passes, and are all recommended", () => {
    const costs = candidates(unlimited)
    expect(costs[0]).toEqual({ memory_kib: 19_456, passes: 2, lanes: 1 })
    expect(costs.at(-1)).toEqual({ memory_kib: 262_144, passes: 10, lanes: 1 })
    expect(costs.map(work)).toEqual(costs.map(work).toSorted((a, b) => a - b))
    expect(costs.every(isRecommended)).toBe(true)
    const largest = costs.findIndex(({ memory_kib }) => memory_kib === 262_144)
    expect(costs.findIndex(({ passes }) => passes > 2)).toBe(largest + 1)
  })

  it.each([
    [0, 19_456],
    [32_767, 19_456],
    [32_768, 32_768],
    [65_535, 47_104],
  ])("with a limit of %i KiB take at most %i KiB", (limit, largest) => {
    expect(Math.max(...candidates(limit).map(({ memory_kib }) => memory_kib))).toBe(largest)
  })
})

it.each([
  [{ memory_kib: 47_104, passes: 1, lanes: 1 }, true],
  [{ memory_kib: 47_103, passes: 1, lanes: 1 }, false],
  [{ memory_kib: 19_456, passes: 2, lanes: 1 }, true],
  [{ memory_kib: 19_455, passes: 2, lanes: 1 }, false],
  [{ memory_kib: 12_288, passes: 3, lanes: 1 }, true],
  [{ memory_kib: 9_216, passes: 4, lanes: 1 }, true],
  [{ memory_kib: 7_168, passes: 5, lanes: 1 }, true],
  [{ memory_kib: 7_167, passes: 9, lanes: 4 }, false],
])("%j is at least what OWASP recommends: %s", (cost, expected) => {
  expect(isRecommended(cost)).toBe(expected)
})

describe("the strongest cost below a time", () => {
  /** As the choice should be, by a look at each cost; and what the search found and measured. */
  const chosen = Effect.fnUntraced(function* (target: number) {
    const costs = candidates(unlimited)
    const measured: Array<Cost> = []
    const measure = (cost: Cost) => {
      measured.push(cost)
      return Effect.succeed(work(cost) / 2048)
    }
    const found = yield* strongestBelow(costs, target, measure)
    return { found, measured, wanted: costs.findLast((cost) => work(cost) / 2048 < target) }
  })

  it.effect("is the last that takes less, for every time, with few measurements", () =>
    Effect.gen(function* () {
      for (let target = 20; target <= 1400; target += 1) {
        const { found, measured, wanted } = yield* chosen(target)
        expect(found.cost, String(target)).toEqual(wanted)
        expect(found.milliseconds).toBeLessThan(target)
        expect(measured.length).toBeLessThanOrEqual(6)
      }
    }),
  )

  it.effect("is the weakest one, after one measurement, if even that takes the time or longer", () =>
    Effect.gen(function* () {
      const { found, measured } = yield* chosen(19)
      expect(found).toEqual({ cost: { memory_kib: 19_456, passes: 2, lanes: 1 }, milliseconds: 19 })
      expect(measured).toHaveLength(1)
    }),
  )
})

it.live("a hash is measured in milliseconds, and more work takes longer", () =>
  Effect.gen(function* () {
    const little = yield* hashTime({ memory_kib: 64, passes: 1, lanes: 1 })
    const much = yield* hashTime({ memory_kib: 19_456, passes: 2, lanes: 1 })
    expect(little).toBeGreaterThan(0)
    expect(much).toBeGreaterThan(little)
    expect(much).toBeLessThan(5000)
  }),
)
