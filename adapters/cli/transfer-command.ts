import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { names } from "../import/sources/names.ts"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import { jsonFlag as json } from "./record-commands.ts"
import type { TransferWork } from "./transfer.ts"

/** Loaded when a command runs: the server needs neither the readers of files nor the import. */
const transfer = Effect.promise(() => import("./transfer.ts"))

const run = { run: Argument.String("run").pipe(Argument.withDescription("The run's id; `import runs` lists them")) }

const importOptions = {
  path: Argument.String("file").pipe(Argument.withDescription("JSON, JSON lines or CSV, also compressed by gzip")),
  from: Flag.Literals("from", names).pipe(
    Flag.withDescription("The system that exported the file; default: detected from the first record"),
    Flag.optional,
  ),
  providers: Flag.KeyValuePair("provider").pipe(
    Flag.withMetavar("NAME=ID"),
    Flag.withDescription("A provider's name in the file and its id in modules.social; can be repeated"),
    Flag.withDefault({} as Record<string, string>),
  ),
  dry: Flag.Boolean("dry-run").pipe(Flag.withDescription("Report what would happen; store nothing"), Flag.withDefault(false)),
  resume: Flag.String("resume").pipe(Flag.withMetavar("RUN"), Flag.withDescription("Continue an interrupted run"), Flag.optional),
  refused: Flag.String("refused").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The file for refused records; default: in the folder of the input, users.refused.csv for users.csv"),
    Flag.optional,
  ),
  json,
}

const exportOptions = {
  output: Flag.String("output").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("A new file that only its owner can read; default: standard output"),
    Flag.optional,
  ),
  withoutSecrets: Flag.Boolean("without-secrets").pipe(
    Flag.withDescription("Leave out password hashes and the secrets of authenticator apps"),
    Flag.withDefault(false),
  ),
}

/** `import users`, `import undo`, `import runs` and `import ids`. */
export const importCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<TransferWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("import").pipe(
    Command.withDescription("Move users in from another system; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("users", importOptions, ({ json, ...request }) =>
        runOnStore((configuration) => Effect.flatMap(transfer, ({ runImport }) => runImport(request, json, configuration)), {
          createsDatabase: true,
        }),
      ).pipe(Command.withDescription(`Import users of ${names.join(", ")}; exits with 2 if a record was refused`)),
      Command.make("undo", { ...run, json }, ({ run, json }) =>
        runOnStore(() => Effect.flatMap(transfer, ({ runUndo }) => runUndo(run, json))),
      ).pipe(Command.withDescription("Remove the users of a run who have not used their account since")),
      Command.make("runs", {}, () => runOnStore(() => Effect.flatMap(transfer, ({ listRuns }) => listRuns))).pipe(
        Command.withDescription("List the runs"),
      ),
      Command.make("ids", run, ({ run }) => runOnStore(() => Effect.flatMap(transfer, ({ listIds }) => listIds(run)))).pipe(
        Command.withDescription("Print the ids of a run's records and of their users as CSV"),
      ),
    ]),
  )
}

/** `export users`. */
export const exportCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<TransferWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("export").pipe(
    Command.withDescription("Export users; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("users", exportOptions, ({ output, withoutSecrets }) =>
        runOnStore((configuration) =>
          Effect.flatMap(transfer, ({ runExport }) => runExport({ output, secrets: !withoutSecrets }, configuration)),
        ),
      ).pipe(Command.withDescription("Print all users as JSON lines, which `import users` reads")),
    ]),
  )
}
