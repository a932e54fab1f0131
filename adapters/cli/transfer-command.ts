import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { argument, json, text, toggle } from "../flags.ts"
import { names } from "../import/sources/names.ts"
import type { StoreCommand } from "./store-command.ts"
import type { TransferWork } from "./transfer.ts"

/** Loaded when a command runs: the server needs neither the readers of files nor the import. */
const transfer = Effect.promise(() => import("./transfer.ts"))

const run = { run: argument("run", "The run's id; `import runs` lists them") }

const importOptions = {
  path: argument("file", "JSON, JSON lines or CSV, also compressed by gzip"),
  from: Flag.Literals("from", names).pipe(
    Flag.withDescription("The system that exported the file; default: detected from the first record"),
    Flag.optional,
  ),
  providers: Flag.KeyValuePair("provider").pipe(
    Flag.withMetavar("NAME=ID"),
    Flag.withDescription("A provider's name in the file and its id in modules.social; can be repeated"),
    Flag.withDefault({} as Record<string, string>),
  ),
  dry: toggle("dry-run", "Report what would happen; store nothing"),
  force: toggle("force", "Also users whose addresses registration.email refuses"),
  resume: text("resume", "Continue an interrupted run").pipe(Flag.withMetavar("RUN")),
  refused: text("refused", "The file for refused records; default: in the folder of the input, users.refused.csv for users.csv").pipe(
    Flag.withMetavar("FILE"),
  ),
  json,
}

const exportOptions = {
  output: text("output", "A new file that only its owner can read; default: standard output").pipe(Flag.withMetavar("FILE")),
  withoutSecrets: toggle("without-secrets", "Leave out password hashes and the secrets of authenticator apps"),
}

/** `import users`, `import undo`, `import runs` and `import ids`. */
export const importCommand = <S>(onStore: StoreCommand<TransferWork, S>) =>
  Command.make("import").pipe(
    Command.withDescription("Move users in from another system; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore(
        "users",
        `Import users of ${names.join(", ")}; exits with 2 if a record was refused`,
        importOptions,
        ({ json, ...request }, configuration) => Effect.flatMap(transfer, ({ runImport }) => runImport(request, json, configuration)),
        () => ({ createsDatabase: true }),
      ),
      onStore("undo", "Remove the users of a run who have not used their account since", { ...run, json }, ({ run, json }) =>
        Effect.flatMap(transfer, ({ runUndo }) => runUndo(run, json)),
      ),
      onStore("runs", "List the runs", {}, () => Effect.flatMap(transfer, ({ listRuns }) => listRuns)),
      onStore("ids", "Print the ids of a run's records and of their users as CSV", run, ({ run }) =>
        Effect.flatMap(transfer, ({ listIds }) => listIds(run)),
      ),
    ]),
  )

/** `export users`. */
export const exportCommand = <S>(onStore: StoreCommand<TransferWork, S>) =>
  Command.make("export").pipe(
    Command.withDescription("Export users; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore(
        "users",
        "Print all users as JSON lines, which `import users` reads",
        exportOptions,
        ({ output, withoutSecrets }, configuration) =>
          Effect.flatMap(transfer, ({ runExport }) => runExport({ output, secrets: !withoutSecrets }, configuration)),
      ),
    ]),
  )
