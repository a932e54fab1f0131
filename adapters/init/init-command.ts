import { spawnSync } from "node:child_process"
import { Console, Effect, Option } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { text, toggle } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { printStop, Stop, stop } from "../process/stop.ts"
import { frameworks, layouts, methods, scaffolders, stores } from "./choices.ts"
import { planOf, writeFiles, writeTypes } from "./files.ts"
import { installation, readProject } from "./project.ts"
import { answers, ask, type Given } from "./questions.ts"
import { asJson, described } from "./report.ts"

const choice = <const A extends string>(name: string, values: ReadonlyArray<A>, description: string) =>
  Flag.Literals(name, values).pipe(Flag.withDescription(description), Flag.optional)

const flags = {
  framework: choice("framework", frameworks, "Default: that of package.json. separate: another one, or none"),
  layout: choice("layout", layouts, "mount: in your server (default); proxy: a service of its own behind the same proxy"),
  store: choice("store", stores, "Default: that of DATABASE_URL, else embedded"),
  methods: text("with", `Ways to sign in, separated by commas: ${methods.join(",")}; default: password,passkey`).pipe(
    Flag.withMetavar("METHODS"),
  ),
  yes: toggle("yes", "Ask nothing: take the defaults and write the files"),
  dryRun: toggle("dry-run", "Print what would be written, and write nothing"),
  json: toggle("json", "Print the result as JSON, and ask nothing"),
  noInstall: toggle("no-install", "Do not install the package"),
}

interface Options extends Given {
  readonly yes: boolean
  readonly dryRun: boolean
  readonly json: boolean
  readonly noInstall: boolean
}

/** Writes the files with which the application of a folder uses Sallyport. `version` is that of the package to install. */
export const initCommand = <const Name extends string>(name: Name, version: string, folder = process.cwd()) =>
  Command.make(name, flags, (options) =>
    printStop(Effect.catchTag(init(options, version, folder), "QuitError", () => Effect.fail(stop("Nothing was written.")))),
  ).pipe(
    Command.withDescription("Add Sallyport to the application in this folder: writes new files, and prints the lines to add to others"),
  )

const init = Effect.fnUntraced(function* init(options: Options, version: string, folder: string) {
  const { yes, dryRun, json, noInstall } = options
  const project = readProject(folder, process.env)
  if (project === undefined) return yield* stop(noProject(options))
  const asks = process.stdin.isTTY === true && process.stdout.isTTY === true && !yes && !json
  const choices = yield* asks ? ask(project, options) : answers(project, options, yes, !dryRun)
  const plan = planOf(project, choices)
  const command = noInstall ? undefined : installation(project, version)
  const install = command?.join(" ")
  const isDone = command === undefined && plan.files.every(({ state }) => state !== "new")
  if (asks && !dryRun && !isDone) {
    yield* Console.log(described({ files: plan.files, steps: [] }, install, false))
    const isWanted = yield* Prompt.Confirm({ message: "Write these files?", initial: true })
    if (!isWanted) return yield* stop("Nothing was written.")
  }
  const files = dryRun ? plan.files : writeFiles(project.folder, plan.files)
  if (command !== undefined && !dryRun) yield* run(command, folder, json)
  const result = dryRun ? plan : writeTypes(project.folder, choices, { ...plan, files })
  yield* Console.log(json ? asJson(choices, result, install, !dryRun) : described(result, install, !dryRun))
  if (files.some(({ state }) => state === "by hand")) return yield* new Stop({ code: codes.byHand, lines: [] })
})

const noProject = ({ framework }: Given) => {
  const names = Option.match(framework, { onNone: () => frameworks, onSome: (name) => [name] })
  return ["This folder has no package.json. Create the application first:", ...names.map((name) => `  ${scaffolders[name]}`)].join("\n")
}

/** Runs the package manager. Its output goes to standard error, since standard output can be JSON. */
const run = Effect.fnUntraced(function* run([program = "", ...args]: ReadonlyArray<string>, cwd: string, quiet: boolean) {
  // Windows finds package managers only through a shell; the arguments are fixed texts.
  const { status } = spawnSync(program, args, { cwd, stdio: ["ignore", quiet ? "ignore" : 2, 2], shell: process.platform === "win32" })
  if (status !== 0) return yield* stop(`The files are written, but this failed: ${[program, ...args].join(" ")}`)
})
