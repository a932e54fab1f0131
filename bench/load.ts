import { execFile } from "node:child_process"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"
import { childrenSeconds } from "./machine.ts"
import type { Prepared } from "./requests.ts"

/** Prepared requests, sent in turn over a number of connections for a number of seconds. */
export interface Load extends Prepared {
  /** The port on this machine. */
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

export interface Answers {
  readonly count: number
  readonly perSecond: number
  /** Times from request to answer, milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The part of the whole machine's processor time that wrk took; NaN if the system does not report it. */
  readonly loadShare: number
}

const run = promisify(execFile)

const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

const quantile = (stdout: string, percent: number): number => {
  const [, value, unit = ""] = new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s|m) *$`, "m").exec(stdout) ?? []
  return Number(value) * (milliseconds[unit] ?? Number.NaN)
}

/** Sends load with wrk and counts the answers; throws when an answer is not a success. Only one load may run at a time. */
export const send = async ({ port, connections, seconds, script, requests }: Load): Promise<Answers> => {
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "--latency", "-s", script]
  const [usedBefore, begun] = [childrenSeconds(), performance.now()]
  const { stdout } = await run("wrk", [...options, `http://127.0.0.1:${port}/`, "--", requests, String(Date.now())])
  const elapsed = (performance.now() - begun) / 1000
  const [, count] = /(\d+) requests in /.exec(stdout) ?? []
  const [, perSecond] = /Requests\/sec: +([\d.]+)/.exec(stdout) ?? []
  if (count === undefined || count === "0" || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk printed:\n${stdout}`)
  return {
    count: Number(count),
    perSecond: Number(perSecond),
    p50: quantile(stdout, 50),
    p99: quantile(stdout, 99),
    loadShare: (childrenSeconds() - usedBefore) / (elapsed * availableParallelism()),
  }
}
