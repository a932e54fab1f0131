import { execFile, spawn } from "node:child_process"
import { cpSync, readFileSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, it } from "vitest"
import { atEnd } from "./endings.ts"
import { repository, temporaryFolder } from "./program.ts"
import { until } from "./waiting.ts"

const run = promisify(execFile)

interface Step {
  readonly command: string
  /** The answer that the README prints below it; `…` represents values that differ each time. */
  readonly printed: string | undefined
}

/** The shell blocks of one section, each with the JSON answer that the page shows after it. */
const stepsOf = (markdown: string, section: string): ReadonlyArray<Step> => {
  const [, after = ""] = markdown.split(`\n## ${section}\n`)
  const [text = ""] = after.split("\n## ")
  return [...text.matchAll(/```sh\n([\s\S]*?)```\n(?:\s*```json\n([\s\S]*?)```)?/g)].map(([, command = "", printed]) => ({
    command: command.trim(),
    printed: printed?.trim(),
  }))
}

const pattern = (printed: string) => new RegExp(`^${printed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", '[^"]+')}$`)

/** The environment of a reader: without `DATABASE_URL` and other variables of the tests. */
const { PATH = "", HOME = "" } = process.env
const typed = (command: string) => run("bash", ["-c", command], { cwd: folder, env: { PATH, HOME } })

const readme = readFileSync(join(repository, "README.md"), "utf8")
const steps = stepsOf(readme, "Five minutes")

let folder: string
let said = ""
let stop: () => Promise<unknown>

/** Starts the service, and waits until it is ready. */
const start = async () => {
  if (await answers()) throw new Error("something else listens on port 3000")
  // A process group of its own, so that npm and its children end together.
  const npm = spawn("npm", ["start"], { cwd: folder, env: { PATH, HOME }, detached: true })
  npm.stdout.setEncoding("utf8").on("data", (text) => (said += text))
  npm.stderr.setEncoding("utf8").on("data", (text) => (said += text))
  const gone = new Promise((resolve) => npm.once("exit", resolve))
  const end = (signal: NodeJS.Signals) => {
    if (npm.exitCode === null && npm.signalCode === null && npm.pid !== undefined) process.kill(-npm.pid, signal)
    return gone
  }
  atEnd(() => end("SIGKILL"))
  stop = () => end("SIGINT")
  await until("the server to be ready", async () => (await answers()) || undefined, 60).catch((fault) => {
    throw new Error(`npm start is not ready; it said:\n${said}`, { cause: fault })
  })
  if (npm.exitCode !== null) throw new Error(`another program answers on port 3000; npm start said:\n${said}`)
}

beforeAll(async () => {
  folder = join(temporaryFolder(), "sallyport")
  const left = new Set(["node_modules", ".git", ".sallyport", ".cache", "dist", "coverage"])
  cpSync(repository, folder, { recursive: true, filter: (path) => path === repository || !left.has(basename(path)) })
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"))
  await start()
})

const answers = async () => (await fetch("http://localhost:3000/readyz").catch(() => undefined))?.ok === true

it("has steps that can be followed", () => {
  const all = steps.map(({ command }) => command).join("\n")
  for (const path of ["/sign-up/email", "/get-session", "/sign-out"]) expect(all).toContain(path)
})

it.each(steps)("$command", async ({ command, printed }) => {
  const { stdout } = await typed(command)
  if (printed !== undefined) expect(stdout.trim()).toMatch(pattern(printed))
})

it("leaves no session", async () => {
  const { stdout } = await run("curl", ["-s", "-b", "jar", "localhost:3000/api/auth/get-session"], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({ session: null, user: null })
})

it("printed the mail with the link that verifies the address", async () => {
  const token = await until("a mail in the terminal", () => said.match(/verify-email\?token=([\w%.~-]+)/)?.[1])
  const answer = await fetch("http://localhost:3000/api/auth/verify-email", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: decodeURIComponent(token) }),
  })
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
})

it("makes a key, with which a program lists the users", async () => {
  const [make, list] = stepsOf(readme, "One more minute").map(({ command }) => command)
  if (make === undefined || list === undefined) throw new Error("the section has no two commands")
  await stop()
  const { stdout } = await typed(make)
  const [key = ""] = stdout.match(/spk_s_\w+/) ?? []
  expect(stdout).toMatch(/^Nightly sync has a key until 20\S+, which is shown only now: spk_s_\w{49}\n$/)
  await start()
  const { stdout: listed } = await typed(list.replace("spk_s_…", key))
  expect(JSON.parse(listed)).toMatchObject({ users: [{ email: "ada@example.com" }] })
})
