import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, openSync, readFileSync } from "node:fs"
import { userInfo } from "node:os"
import { atEnd } from "../endings.ts"
import { temporaryFolder } from "../program.ts"

const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"]))
const isRoot = userInfo().uid === 0

/** PostgreSQL refuses to run as root, so root runs it and its tools as the user `postgres`. */
export const databaseUser = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {}

/** A temporary folder that the user of the database may write to. */
export const databaseFolder = (): string => {
  const folder = temporaryFolder()
  const { uid, gid } = databaseUser
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** A process of another program, which writes its output into `log`. It is killed at the end of the test file. */
export const startProcess = (log: string, command: string, args: ReadonlyArray<string>, options: { readonly uid?: number } = {}) => {
  const output = openSync(log, "a")
  const child = spawn(command, args, { ...options, stdio: ["ignore", output, output] })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  }
  atEnd(kill)
  return { kill }
}

/** The ids of the child processes of a process. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}
