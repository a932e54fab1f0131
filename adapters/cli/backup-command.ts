import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { codes } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import type { WithConfiguration } from "./store-command.ts"

const folderOf = ({ store }: Configuration) => {
  const folder = storeOf(store).database?.folder
  return folder === undefined
    ? new Stop({
        code: codes.usage,
        lines: ["This command is for the embedded store. Use the tools of your database, as docs/operating.md describes."],
      })
    : Effect.succeed(folder)
}

const file = Argument.String("file")

/** `backup FILE`: writes the embedded database into a file. */
export const backupCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("backup", { file: file.pipe(Argument.withDescription("A new file, such as sallyport.tgz")) }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runBackup(configuration) {
        const { directory, backup } = yield* folderOf(configuration)
        yield* backup(file)
        yield* Console.log(`The database of ${directory} is in ${file}. The secret of the configuration is not in it.`)
      }),
    ),
  ).pipe(Command.withDescription("Write the embedded database into a file, also while the service runs"))

/** `restore FILE`: puts a backup in the place of an embedded database. */
export const restoreCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("restore", { file: file.pipe(Argument.withDescription("A file that `backup` wrote")) }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runRestore(configuration) {
        const { directory, restore } = yield* folderOf(configuration)
        yield* restore(file)
        yield* Console.log(`${file} is restored to ${directory}.`)
      }),
    ),
  ).pipe(Command.withDescription("Restore a backup of the embedded database; stop the service first"))
