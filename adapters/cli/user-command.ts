import { Argument, Command, Flag } from "effect/cli"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import type { UserWork } from "./users.ts"
import { banUser, createUser, makeAdmin, readPassword } from "./users.ts"

const userArgument = { user: Argument.String("user").pipe(Argument.withDescription("The user's id or e-mail address")) }

const newUser = {
  email: Argument.String("email").pipe(Argument.withDescription("The user's e-mail address")),
  name: Flag.String("name").pipe(Flag.withDescription("The user's name"), Flag.optional),
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

/** `user` creates, bans and promotes users without a session. `withConfiguration` reads the configuration, `runCommand` runs the work with it. */
export const userCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<UserWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("user").pipe(
    Command.withDescription("Manage users in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("create", newUser, (input) => runOnStore(() => createUser(input, readPassword), input.admin)).pipe(
        Command.withDescription("Create a user; the command prompts for the password, or reads it from the first line of standard input"),
      ),
      Command.make("ban", banOptions, (input) => runOnStore(() => banUser(input), true)).pipe(
        Command.withDescription("Ban a user and end all of their sessions"),
      ),
      Command.make("make-admin", userArgument, (input) => runOnStore(() => makeAdmin(input), true)).pipe(
        Command.withDescription("Make a user an administrator"),
      ),
    ]),
  )
}
