import { Effect } from "effect"
import type { Configuration } from "../config/load.ts"
import { candidates, isRecommended, type Measured, strongestBelow } from "../passwords/hash-cost.ts"
import type { Cost } from "../passwords/stored-hash.ts"

/** What the checks of the password hash need to know about this machine. */
export interface HashMachine {
  /** The time of one hash in milliseconds. */
  readonly hashTime: (cost: Cost) => Effect.Effect<number>
  /** The number of hashes that one process computes at the same time. */
  readonly threads: number
  /** The memory that is available to the process, in bytes. */
  readonly memory: number
}

/** A result with its figures for `--json`. */
export interface MeasuredFinding {
  readonly text: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The time of a hash with the configured cost. */
export const hashCheck = ({ passwords: { hash: cost } }: Configuration, machine: HashMachine): Effect.Effect<MeasuredFinding> => {
  return Effect.map(machine.hashTime(cost), (milliseconds) => {
    const weak = isRecommended(cost) ? "" : "; OWASP recommends more, at least 19456 KiB with 2 passes"
    return finding({ cost, milliseconds }, machine, `one hash with ${JSON.stringify(cost)}`, weak)
  })
}

/** The strongest cost whose hash takes less than this many milliseconds. Fails if even the weakest recommended cost takes longer. */
export const hashTimeCheck = Effect.fnUntraced(function* hashTimeCheck({ listen }: Configuration, machine: HashMachine, target: number) {
  const atOnce = machine.threads * listen.workers
  const costs = candidates((machine.memory * shareOfMemory) / 1024 / atOnce)
  const best = yield* strongestBelow(costs, target, machine.hashTime)
  if (best.milliseconds >= target)
    return yield* Effect.fail(
      `even ${JSON.stringify(best.cost)}, the least that OWASP recommends, takes ${shown(best.milliseconds)} ms here, which is not below ${target} ms; do not choose a weaker one`,
    )
  const setting = JSON.stringify({ email_password: { hash: best.cost } })
  return finding(best, machine, `the strongest measured cost below ${target} ms is ${setting}, one hash`)
})

/** The largest part of the available memory that hashes may take. */
const shareOfMemory = 1 / 4

const finding = ({ cost, milliseconds }: Measured, { threads }: HashMachine, subject: string, remark = ""): MeasuredFinding => {
  const perSecond = (threads * 1000) / milliseconds
  return {
    text: `${subject} takes ${shown(milliseconds)} ms, so at most ${shown(perSecond)} sign-ins a second with ${threads} threads${remark}`,
    details: { hash: cost, milliseconds: Number(shown(milliseconds)), threads, sign_ins_per_second: Number(shown(perSecond)) },
  }
}

/** With one decimal below 10. */
const shown = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
