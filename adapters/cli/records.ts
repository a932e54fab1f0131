import { DateTime, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { list, page } from "../../application/modules/admin/list.ts"
import * as Users from "../../application/modules/admin/users.ts"
import { operator } from "../../domain/administration/principal.ts"
import { listMessages, retryMessage } from "../../domain/mail/outbox-retry.ts"
import { mail } from "../../domain/mail/writing.ts"
import { find, Store } from "../../domain/ports/store.ts"
import { liveSessionsOf, revoke } from "../../domain/sessions/sessions.ts"
import { Sessions } from "../../domain/sessions/tables.ts"
import { resetLinkWrites } from "../../domain/sign-in/reset-link.ts"
import { isBanned } from "../../domain/users/admin-metadata.ts"
import type { User } from "../../domain/users/user.ts"
import type { Configuration } from "../config/load.ts"
import { argument, type Given, json, type Listing, listing } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import { printRecord, printResult, printRows } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { findUser, hasAdmin, type Modules, stopOnRefusal } from "./users.ts"

// Commands that show and change stored records: users, sessions, and messages of the outbox.

interface OfUser {
  readonly user: string
  readonly json: boolean
}

export type RecordWork = ReturnType<
  | typeof listUsers
  | typeof showUser
  | typeof unbanUser
  | typeof mailReset
  | typeof listSessions
  | typeof deleteUser
  | typeof revokeSession
  | typeof listOutbox
  | typeof retryOutbox
>

const oneSession = { session: argument("session", "The session's id"), json }
const oneMessage = { message: argument("message", "The message's id"), json }

interface Search extends Listing {
  readonly search: Option.Option<string>
}

/** The newest users, or those whose address or name begins with a text. Without the module `admin` they have neither role nor ban. */
export const listUsers = Effect.fnUntraced(function* listUsers({ search, limit, json }: Search, configuration: Modules) {
  const input = { limit, ...(Option.isSome(search) ? { search: search.value } : {}) }
  const rows = hasAdmin(configuration)
    ? (yield* list(input)).users.map(({ role, banned, ...user }) => ({ ...listed(user), role, banned, created_at: user.created_at }))
    : (yield* page(input)).users.map((user) => ({ ...listed(user), created_at: user.created_at }))
  yield* printRows(rows, json)
})

const listed = ({ id, email, name, email_verified }: Pick<User, "id" | "email" | "name" | "email_verified">) => ({
  id,
  email,
  name,
  email_verified,
})

/** The user with the number of sessions and, with the module `admin`, role and ban. */
export const showUser = Effect.fnUntraced(function* showUser({ user, json }: OfUser, configuration: Modules) {
  const { id, email, email_verified, name, created_at, updated_at } = yield* findUser(user)
  const administration = hasAdmin(configuration) ? yield* administrationOf(id) : {}
  const sessions = (yield* liveSessionsOf(id)).length
  yield* printRecord({ id, email, email_verified, name, ...administration, sessions, created_at, updated_at }, json)
})

const administrationOf = Effect.fnUntraced(function* administrationOf(id: string) {
  const metadata = yield* Users.metadataOf(id)
  const { role, ban_reason, ban_expires } = metadata
  const banned = isBanned(metadata, yield* DateTime.now)
  return banned ? { role, banned, ban_reason, ban_expires } : { role, banned }
})

export const unbanUser = Effect.fnUntraced(function* unbanUser({ user, json }: OfUser) {
  const { id, email } = yield* findUser(user)
  yield* stopOnRefusal(Users.unban(id, operator))
  yield* printResult(`${email} is not banned.`, { id, email, banned: false }, json)
})

/** Stores a mail with a link to set a new password; the running service, or the next one, sends it. */
export const mailReset = Effect.fnUntraced(function* mailReset({ user, json }: OfUser, { settings }: Configuration) {
  if (!settings.email_password.enabled)
    return yield* stop("email_password.enabled: found false, wanted true: there is no password to reset", codes.configuration)
  const found = yield* findUser(user)
  const { id, email } = found
  yield* (yield* Store).commit(yield* resetLinkWrites(email, Option.some(found), mail)).pipe(Effect.orDie)
  yield* printResult(`A mail to ${email} with a link to set a new password is in the outbox.`, { id, email, queued: true }, json)
})

/** The user's sessions, the oldest first; with `isEnded` it ends all of them. */
export const listSessions = Effect.fnUntraced(function* listSessions({
  user,
  revoke: isEnded,
  json,
}: OfUser & { readonly revoke: boolean }) {
  const { id, email } = yield* findUser(user)
  if (isEnded) {
    const revoked = yield* stopOnRefusal(Users.revokeSessions(id, operator))
    return yield* printResult(`${revoked} sessions of ${email} are ended.`, { id, email, revoked }, json)
  }
  const sessions = yield* liveSessionsOf(id)
  const rows = sessions.map(({ id, created_at, expires_at, ip_address, user_agent }) => ({
    id,
    created_at,
    expires_at,
    ip_address,
    user_agent,
  }))
  yield* printRows(rows, json)
})

/** Removes a user and all of their data; refuses without `--yes`. */
export const deleteUser = Effect.fnUntraced(function* deleteUser({ user, yes, json }: OfUser & { readonly yes: boolean }) {
  const { id, email } = yield* findUser(user)
  if (!yes) return yield* stop(`This removes ${email} (${id}) and all of their data. Repeat the command with --yes.`, codes.usage)
  yield* stopOnRefusal(Users.remove(id, operator))
  yield* printResult(`${email} is removed.`, { id, email, removed: true }, json)
})

export const revokeSession = Effect.fnUntraced(function* revokeSession({ session, json }: Given<typeof oneSession>) {
  const found = yield* find(Sessions, { id: session })
  const isRevoked = Option.isSome(found) && (yield* revoke(session, found.value.user_id))
  if (!isRevoked) return yield* stop("This session does not exist.")
  yield* printResult(`Session ${session} is ended.`, { id: session, revoked: true }, json)
})

/** The messages without recipient and content. */
export const listOutbox = Effect.fnUntraced(function* listOutbox({ limit, json }: Listing) {
  yield* printRows(
    (yield* listMessages(limit)).map((entry) => ({ ...entry })),
    json,
  )
})

export const retryOutbox = Effect.fnUntraced(function* retryOutbox({ message, json }: Given<typeof oneMessage>) {
  if (!(yield* stopOnRefusal(retryMessage(message, operator))))
    return yield* stop("This message does not exist; `outbox list` shows the messages.")
  yield* printResult(`Message ${message} is due now.`, { id: message, retried: true }, json)
})

/** `session revoke`. */
export const sessionCommand = <S>(onStore: StoreCommand<RecordWork, S>) =>
  Command.make("session").pipe(
    Command.withDescription("End sessions in the configured store; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("revoke", "End one session; `user sessions` lists the sessions of a user", oneSession, revokeSession),
    ]),
  )

/** `outbox list` and `outbox retry`. */
export const outboxCommand = <S>(onStore: StoreCommand<RecordWork, S>) =>
  Command.make("outbox").pipe(
    Command.withDescription("Show and repeat mails and short messages that wait or were given up"),
    Command.withSubcommands([
      onStore("list", "List the messages, without recipient and content", listing, listOutbox),
      onStore("retry", "Send a message now; one that was given up is retried like a new one", oneMessage, retryOutbox),
    ]),
  )
