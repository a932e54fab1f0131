import { connect } from "node:net"

/** Waits in real time, in milliseconds, because the program under test does not use the test clock. */
export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Calls `ask` repeatedly until it returns a value, for at most this many seconds. */
export const until = async <A>(what: string, ask: () => A | undefined | Promise<A | undefined>, seconds = 30): Promise<A> => {
  const end = performance.now() + seconds * 1000
  while (true) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`waited ${seconds} s in vain for ${what}`)
    await pause(25)
  }
}

/** Runs this many calls one after another and returns the duration of each. */
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

/** Waits until a process listens on a port of this machine. */
export const untilListening = (what: string, port: number) =>
  until(
    what,
    () =>
      new Promise<true | undefined>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy() && true))
        socket.once("error", () => resolve(undefined))
      }),
  )
