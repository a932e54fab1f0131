import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import type { GuessBudget } from "../../../domain/sign-in/lockout.ts"
import { missed, noFailures, pauseOf } from "../../../domain/sign-in/lockout.ts"

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

/** The state after this many wrong answers, each as soon as it is accepted. */
const after = (count: number) => {
  let budget: GuessBudget = noFailures
  let now = 0
  for (let index = 0; index < count; index++) {
    now += pauseOf(budget, at(now))
    budget = missed(budget, at(now))
  }
  return { budget, pause: pauseOf(budget, at(now)), now }
}

describe("a budget of guesses", () => {
  it("has no pause before the tenth wrong answer", () => {
    expect(pauseOf(noFailures, at(0))).toBe(0)
    for (let count = 1; count < 10; count++)
      expect(after(count)).toMatchObject({ budget: { failures: count, locked_until: null }, pause: 0 })
  })

  it.each([
    [10, 900],
    [11, 1800],
    [12, 3600],
    [13, 7200],
    [16, 57_600],
    [17, 86_400],
    [18, 86_400],
    [2000, 86_400],
  ])("after %d wrong answers has one of %d seconds", (count, seconds) => {
    expect(after(count).pause).toBe(seconds)
  })

  it("ends a pause at its last second, and not before", () => {
    const { budget } = after(10)
    expect([0, 1, 899, 899.999, 900, 901].map((seconds) => pauseOf(budget, at(seconds)))).toEqual([900, 899, 1, 1, 0, 0])
  })

  it("allows fewer than 400 guesses a year", () => {
    const year = 365 * 86_400
    expect(after(383).now).toBeGreaterThan(year)
  })
})
