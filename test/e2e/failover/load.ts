import { pause } from "../waiting.ts"
import type { Answer } from "./client.ts"

/** The answers to the requests that were sent in one phase. */
export interface Phase {
  readonly name: string
  readonly sent: number
  /** Answered 200. */
  readonly acknowledged: number
  /** Other answers, with their number. `503 unavailable`: the database; `503 balancer`: no instance was ready; `0`: no answer. */
  readonly other: Readonly<Record<string, number>>
  /** The longest time without an answer 200, seconds. */
  readonly longestPause: number
  /** Seconds. */
  readonly duration: number
  /** Of all answers, seconds. */
  readonly p99: number
  readonly slowest: number
}

const tick = 5

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Sends requests at a fixed rate, independently of the answers, and counts these by the phase in which the request was sent. */
export const startLoad = (perSecond: number, sendOne: () => Promise<Answer>) => {
  const phases: Array<{ -readonly [Field in keyof Phase]: Phase[Field] } & { other: Record<string, number>; times: Array<number> }> = []
  const servedBy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let isOver = false
  let [began, lastAnswer] = [performance.now(), performance.now()]

  const begin = (name: string) => {
    const now = performance.now()
    const last = phases.at(-1)
    if (last !== undefined) last.duration = (now - began) / 1000
    began = now
    lastAnswer = now
    phases.push({ name, sent: 0, acknowledged: 0, other: {}, longestPause: 0, duration: 0, p99: 0, slowest: 0, times: [] })
    return phases.at(-1)!
  }
  const over = ({ times, ...phase }: (typeof phases)[number]): Phase => {
    const sorted = times.toSorted((one, other) => one - other)
    return { ...phase, p99: rounded(sorted[Math.floor(sorted.length * 0.99)] ?? 0), slowest: rounded(sorted.at(-1) ?? 0) }
  }
  const notePause = () => {
    const now = performance.now()
    const phase = phases.at(-1)!
    phase.longestPause = Math.max(phase.longestPause, (now - lastAnswer) / 1000)
    lastAnswer = now
  }
  const exchange = async () => {
    const phase = phases.at(-1)!
    phase.sent += 1
    const start = performance.now()
    const { status, fault, servedBy: instance = "balancer" } = await sendOne()
    phase.times.push((performance.now() - start) / 1000)
    if (status !== 200) {
      const answer = `${status} ${fault}`
      phase.other[answer] = (phase.other[answer] ?? 0) + 1
      return
    }
    notePause()
    phase.acknowledged += 1
    servedBy.set(instance, (servedBy.get(instance) ?? 0) + 1)
  }
  let isHeld = false
  const pace = async () => {
    let last = performance.now()
    let due = 0
    while (!isOver) {
      const now = performance.now()
      due += isHeld ? 0 : ((now - last) / 1000) * perSecond
      last = now
      for (; due >= 1; due--) {
        const one: Promise<void> = exchange().finally(() => running.delete(one))
        running.add(one)
      }
      await pause(tick)
    }
    await Promise.all(running)
  }
  begin("steady load")
  const pacing = pace()
  return {
    /** Begins a phase. The function that it returns waits for all answers of the phase. */
    begin: (name: string) => {
      const phase = begin(name)
      return async () => {
        while (phase.times.length < phase.sent) await pause(tick)
        return over(phase)
      }
    },
    /** Sends nothing more, and waits for the last answers, until the returned function is called. */
    hold: async () => {
      isHeld = true
      await Promise.all(running)
      return () => {
        isHeld = false
        lastAnswer = performance.now()
      }
    },
    /** Stops, and waits for the last answers. */
    finish: async (): Promise<{ readonly phases: ReadonlyArray<Phase>; readonly servedBy: ReadonlyMap<string, number> }> => {
      isOver = true
      await pacing
      begin("")
      return { phases: phases.slice(0, -1).map(over), servedBy }
    },
  }
}
