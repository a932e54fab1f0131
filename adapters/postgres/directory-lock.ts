import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Data } from "effect"

/** Another process has the data directory open. */
export class DirectoryInUse extends Data.TaggedError("DirectoryInUse")<{ readonly directory: string; readonly pid: number }> {
  override get message() {
    return `The data directory ${this.directory} is in use by process ${this.pid}; stop that one first, or choose another directory`
  }
}

/** The locks of this process. The pid alone does not identify it: the next process of a container often has the same pid. */
const lockedHere = new Set<string>()

/** Acquires the directory's lock, from a dead process if necessary, and returns the function that releases it. */
export const lockDirectory = (directory: string): (() => void) => {
  const lock = join(directory, "lock")
  const candidate = `${lock}.${process.pid}`
  writeFileSync(candidate, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }), { mode: 0o600 })
  try {
    if (!tryLink(candidate, lock)) {
      takeOver(directory, lock)
      if (!tryLink(candidate, lock)) throw new DirectoryInUse({ directory, pid: holderOf(lock)?.pid ?? 0 })
    }
  } finally {
    rmSync(candidate, { force: true })
  }
  lockedHere.add(lock)
  return () => {
    lockedHere.delete(lock)
    rmSync(lock, { force: true })
  }
}

/** Creates the link atomically: of several concurrent processes, one succeeds. */
const tryLink = (from: string, to: string): boolean => {
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
  // Another process may have taken the lock over between the check and the rename: then its lock is restored.
  if (moved !== undefined && isAlive(lock, moved)) tryLink(stale, lock)
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

/** An equal pid is the same process only if its start time is equal too, where the system reports one. */
const isAlive = (lock: string, { pid, started }: Holder): boolean => {
  if (pid === process.pid) return lockedHere.has(lock)
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
  return started === undefined || startOf(pid) === started
}

/** Clock ticks from the machine's start to the start of the process, from Linux's /proc. */
const startOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch {
    return undefined
  }
}
