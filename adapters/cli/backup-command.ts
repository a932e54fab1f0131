import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { Configuration } from "../config/load.ts"
import { codes } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import type { WithConfiguration } from "./command-runner.ts"

/** Loaded when a command runs: the server does not need the archive library. */
const backups = Effect.promise(() => import("../postgres/embedded-backup.ts"))

const directoryOf = ({ store }: Configuration) =>
  store.kind === "embedded"
    ? Effect.succeed(store.directory)
    : new Stop({
        code: codes.usage,
        lines: ["This command is for the embedded store. Use the tools of your database, as docs/operating.md describes."],
      })

const file = Argument.String("file")

/** `backup FILE`: writes the embedded database into a file. */
export const backupCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("backup", { file: file.pipe(Argument.withDescription("A new file, such as sallyport.tgz")) }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runBackup(configuration) {
        const directory = yield* directoryOf(configuration)
        const { backup } = yield* backups
        yield* backup(directory, file)
        yield* Console.log(`The database of ${directory} is in ${file}. The secret of the configuration is not in it.`)
      }),
    ),
  ).pipe(Command.withDescription("Write the embedded database into a file, also while the service runs"))

/** `restore FILE`: puts a backup in the place of an embedded database. */
export const restoreCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("restore", { file: file.pipe(Argument.withDescription("A file that `backup` wrote")) }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runRestore(configuration) {
        const directory = yield* directoryOf(configuration)
        const { restore } = yield* backups
        yield* restore(directory, file)
        yield* Console.log(`${file} is restored to ${directory}.`)
      }),
    ),
  ).pipe(Command.withDescription("Restore a backup of the embedded database; stop the service first"))
