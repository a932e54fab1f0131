import { Argument, Command, Flag } from "effect/cli"
import { jsonFlag, limitFlag } from "./record-commands.ts"
import { deleteUser, listSessions, listUsers, mailReset, type RecordWork, showUser, unbanUser } from "./records.ts"
import type { StoreCommand } from "./store-command.ts"
import { banUser, createUser, makeAdmin, readPassword, type UserWork } from "./users.ts"

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
  force: Flag.Boolean("force").pipe(Flag.withDescription("Also with an address that registration.email refuses"), Flag.withDefault(false)),
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

/** `user` shows and changes users without a session. */
export const userCommand = <S>(onStore: StoreCommand<UserWork | RecordWork, S>) =>
  Command.make("user").pipe(
    Command.withDescription("Manage users in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore(
        "create",
        "Create a user; the command prompts for the password, or reads it from the first line of standard input",
        newUser,
        (input) => createUser(input, readPassword, input.json),
        ({ admin }) => ({ needsAdmin: admin, createsDatabase: true }),
      ),
      onStore("ban", "Ban a user and end all of their sessions", banOptions, (input) => banUser(input, input.json), needsAdmin),
      onStore("make-admin", "Make a user an administrator", userArgument, (input) => makeAdmin(input, input.json), needsAdmin),
      onStore("list", "List users, the newest first", { search, limit: limitFlag, json: jsonFlag }, listUsers),
      onStore("show", "Show a user with the number of sessions and, with modules.admin, role and ban", userArgument, showUser),
      onStore("unban", "End the ban of a user", userArgument, unbanUser, needsAdmin),
      onStore("reset", "Mail a user a link to set a new password", userArgument, mailReset),
      onStore("sessions", "List the sessions of a user, or end all of them", { ...userArgument, revoke }, listSessions),
      onStore("delete", "Remove a user and all of their data", { ...userArgument, yes }, deleteUser),
    ]),
  )

const needsAdmin = () => ({ needsAdmin: true })
