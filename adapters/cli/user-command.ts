import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Configuration } from "../config/load.ts"
import type { UserWork } from "./users.ts"
import { askedPassword, banUser, createUser, demandStore, makeAdmin } from "./users.ts"

const whom = { user: Argument.String("user").pipe(Argument.withDescription("The user's id or e-mail address")) }

const newcomer = {
  email: Argument.String("email").pipe(Argument.withDescription("The user's e-mail address")),
  name: Flag.String("name").pipe(Flag.withDescription("The user's name"), Flag.optional),
  admin: Flag.Boolean("admin").pipe(Flag.withDescription("Make the user an administrator"), Flag.withDefault(false)),
}

const ban = {
  ...whom,
  reason: Flag.String("reason").pipe(Flag.withDescription("Kept with the ban"), Flag.optional),
  seconds: Flag.Int("expires-in").pipe(
    Flag.withMetavar("SECONDS"),
    Flag.withDescription("How long the ban lasts; for good when left out"),
    Flag.optional,
  ),
}

type Perform<R> = (configuration: Configuration, work: UserWork) => Effect.Effect<void, unknown, R>

/** `user`: what operators do to users without a session. `act` runs an action on the configuration, `perform` is given the work to do on it. */
export const userCommand = <R, S>(
  act: (action: (configuration: Configuration) => Effect.Effect<void, unknown, R>) => Effect.Effect<void, unknown, S>,
  perform: Perform<R>,
) => {
  const asked = (needsAdmin: boolean, work: UserWork) =>
    act((configuration) => Effect.andThen(demandStore(configuration, needsAdmin), perform(configuration, work)))

  return Command.make("user").pipe(
    Command.withDescription("Manage users in the configured store; an embedded one has to be stopped first"),
    Command.withSubcommands([
      Command.make("create", newcomer, (given) => asked(given.admin, createUser(given, askedPassword))).pipe(
        Command.withDescription("Add a user; the password is asked for, or read from the first line of standard input"),
      ),
      Command.make("ban", ban, (given) => asked(true, banUser(given))).pipe(
        Command.withDescription("Keep a user out and end all of their sessions"),
      ),
      Command.make("make-admin", whom, (given) => asked(true, makeAdmin(given))).pipe(
        Command.withDescription("Make a user an administrator"),
      ),
    ]),
  )
}
