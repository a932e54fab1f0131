import { Effect } from "effect"
import type { Cost } from "./stored-hash.ts"

/**
 * The smallest settings of argon2id that OWASP recommends, which take an attacker about the same effort
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id).
 */
const recommended: ReadonlyArray<Cost> = [
  { memory_kib: 47_104, passes: 1, lanes: 1 },
  { memory_kib: 19_456, passes: 2, lanes: 1 },
  { memory_kib: 12_288, passes: 3, lanes: 1 },
  { memory_kib: 9_216, passes: 4, lanes: 1 },
  { memory_kib: 7_168, passes: 5, lanes: 1 },
]

/** Whether an attacker needs at least the effort that OWASP recommends. */
export const isRecommended = ({ memory_kib, passes }: Cost): boolean =>
  recommended.some((least) => memory_kib >= least.memory_kib && passes >= least.passes)

const leastMemory = 19_456
const memorySteps = [leastMemory, 32_768, 47_104, 65_536, 98_304, 131_072, 196_608, 262_144]
const fewestPasses = 2
const mostPasses = 10

/** The settings to choose from, the weakest first: first the memory grows, up to the limit in KiB, then the number of passes. */
export const candidates = (memoryLimit: number): ReadonlyArray<Cost> => {
  const memories = memorySteps.filter((memory_kib) => memory_kib === leastMemory || memory_kib <= memoryLimit)
  const largest = memories.at(-1) ?? leastMemory
  const furtherPasses = Array.from({ length: mostPasses - fewestPasses }, (_, index) => fewestPasses + 1 + index)
  return [
    ...memories.map((memory_kib) => ({ memory_kib, passes: fewestPasses, lanes: 1 })),
    ...furtherPasses.map((passes) => ({ memory_kib: largest, passes, lanes: 1 })),
  ]
}

export interface Measured {
  readonly cost: Cost
  /** Of one hash. */
  readonly milliseconds: number
}

/**
 * The strongest of these settings, the weakest first, that takes less than this many milliseconds; otherwise the weakest one. Measures few
 * of them, by binary search.
 */
export const strongestBelow = Effect.fnUntraced(function* strongestBelow<E, R>(
  costs: ReadonlyArray<Cost>,
  target: number,
  measure: (cost: Cost) => Effect.Effect<number, E, R>,
) {
  const measured = (cost: Cost) => Effect.map(measure(cost), (milliseconds): Measured => ({ cost, milliseconds }))
  let best = yield* measured(costs[0]!)
  if (best.milliseconds >= target) return best
  let [low, high] = [1, costs.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = yield* measured(costs[middle]!)
    if (found.milliseconds < target) {
      best = found
      low = middle + 1
    } else high = middle
  }
  return best
})
