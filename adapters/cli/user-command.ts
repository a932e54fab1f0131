import { Argument, Command, Flag } from "effect/cli"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"
import { deleteUser, listSessions, listUsers, mailReset, type RecordWork, showUser, unbanUser } from "./records.ts"
import type { UserWork } from "./users.ts"
import { banUser, createUser, makeAdmin, readPassword } from "./users.ts"

const userArgument = {
  user: Argument.String("user").pipe(Argument.withDescription("The user's id or e-mail address")),
  json: jsonFlag,
}

const search = Flag.String("search").pipe(Flag.withDescription("Only users whose address or name begins with this text"), Flag.optional)

const revoke = Flag.Boolean("revoke").pipe(Flag.withDescription("End all of them"), Flag.withDefault(false))

const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Remove the user; without this flag, the command only prints who would be removed"),
  Flag.withDefault(false),
)

const newUser = {
  email: Argument.String("email").pipe(Argument.withDescription("The user's e-mail address")),
  name: Flag.String("name").pipe(Flag.withDescription("The user's name"), Flag.optional),
  json: jsonFlag,
  admin: Flag.Boolean("admin").pipe(Flag.withDescription("Make the user an administrator"), Flag.withDefault(false)),
}

const banOptions = {
  ...userArgument,
  reason: Flag.String("reason").pipe(Flag.withDescription("The reason, stored with the ban"), Flag.optional),
  seconds: Flag.Int("expires-in").pipe(
    Flag.withMetavar("SECONDS"),
    Flag.withDescription("The duration of the ban; default: permanent"),
    Flag.optional,
  ),
}

/** `user` shows and changes users without a session. `withConfiguration` reads the configuration, `runCommand` runs the work with it. */
export const userCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<UserWork | RecordWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("user").pipe(
    Command.withDescription("Manage users in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("create", newUser, (input) =>
        runOnStore(() => createUser(input, readPassword, input.json), { needsAdmin: input.admin, createsDatabase: true }),
      ).pipe(
        Command.withDescription("Create a user; the command prompts for the password, or reads it from the first line of standard input"),
      ),
      Command.make("ban", banOptions, (input) => runOnStore(() => banUser(input, input.json), { needsAdmin: true })).pipe(
        Command.withDescription("Ban a user and end all of their sessions"),
      ),
      Command.make("make-admin", userArgument, (input) => runOnStore(() => makeAdmin(input, input.json), { needsAdmin: true })).pipe(
        Command.withDescription("Make a user an administrator"),
      ),
      Command.make("list", { search, limit: limitFlag, json: jsonFlag }, (input) =>
        runOnStore((configuration) => listUsers(input, configuration)),
      ).pipe(Command.withDescription("List users, the newest first")),
      Command.make("show", userArgument, (input) => runOnStore((configuration) => showUser(input, configuration))).pipe(
        Command.withDescription("Show a user with the number of sessions and, with modules.admin, role and ban"),
      ),
      Command.make("unban", userArgument, (input) => runOnStore(() => unbanUser(input), { needsAdmin: true })).pipe(
        Command.withDescription("End the ban of a user"),
      ),
      Command.make("reset", userArgument, (input) => runOnStore((configuration) => mailReset(input, configuration))).pipe(
        Command.withDescription("Mail a user a link to set a new password"),
      ),
      Command.make("sessions", { ...userArgument, revoke }, (input) => runOnStore(() => listSessions(input))).pipe(
        Command.withDescription("List the sessions of a user, or end all of them"),
      ),
      Command.make("delete", { ...userArgument, yes }, (input) => runOnStore(() => deleteUser(input))).pipe(
        Command.withDescription("Remove a user and all of their data"),
      ),
    ]),
  )
}
