import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { argument, json } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import { demandOneSource, type VerifyOptions } from "./backup-verify.ts"
import type { WithConfiguration } from "./store-command.ts"
import { demandStore } from "./users.ts"

const folderOf = ({ store }: Configuration) => {
  const folder = storeOf(store).database?.folder
  return folder === undefined
    ? new Stop({
        code: codes.usage,
        lines: ["This command is for the embedded store. Use the tools of your database, as docs/operating.md describes."],
      })
    : Effect.succeed(folder)
}

/** Other users of the machine see the arguments of a program, but not its environment. */
const givenUrl = (text: string) => {
  const name = /^env:(.*)$/s.exec(text)?.[1]
  const value = name === undefined ? text : process.env[name]
  if (value === undefined) throw new Error(`there is no variable ${name}`)
  return Redacted.make(value)
}

const url = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription(`${description}; \`env:NAME\` takes the URL from this variable`),
    Flag.mapTryCatch(givenUrl, (fault) => (fault as Error).message),
    Flag.optional,
  )

const verification = {
  file: argument("file", "A file of `backup`, `pg_dump --format=custom` or `mongodump --archive`").pipe(Argument.optional),
  server: url("server", "A database of another server, on which the copy is made; default: the server of the service"),
  restored: url("restored", "A database that was restored already, in place of a file; it is only read"),
  json,
}

/** `backup FILE`: writes the embedded database into a file. `backup verify FILE`: restores a copy and checks it. */
export const backupCommand = <R, S>(
  withConfiguration: WithConfiguration<R, S>,
  verify: (configuration: Configuration, options: VerifyOptions) => Effect.Effect<void, unknown, R>,
) =>
  Command.make("backup", { file: argument("file", "A new file, such as sallyport.tgz") }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runBackup(configuration) {
        const { directory, backup } = yield* folderOf(configuration)
        yield* backup(file)
        yield* Console.log(`The database of ${directory} is in ${file}. The secret of the configuration is not in it.`)
      }),
    ),
  ).pipe(
    Command.withDescription("Write the embedded database into a file, also while the service runs"),
    Command.withSubcommands([
      Command.make("verify", verification, ({ file, server, restored, json }) => {
        const options = {
          file: Option.getOrUndefined(file),
          server: Option.getOrUndefined(server),
          restored: Option.getOrUndefined(restored),
          json,
        }
        return withConfiguration((configuration) =>
          Effect.andThen(Effect.andThen(demandOneSource(options), demandStore(configuration)), verify(configuration, options)),
        )
      }).pipe(
        Command.withDescription(
          "Restore a backup into a database of its own, check schema, rows, secrets and audit log without sending anything, and remove it; fails if it is not sound",
        ),
      ),
    ]),
  )

/** `restore FILE`: puts a backup in the place of an embedded database. */
export const restoreCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("restore", { file: argument("file", "A file that `backup` wrote") }, ({ file }) =>
    withConfiguration(
      Effect.fnUntraced(function* runRestore(configuration) {
        const { directory, restore } = yield* folderOf(configuration)
        yield* restore(file)
        yield* Console.log(`${file} is restored to ${directory}.`)
      }),
    ),
  ).pipe(Command.withDescription("Restore a backup of the embedded database; stop the service first"))
