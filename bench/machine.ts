import type { ChildProcess } from "node:child_process"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
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

/** A server of one process has one processor; the database and the load share the others. */
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

/** A command line that runs on the server's processor, or on all processors. */
export const onServersProcessor = (
  command: string,
  args: ReadonlyArray<string>,
  isOnAll = false,
): readonly [string, ReadonlyArray<string>] => {
  const processors = isOnAll ? `0-${availableParallelism() - 1}` : pins.server
  return canPin ? ["taskset", ["-c", processors, command, ...args]] : [command, args]
}

type Environment = Readonly<Record<string, string>>

/** Starts a program on the server's processor, or on all processors; its errors are printed. */
export const startProgram = (command: string, args: ReadonlyArray<string>, env: Environment = {}, isOnAll = false): ChildProcess => {
  const [first, all] = onServersProcessor(command, args, isOnAll)
  return spawn(first, [...all], { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] })
}

/** Starts a Node program on the server's processor, or on all processors. */
export const startNode = (args: ReadonlyArray<string>, env: Environment = {}, isOnAll = false): ChildProcess =>
  startProgram(process.execPath, args, env, isOnAll)

export const stopped = async (children: ReadonlyArray<ChildProcess>): Promise<void> => {
  for (const child of children) child.kill()
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? new Promise((resolve) => child.once("exit", resolve))))
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, each) => total + each, 0)

/** Linux counts processor time in ticks of this many a second. */
const ticksPerSecond = 100

/** The processor time of a process and the processes that it started, in seconds; NaN if the system does not report it. */
export const processorSeconds = ({ pid }: ChildProcess): number => sum(family(pid).map((each) => ticks(each, 11, 13)))

/** The processor time of the child processes of this process that have ended, in seconds; NaN if the system does not report it. */
export const childrenSeconds = (): number => ticks(process.pid, 13, 15)

/** The resident memory of a process and the processes that it started, in megabytes; NaN if the system does not report it. */
export const residentMegabytes = ({ pid }: ChildProcess): number =>
  sum(family(pid).map((each) => (Number(statOf(each)?.[21] ?? Number.NaN) * 4096) / 2 ** 20))

const ticks = (pid: number | undefined, from: number, to: number): number => {
  const stat = statOf(pid)
  return stat === undefined ? Number.NaN : sum(stat.slice(from, to).map(Number)) / ticksPerSecond
}

/** A process and all processes below it. */
const family = (pid: number | undefined): ReadonlyArray<number | undefined> => [pid, ...childrenOf(pid).flatMap(family)]

const childrenOf = (pid: number | undefined): ReadonlyArray<number> => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const listed = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"))
    return listed.flatMap((text) =>
      text
        .split(" ")
        .filter((each) => each !== "")
        .map(Number),
    )
  } catch {
    return []
  }
}

/** Fields of Linux's /proc/PID/stat from the third on. */
const statOf = (pid: number | undefined): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/** Waits until a server answers; throws after `seconds`, or when its process has ended. */
export const until = async (url: string, { seconds = 60, child }: { readonly seconds?: number; readonly child?: ChildProcess } = {}) => {
  for (let tries = 0; tries < seconds * 10; tries++) {
    if ((await fetch(url).catch(() => null))?.ok) return
    if (child !== undefined && (child.exitCode ?? child.signalCode) !== null) throw new Error(`the server of ${url} has ended`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not answer`)
}
