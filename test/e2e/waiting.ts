/** Some milliseconds of real time: the program under test has a clock of its own. */
export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Asks again and again until there is an answer, for so many seconds at most. */
export const until = async <A>(what: string, ask: () => A | undefined | Promise<A | undefined>, seconds = 30): Promise<A> => {
  const end = performance.now() + seconds * 1000
  while (true) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`waited ${seconds} s in vain for ${what}`)
    await pause(25)
  }
}

/** Runs so many calls, and how long each of them took, one after another. */
export const durations = async (times: number, call: (index: number) => Promise<unknown>): Promise<ReadonlyArray<number>> => {
  const taken: Array<number> = []
  for (let index = 0; index < times; index++) {
    const begin = performance.now()
    await call(index)
    taken.push(performance.now() - begin)
  }
  return taken
}

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
