import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../postgres-server.ts"
import { atEnd } from "./endings.ts"
import { type Answer, type Options, send } from "./http.ts"
import { until } from "./waiting.ts"

export const repository = join(import.meta.dirname, "../..")

/** The program as an operator has it: a process, a configuration file, a port. It is gone when the test file is over. */
export interface Program {
  readonly port: number
  /** An endpoint: POST with a body, else GET. Rejects when the connection breaks. */
  readonly call: (path: string, body?: unknown, options?: Options) => Promise<Answer>
  /** Any path of the server. */
  readonly get: (path: string) => Promise<Answer>
  /** Starts the process without waiting for anything. */
  readonly begin: () => void
  /** Waits until it can serve. */
  readonly ready: () => Promise<void>
  /** SIGKILL; over once the process is gone. */
  readonly kill: () => Promise<void>
  /** What it has said since it was first begun. */
  readonly logs: () => string
}

/** Hashes that cost little: what is tested here is not how long a password takes. */
export const cheapHash = { memory_kib: 1024, passes: 1, lanes: 1 }

const defaults = {
  secret: "a secret for these tests only, 32+ bytes",
  mail: { kind: "none" },
  email_password: { enabled: true, hash: cheapHash },
  // All requests come from one address.
  rate_limit: { enabled: false },
  log: { level: "info", format: "json" },
}

/** A temporary folder, gone when the test file is over. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-e2e-"))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The program's configuration; parts of it depend on its URL. */
type Config = Readonly<Record<string, unknown>>
type ConfigOf = Config | ((url: string) => Config)

/** A program with a configuration and a port, not begun yet. */
export const install = async (config: ConfigOf): Promise<Program> => {
  const folder = temporaryFolder()
  const file = join(folder, "config.json")
  const port = await freePort()
  const url = `http://localhost:${port}`
  const told = typeof config === "function" ? config(url) : config
  writeFileSync(file, JSON.stringify({ ...defaults, public_url: url, listen: { host: "127.0.0.1", port }, ...told }))

  let child: ChildProcess | undefined
  let said = ""
  const program: Program = {
    port,
    call: (path, body, options = {}) => send(port, `/api/auth${path}`, body, options),
    get: (path) => send(port, path, undefined, {}),
    begin: () => {
      child = spawn(process.execPath, [join(repository, "bin.js"), "--config", file], { cwd: folder, env: bareEnvironment() })
      child.stdout?.setEncoding("utf8").on("data", (text) => (said += text))
      child.stderr?.setEncoding("utf8").on("data", (text) => (said += text))
    },
    ready: async () => {
      const begun = child
      const answers = async () => {
        if (begun?.exitCode !== null) throw new Error(`the program does not run; it said:\n${said}`)
        const answer = await program.get("/readyz").catch(() => undefined)
        return answer?.status === 200 || undefined
      }
      await until("the program to be ready", answers, 60).catch((fault) => {
        throw new Error(`the program is not ready; it said:\n${said}`, { cause: fault })
      })
    },
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, "exit")
      child.kill("SIGKILL")
      await gone
    },
    logs: () => said,
  }
  atEnd(program.kill)
  return program
}

/** A program that serves. */
export const start = async (config: ConfigOf): Promise<Program> => {
  const program = await install(config)
  program.begin()
  await program.ready()
  return program
}

/** Environment variables override the configuration, so the program does not inherit those of the test run. */
const bareEnvironment = () => {
  const { PATH = "", HOME = "", TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
}
