import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { freePort } from "../postgres-server.ts"
import { atEnd } from "./endings.ts"
import { until } from "./waiting.ts"

const isListening = (port: number) =>
  new Promise<true | undefined>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy() && true))
    socket.once("error", () => resolve(undefined))
  })

/** Debian's Redis on a free port, with a password and without files. */
export const startRedis = async () => {
  const port = await freePort()
  const password = "a-password"
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--requirepass", password], {
      stdio: "ignore",
    })
    await until("Redis", () => isListening(port))
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
