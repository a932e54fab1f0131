import { Command, Flag } from "effect/cli"
import { argument, json, listing, text, toggle } from "../flags.ts"
import { deleteUser, listSessions, listUsers, mailReset, type RecordWork, showUser, unbanUser } from "./records.ts"
import type { StoreCommand } from "./store-command.ts"
import { banUser, createUser, makeAdmin, readPassword, type UserWork } from "./users.ts"

const one = { user: argument("user", "The user's id or email address"), json }

const search = text("search", "Only users whose address or name begins with this text")
const revoke = toggle("revoke", "End all of them")
const yes = toggle("yes", "Remove the user; without this flag, the command only prints who would be removed")

const newUser = {
  email: argument("email", "The user's email address"),
  name: text("name", "The user's name"),
  json,
  force: toggle("force", "Also with an address that registration.email refuses"),
  admin: toggle("admin", "Make the user an administrator"),
}

const banOptions = {
  ...one,
  reason: text("reason", "The reason, stored with the ban"),
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
      onStore("make-admin", "Make a user an administrator", one, (input) => makeAdmin(input, input.json), needsAdmin),
      onStore("list", "List users, the newest first", { search, ...listing }, listUsers),
      onStore("show", "Show a user with the number of sessions and, with modules.admin, role and ban", one, showUser),
      onStore("unban", "End the ban of a user", one, unbanUser, needsAdmin),
      onStore("reset", "Mail a user a link to set a new password", one, mailReset),
      onStore("sessions", "List the sessions of a user, or end all of them", { ...one, revoke }, listSessions),
      onStore("delete", "Remove a user and all of their data", { ...one, yes }, deleteUser),
    ]),
  )

const needsAdmin = () => ({ needsAdmin: true })
