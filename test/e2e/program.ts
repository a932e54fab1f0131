import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { type Answer, type Options, send } from "./http.ts"
import { until } from "./waiting.ts"

export const repository = join(import.meta.dirname, "../..")

/** The program that `built-setup.ts` has built. */
export const builtProgram = join(process.env["PROGRAM_FOLDER"] ?? repository, "bin.js")

/** The program as an operator runs it: a process, a configuration file, a port. It is stopped at the end of the test file. */
export interface Program {
  readonly port: number
  /** The id of the process that runs. */
  readonly pid: () => number
  /** An endpoint: POST with a body, else GET. Rejects when the connection breaks. */
  readonly call: (path: string, body?: unknown, options?: Options) => Promise<Answer>
  /** Any path of the server. */
  readonly get: (path: string) => Promise<Answer>
  /** Starts the process without waiting for anything, with further variables of its environment. */
  readonly begin: (environment?: Readonly<Record<string, string>>) => void
  /** Takes the version of another folder for the next start, with its Node; by default this one. */
  readonly become: (folder?: string) => void
  /** Waits until it can serve. */
  readonly ready: () => Promise<void>
  /** Sends SIGKILL and waits until the process has ended. */
  readonly kill: () => Promise<void>
  /** Sends SIGTERM; returns the exit code once the process has ended. */
  readonly stop: () => Promise<number | null>
  /** Writes the configuration file with these changes of its first state. */
  readonly configure: (changes: Config) => void
  /** Lets the process reload its configuration. */
  readonly hangUp: () => void
  /** Runs a command with the same configuration; returns its output. */
  readonly command: (...args: ReadonlyArray<string>) => Promise<string>
  /** The output of all starts so far. */
  readonly logs: () => string
}

/** A low cost of password hashes, to keep the tests fast. */
export const cheapHash = { memory_kib: 1024, passes: 1, lanes: 1 }

const defaults = {
  secret: "a secret for these tests only, 32+ bytes",
  mail: { kind: "none" },
  email_password: { enabled: true, hash: cheapHash },
  // All requests come from one address.
  rate_limit: { enabled: false },
  log: { level: "info", format: "json" },
}

/** A temporary folder, which is removed at the end of the test file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-e2e-"))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The program's configuration; parts of it depend on its URL. */
type Config = Readonly<Record<string, unknown>>
type ConfigOf = Config | ((url: string) => Config)

/** A program with a configuration and a port that was not started yet. */
export const install = async (config: ConfigOf, variables: Readonly<Record<string, string>> = {}): Promise<Program> => {
  const folder = temporaryFolder()
  const file = join(folder, "config.json")
  const port = await freePort()
  const url = `http://localhost:${port}`
  const told = typeof config === "function" ? config(url) : config
  const listen = { host: "127.0.0.1", port, ...Object(told["listen"]) }
  const configure = (changes: Config) => writeFileSync(file, JSON.stringify({ ...defaults, public_url: url, ...told, listen, ...changes }))
  configure({})
  let [node, script] = ["", ""]
  const become = (version = repository) => {
    node = version === repository ? process.execPath : join(version, "node_modules/.bin/node")
    script = version === repository ? builtProgram : join(version, "bin.js")
  }
  become()

  let child: ChildProcess | undefined
  let said = ""
  const program: Program = {
    port,
    configure,
    hangUp: () => void process.kill(program.pid(), "SIGHUP"),
    pid: () => {
      if (child?.pid === undefined) throw new Error("the program does not run")
      return child.pid
    },
    call: (path, body, options = {}) => send(port, `/api/auth${path}`, body, options),
    get: (path) => send(port, path, undefined, {}),
    become,
    begin: (environment = {}) => {
      child = spawn(node, [script, "--config", file], { cwd: folder, env: { ...bareEnvironment(), ...variables, ...environment } })
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
    stop: async () => {
      if (child === undefined) throw new Error("the program does not run")
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      const [code] = await gone
      return code
    },
    command: async (...args) => {
      const all = [script, "--config", file, ...args]
      return (await promisify(execFile)(node, all, { cwd: folder, env: { ...bareEnvironment(), ...variables } })).stdout
    },
    logs: () => said,
  }
  atEnd(program.kill)
  return program
}

/** A program that serves. */
export const start = async (config: ConfigOf, variables: Readonly<Record<string, string>> = {}): Promise<Program> => {
  const program = await install(config, variables)
  program.begin()
  await program.ready()
  return program
}

/** Environment variables override the configuration, so the program does not inherit those of the test run. */
export const bareEnvironment = () => {
  const { PATH = "", HOME = "", TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
}

/** The ids of the workers of a program. */
export const workersOf = ({ pid }: Program) =>
  readFileSync(`/proc/${pid()}/task/${pid()}/children`, "utf8")
    .split(" ")
    .filter((id) => id !== "")
    .map(Number)
