import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { command } from "../../adapters/cli/command.ts"
import { code } from "./markdown.ts"
import { madePage, type Page } from "./page.ts"

const unused = () => Effect.void

/** The command line without its actions: only its help is read. */
const sallyport = command({
  version: "",
  optional: [],
  serve: unused,
  migrate: unused,
  schema: unused,
  openapi: unused,
  types: unused,
  webhookSecret: unused,
  rotateSecrets: unused,
  doctor: unused,
  verifyBackup: unused,
  work: unused,
  transfer: unused,
})

const helpOf = async (path: ReadonlyArray<string>): Promise<string> => {
  const printed: Array<string> = []
  const console = { ...globalThis.console, log: (...parts: ReadonlyArray<unknown>) => void printed.push(parts.join(" ")) }
  const program = Command.runWith(sallyport, { version: "" })([...path, "--help"]).pipe(
    Effect.provideService(Console.Console, console),
    Effect.provide([
      NodeServices.layer,
      CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
      CliOutput.layer(CliOutput.defaultFormatter({ colors: false })),
    ]),
  )
  await Effect.runPromise(program)
  return printed.join("\n").trim()
}

/** The names below SUBCOMMANDS. */
const subcommandsOf = (help: string): ReadonlyArray<string> => {
  const [, list = ""] = help.split("\nSUBCOMMANDS\n")
  return [...list.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!)
}

interface Help {
  readonly path: ReadonlyArray<string>
  readonly text: string
}

const helps = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<Help>> => {
  const text = await helpOf(path)
  const below: Array<ReadonlyArray<Help>> = []
  for (const name of subcommandsOf(text)) below.push(await helps([...path, name]))
  return [{ path, text }, ...below.flat()]
}

/** The flags of every command are listed once. */
const ownPart = (text: string) => text.replace(/\n\n(INHERITED|GLOBAL) FLAGS\n[\s\S]*?(?=\n\n[A-Z]|$)/g, "")

/** The commands, as the program's own help describes them. */
export const commandsPage = async (): Promise<Page> => {
  const [whole, ...commands] = await helps([])
  return madePage("reference/commands", "Commands", "main.ts", [
    "The text of `--help`. In the repository a command is `npm start -- COMMAND`, with the installed package `npx sallyport COMMAND`.",
    code("text", whole!.text),
    ...commands.flatMap(({ path, text }) => [`${"#".repeat(path.length + 1)} \`${path.join(" ")}\``, code("text", ownPart(text))]),
  ])
}
