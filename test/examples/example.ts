import { execFile, execFileSync, spawn } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import config from "../../examples/sallyport.config.ts"
import { atEnd } from "../e2e/endings.ts"
import { cheapHash, type Program, repository, start, temporaryFolder } from "../e2e/program.ts"
import { until } from "../e2e/waiting.ts"
import { freePort } from "../free-port.ts"
import { environment } from "../package/tarball.ts"

/** Files and folders that builds and installations create. */
const made = new Set(["node_modules", "dist", "build", ".next", ".output", "venv", ".sallyport"])

/** A copy of the examples' folder, so that the repository stays as it is. */
export const copyExamples = (): string => {
  const folder = join(temporaryFolder(), "examples")
  cpSync(join(repository, "examples"), folder, { recursive: true, filter: (path) => !made.has(basename(path)) })
  return folder
}

/** The lines of an example's own files, except its README and the hashes of dependencies. */
export const linesOf = (name: string): number => {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", `examples/${name}`], { cwd: repository })
  const own = listed.toString().trim().split("\n")
  const counted = own.filter((file) => !["README.md", "go.sum"].includes(basename(file)))
  return counted
    .map((file) => readFileSync(join(repository, file), "utf8").trimEnd().split("\n").length)
    .reduce((sum, lines) => sum + lines)
}

interface Manifest {
  readonly private?: boolean
  readonly type?: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Installs the tarball and the packages that these examples name, once for all of them: Node finds packages in a parent folder as well. */
export const installPackages = (examples: string, tarball: string, names: ReadonlyArray<string>): void => {
  const manifests = names.map((name) => manifestIn(join(examples, name)))
  const dependencies = Object.assign({}, ...manifests.flatMap(({ dependencies, devDependencies }) => [devDependencies, dependencies]))
  installIn(examples, tarball, { private: true, type: "module", dependencies })
}

/** Installs the tarball and the packages of an example in its own folder. */
export const installExample = (folder: string, tarball: string): void => installIn(folder, tarball, manifestIn(folder))

const installIn = (folder: string, tarball: string, manifest: Omit<Manifest, "devDependencies">) => {
  const dependencies = { ...manifest.dependencies, sallyport: `file:${tarball}` }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }))
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
  execFileSync("npm", args, { cwd: folder, env: environment, stdio: "pipe" })
}

/** The service with the configuration of the examples; pages have these origins. */
export const startService = (...origins: ReadonlyArray<string>): Promise<Program> => {
  const email_password = { ...config.email_password, hash: cheapHash }
  return start({ ...config, email_password, mail: { kind: "none" }, trusted_origins: [...origins], session: { update_age: 1 } })
}

export const freeOrigin = async () => {
  const port = await freePort()
  return { port: String(port), url: `http://localhost:${port}` }
}

type Variables = Readonly<Record<string, string>>

/** The environment, with the commands of the installed packages first on the PATH. */
const environmentIn = (folder: string, variables: Variables) => ({
  ...process.env,
  ...environment,
  PATH: [join(folder, "node_modules/.bin"), join(folder, "../node_modules/.bin"), environment.PATH].join(":"),
  ...variables,
})

/** Runs a command to its end; rejects with its output. */
export const runIn = (folder: string, [command = "", ...args]: ReadonlyArray<string>, variables: Variables = {}) =>
  promisify(execFile)(command, args, { cwd: folder, env: environmentIn(folder, variables) })

/** Starts a command, and waits until this URL answers. The command ends with the test file. */
export const serve = async (folder: string, [command = "", ...args]: ReadonlyArray<string>, url: string, variables: Variables) => {
  // A process group of its own, so that a command and its children end together.
  const child = spawn(command, args, { cwd: folder, env: environmentIn(folder, variables), detached: true })
  const exited = new Promise((resolve) => child.once("exit", resolve).once("error", resolve))
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text))
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text))
  child.once("error", (error) => (output += error.message))
  atEnd(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    await exited
  })
  const answers = async () => (await fetch(url).catch(() => undefined)) && true
  await until(`${command} ${args.join(" ")}`, answers, 60).catch((cause) => {
    throw new Error(`${url} does not answer; the output is:\n${output}`, { cause })
  })
}
