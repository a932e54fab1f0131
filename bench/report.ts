import type { Measured, Round } from "./compare.ts"
import type { Operation } from "./operation.ts"
import { json, seconds, store } from "./options.ts"

/** One side of one operation, as a line of JSON: medians of its rounds, and the ratios of each round. */
export interface Result {
  readonly operation: string
  readonly title: string
  readonly store: string
  readonly side: string
  readonly perSecond: number
  /** Milliseconds; null if the side does not measure it. */
  readonly p50: number | null
  readonly p99: number | null
  /** Processor time of the server per request, microseconds. */
  readonly micros: number | null
  /** The part of the machine that the load generator took. */
  readonly loadShare: number | null
  /** Per round: the rate of the first side divided by the rate of this side. Empty for the first side. */
  readonly ratios: ReadonlyArray<number>
  /** Per round: the processor time of this side divided by that of the first side. */
  readonly processorRatios: ReadonlyArray<number>
  readonly rounds: number
  readonly seconds: number
}

/** The middle of the values; the mean of the two middle ones of an even number. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The results of one operation; the first side is compared with each of the others. */
export const resultsOf = ({ name, title }: Operation, measured: ReadonlyArray<Measured>): ReadonlyArray<Result> => {
  const first = measured[0]!.rounds
  return measured.map(({ name: side, rounds }, index) => {
    const middle = (field: keyof Round) => median(rounds.map((round) => round[field]))
    const perRound = (ratio: (own: Round, other: Round) => number) => (index === 0 ? [] : first.map((own, at) => ratio(own, rounds[at]!)))
    return {
      operation: name,
      title,
      store,
      side,
      perSecond: middle("perSecond"),
      p50: known(middle("p50")),
      p99: known(middle("p99")),
      micros: known(middle("micros")),
      loadShare: known(middle("loadShare")),
      ratios: perRound((own, other) => own.perSecond / other.perSecond),
      processorRatios: perRound((own, other) => other.micros / own.micros),
      rounds: rounds.length,
      seconds,
    }
  })
}

const shown = (value: number | null, unit: string, digits = 0) => (value === null ? "-" : `${value.toFixed(digits)} ${unit}`)

const line = ({ side, perSecond, p50, p99, micros, loadShare, ratios, processorRatios }: Result) => {
  const figures = [
    `${perSecond.toFixed(perSecond < 100 ? 1 : 0)} a second`,
    `p50 ${shown(p50, "ms", 1)}`,
    `p99 ${shown(p99, "ms", 1)}`,
    `processor ${shown(micros, "µs")}`,
    `wrk ${loadShare === null ? "-" : shown(loadShare * 100, "% of the machine")}`,
  ]
  const list = (values: ReadonlyArray<number>) => values.map((value) => value.toFixed(2)).join(" ")
  const compared = ratios.length === 0 ? [] : [`ratio ${median(ratios).toFixed(2)} (${list(ratios)})`]
  const ofTime = ratios.length === 0 || micros === null ? [] : [`of processor time ${median(processorRatios).toFixed(2)}`]
  return `  ${side.padEnd(22)} ${[...figures, ...compared, ...ofTime].join(", ")}`
}

/** Prints a text, unless the output is JSON. */
export const say = (text: string): void => {
  if (!json) console.log(text)
}

export const print = (results: ReadonlyArray<Result>): void => {
  if (json) for (const result of results) console.log(JSON.stringify(result))
  say(`${results[0]?.title}\n${results.map(line).join("\n")}`)
}
