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
}

const tick = 5

/** Sends requests at a fixed rate, independently of the answers, and counts these by the phase in which the request was sent. */
export const startLoad = (perSecond: number, sendOne: () => Promise<Answer>) => {
  const phases: Array<{ -readonly [Field in keyof Phase]: Phase[Field] } & { other: Record<string, number> }> = []
  const servedBy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let isOver = false
  let [began, lastAnswer] = [performance.now(), performance.now()]

  const begin = (name: string) => {
    const now = performance.now()
    const last = phases.at(-1)
    if (last !== undefined) {
      last.duration = (now - began) / 1000
      console.log(JSON.stringify(last))
    }
    began = now
    lastAnswer = now
    phases.push({ name, sent: 0, acknowledged: 0, other: {}, longestPause: 0, duration: 0 })
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
    const { status, fault, servedBy: instance = "balancer" } = await sendOne()
    if (status !== 200) {
      const answer = `${status} ${fault}`
      phase.other[answer] = (phase.other[answer] ?? 0) + 1
      return
    }
    notePause()
    phase.acknowledged += 1
    servedBy.set(instance, (servedBy.get(instance) ?? 0) + 1)
  }
  const pace = async () => {
    const start = performance.now()
    let sent = 0
    while (!isOver) {
      for (const due = ((performance.now() - start) / 1000) * perSecond; sent < due; sent++) {
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
    begin,
    /** Stops, and waits for the last answers. */
    finish: async (): Promise<{ readonly phases: ReadonlyArray<Phase>; readonly servedBy: ReadonlyMap<string, number> }> => {
      isOver = true
      await pacing
      begin("")
      return { phases: phases.slice(0, -1), servedBy }
    },
  }
}
