import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { untilListening } from "./waiting.ts"

/** Debian's Redis on a free port, with a password and without files. */
export const startRedis = async () => {
  const port = await freePort()
  const password = "a-password"
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--requirepass", password], {
      stdio: "ignore",
    })
    await untilListening("Redis", port)
  }
  const stop = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, "exit")
    server.kill("SIGKILL")
    await gone
  }
  await start()
  atEnd(stop)
  return { port, url: `redis://:${password}@127.0.0.1:${port}`, start, stop, process: () => server }
}
