import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Data } from "effect"

/** Another process has the data directory open. */
export class DirectoryInUse extends Data.TaggedError("DirectoryInUse")<{ readonly directory: string; readonly pid: number }> {
  override get message() {
    return `The data directory ${this.directory} is in use by process ${this.pid}; stop that one first, or choose another directory`
  }
}

/** What this process has locked. A container's next process may well have the number of its last one. */
const own = new Set<string>()

/** Takes the directory's lock, from a dead process if need be, and returns how to give it back. */
export const lockDirectory = (directory: string): (() => void) => {
  const lock = join(directory, "lock")
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }), { mode: 0o600 })
  try {
    if (!linked(mine, lock)) {
      takeOver(directory, lock)
      if (!linked(mine, lock)) throw new DirectoryInUse({ directory, pid: holderOf(lock)?.pid ?? 0 })
    }
  } finally {
    rmSync(mine, { force: true })
  }
  own.add(lock)
  return () => {
    own.delete(lock)
    rmSync(lock, { force: true })
  }
}

/** Of many who link, one succeeds. */
const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

const takeOver = (directory: string, lock: string): void => {
  const holder = holderOf(lock)
  if (holder !== undefined && isAlive(lock, holder)) throw new DirectoryInUse({ directory, pid: holder.pid })
  const stale = `${lock}.stale.${process.pid}`
  renameSync(lock, stale)
  const moved = holderOf(stale)
  // Somebody else may have taken it over between the look and the move: then it is theirs.
  if (moved !== undefined && isAlive(lock, moved)) linked(stale, lock)
  rmSync(stale, { force: true })
}

interface Holder {
  readonly pid: number
  readonly started: string | undefined
}

const holderOf = (lock: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(lock, "utf8"))
  } catch {
    return undefined
  }
}

/** The same number is the same process only if it started at the same time, where the system tells. */
const isAlive = (lock: string, { pid, started }: Holder): boolean => {
  if (pid === process.pid) return own.has(lock)
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
  return started === undefined || startOf(pid) === started
}

/** Ticks between the machine's start and the process's, from Linux's /proc. */
const startOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch {
    return undefined
  }
}
