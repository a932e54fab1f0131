import type { ChildProcess } from "node:child_process"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"

// Pins processes to processors and measures their processor time.

const exists = (command: string): boolean => spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined

/** A load generator in Node would take processor time from the server. */
export const demandWrk = (): void => {
  if (exists("wrk")) return
  console.error("This benchmark sends its load with wrk, which is not on the PATH: install it first (Debian, Ubuntu: apt-get install wrk).")
  process.exit(1)
}

const canPin = process.platform === "linux" && availableParallelism() > 1 && exists("taskset")

/** The measured server has one processor; the database and the load share the others. */
const pins = { server: "0", others: `1-${availableParallelism() - 1}` } as const

/** Moves this process off the server's processor. Child processes inherit this, unless they are started on the server's processor. */
export const leaveServersProcessor = (): void => {
  if (canPin) execFileSync("taskset", ["-pc", pins.others, String(process.pid)], { stdio: "ignore" })
}

export const pinning = canPin ? "server on processor 0, database and load on the others" : "not pinned: the results vary more"

/** Other programs distort the measurements. */
export const warnIfBusy = (): void => {
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2) console.log(`Other programs are running (load ${load.toFixed(1)}): the results will vary more.`)
}

/** A command line that runs on the server's processor. */
export const onServersProcessor = (command: string, args: ReadonlyArray<string>): readonly [string, ReadonlyArray<string>] =>
  canPin ? ["taskset", ["-c", pins.server, command, ...args]] : [command, args]

/** Starts a Node program on the server's processor. */
export const startNode = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): ChildProcess => {
  const [command, all] = onServersProcessor(process.execPath, args)
  return spawn(command, [...all], { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] })
}

export const stopped = async (children: ReadonlyArray<ChildProcess>): Promise<void> => {
  for (const child of children) child.kill()
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? new Promise((resolve) => child.once("exit", resolve))))
}

/**
 * The processor time of a process in seconds; NaN if the system does not report it. `taskset` replaces itself by the command that it starts,
 * so the time is that of the server.
 */
export const processorSeconds = ({ pid }: ChildProcess): number => {
  const ticks = statOf(pid)?.slice(11, 13).map(Number)
  return ticks === undefined ? Number.NaN : ticks.reduce((sum, each) => sum + each, 0) / 100
}

/** The resident memory of a process in megabytes; NaN if the system does not report it. */
export const residentMegabytes = ({ pid }: ChildProcess): number => (Number(statOf(pid)?.[21] ?? Number.NaN) * 4096) / 2 ** 20

/** Fields of Linux's /proc/PID/stat from the third on. */
const statOf = (pid: number | undefined): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

export const until = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if ((await fetch(url).catch(() => null))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not answer`)
}
