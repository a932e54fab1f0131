import { randomInt } from "node:crypto"
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Below the ports that systems give to connections and to servers that ask for any port, so that none of them takes one in between. */
const [lowest, highest] = [10_000, 32_767]

/** One file for each port that a process of the tests has taken and not yet left. */
const folder = join(tmpdir(), "sallyport-test-ports")

const taken: Array<string> = []
const leave = () => {
  for (const file of taken) rmSync(file, { force: true })
}

/** A port on which no process listens, and that no other test takes until this process ends. */
export const freePort = async (): Promise<number> => {
  mkdirSync(folder, { recursive: true })
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    if (takes(port) && (await isFree(port))) return port
  }
}

/** Takes a port for this process; of many processes one succeeds. */
const takes = (port: number) => {
  const file = join(folder, String(port))
  try {
    closeSync(openSync(file, "wx"))
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && fault.code === "EEXIST") return false
    throw fault
  }
  if (taken.push(file) === 1) process.once("exit", leave)
  return true
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
