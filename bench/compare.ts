import { rounds, warmUps } from "./options.ts"

/** One round of one side. Figures that a side cannot measure are NaN. */
export interface Round {
  readonly perSecond: number
  /** Processor time of the server alone per request, microseconds. */
  readonly micros: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The part of the machine that the load generator took. */
  readonly loadShare: number
}

/** A side of one comparison. */
export interface Contender {
  readonly name: string
  readonly round: () => Promise<Round>
}

/** The counted rounds of one side. */
export interface Measured {
  readonly name: string
  readonly rounds: ReadonlyArray<Round>
}

/**
 * Runs the rounds of all sides in turn and reverses their order after each turn, so that a machine that slows down slows all of them.
 * The first turns are not counted.
 */
export const alternate = async (contenders: ReadonlyArray<Contender>): Promise<ReadonlyArray<Measured>> => {
  const results = contenders.map(({ name }) => ({ name, rounds: [] as Array<Round> }))
  for (let turn = -warmUps; turn < rounds; turn++) {
    const order = contenders.map((_, index) => index)
    for (const index of turn % 2 === 0 ? order : order.reverse()) {
      const round = await contenders[index]!.round()
      if (turn >= 0) results[index]!.rounds.push(round)
    }
  }
  return results
}
