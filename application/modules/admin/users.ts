import { DateTime, Effect, Option, Schema } from "effect"
import type { Authority } from "../../../domain/administration/principal.ts"
import { UserAlreadyExists, UserNotFound } from "../../../domain/errors.ts"
import { mail } from "../../../domain/mail/writing.ts"
import {
  check,
  find,
  insert,
  orFail,
  replace,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { liveSessionsOf, revokeAll } from "../../../domain/sessions/sessions.ts"
import { type Registration, register } from "../../../domain/sign-in/sign-up.ts"
import { verificationMail } from "../../../domain/sign-in/verification.ts"
import {
  type AdministeredUser,
  AdminMetadata,
  administered,
  defaultMetadata,
  isBanned,
  isSuspended,
  noBan,
} from "../../../domain/users/admin-metadata.ts"
import type { Admission } from "../../../domain/users/admission.ts"
import { userRemovalWrites } from "../../../domain/users/before-user-removal.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { StoredUser, User } from "../../../domain/users/user.ts"
import { Text } from "../../../domain/values/text.ts"
import { Banned, Suspended } from "./errors.ts"
import type { Role } from "./roles.ts"

// The operations on users, for the endpoints and the command line.

export const AdminMetadatas = Table.make("admin_metadata", AdminMetadata, {
  key: "user_id",
  indexed: [
    ["role", "user_id"],
    ["banned", "user_id"],
  ],
  references: { user_id: Users },
  data: { personal: ["role", "banned", "ban_kind", "ban_reason", "ban_expires", "updated_at"], other: ["user_id"] },
})

/** The role and the ban of a user. */
export const metadataOf = Effect.fnUntraced(function* metadataOf(user_id: string) {
  return Option.getOrElse(yield* find(AdminMetadatas, { user_id }), () => defaultMetadata)
})

/**
 * The gate: a banned or suspended user gets no session. A ban also writes the user, so that a concurrent sign-in fails. A suspension is
 * called a ban unless the setting is on, because clients of the specification know no other code.
 */
export const refuseBanned = ({ suspension = false }: { readonly suspension?: boolean }) =>
  Effect.fnUntraced(function* refuseBanned({ id }: User) {
    const metadata = yield* metadataOf(id)
    const now = yield* DateTime.now
    if (suspension && isSuspended(metadata, now)) return yield* new Suspended()
    if (isBanned(metadata, now)) return yield* new Banned()
  })

/** A user with role and ban, and the revisions to make a write conditional on. */
const target = Effect.fnUntraced(function* targetUser(id: string) {
  const found = yield* orFail((yield* Store).readWithReferencing(Users, { id }, AdminMetadatas, "user_id", {}), () => new UserNotFound())
  const [user, metadata] = found
  return { user, metadata }
})

/** Stores a role or a ban of a user. */
export const decided = Effect.fnUntraced(function* decidedUser(
  user: Versioned<StoredUser>,
  metadata: Option.Option<Versioned<AdminMetadata>>,
  changes: Partial<AdminMetadata>,
) {
  const row = Option.match(metadata, { onNone: () => ({ ...defaultMetadata, user_id: user.row.id }), onSome: ({ row }) => row })
  return replace(AdminMetadatas, metadata, { ...row, ...changes, updated_at: yield* DateTime.now })
})

/** Gives a user a role. The write of the user makes what they do at the same time with the old role fail. */
export const setRole = Effect.fnUntraced(function* setUserRole<R, E extends string>(userId: string, role: Role, may: Authority<R, E>) {
  const { user, metadata } = yield* target(userId)
  const unchanged = yield* may(user.row, role.permitted)
  yield* (yield* Store).commit([...unchanged, update(Users, user, {}), yield* decided(user, metadata, { role: role.name })])
}, retryOnConflict)

/** The longest ban that has an end, seconds: a hundred years. */
const longest = 3_155_760_000

/** The terms of a ban. Without `expires_in` it is permanent. */
export const Ban = Schema.Struct({
  reason: Schema.optionalKey(Text),
  /** Seconds. */
  expires_in: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longest }))),
})
export type Ban = typeof Ban.Type

/** Bans a user, and ends all of their sessions, also those that are issued concurrently. */
export const ban = Effect.fnUntraced(function* banUser<R, E extends string>(
  userId: string,
  { reason, expires_in }: Ban,
  may: Authority<R, E>,
) {
  const { user, metadata } = yield* target(userId)
  const unchanged = yield* may(user.row)
  const ban_expires = expires_in === undefined ? null : DateTime.add(yield* DateTime.now, { seconds: expires_in })
  const changes = { banned: true, ban_kind: null, ban_reason: reason ?? null, ban_expires }
  yield* (yield* Store).commit([...unchanged, ...(yield* revokeAll(user)), yield* decided(user, metadata, changes)])
}, retryOnConflict)

export const unban = Effect.fnUntraced(function* unbanUser<R>(userId: string, may: Authority<R>) {
  const { user, metadata } = yield* target(userId)
  const unchanged = yield* may(user.row)
  if (Option.isNone(metadata)) return
  yield* (yield* Store).commit([...unchanged, check(Users, user), yield* decided(user, metadata, noBan)])
}, retryOnConflict)

/** Adds a user with a password. `more`: further writes of the commit. */
export const create = Effect.fnUntraced(function* createUser<R, E = never, S = never>(
  admission: Admission,
  registration: Omit<Registration, "email">,
  role: Role | undefined,
  may: Authority<R>,
  more: (user: typeof AdministeredUser.Type) => Effect.Effect<ReadonlyArray<Write>, E, S> = () => Effect.succeed([]),
) {
  const { user, writes } = yield* register(admission, registration, (user) => verificationMail(user, user.email, mail))
  const now = yield* DateTime.now
  const metadata = { ...defaultMetadata, user_id: user.id, role: role?.name ?? defaultMetadata.role, updated_at: now }
  const shown = administered(user, metadata, now)
  const added = Effect.gen(function* () {
    // The address alone can make the user an administrator.
    const unchanged = yield* may(user, role?.permitted)
    const noted = role === undefined ? [] : [insert(AdminMetadatas, metadata)]
    const all = [...(yield* more(shown)), ...unchanged, ...writes, ...noted]
    yield* Effect.mapError((yield* Store).commit(all), (error) => (error._tag === "Taken" ? new UserAlreadyExists() : error))
  })
  yield* retryOnConflict(added)
  return shown
})

/** A user, without role and ban: commands run it without this module as well, and its table is then absent. */
const stored = Effect.fnUntraced(function* storedUser(id: string) {
  const found = yield* (yield* Store).read(Users, { id })
  return Option.isNone(found) ? yield* new UserNotFound() : found.value
})

/** Removes a user and all of their data. */
export const remove = Effect.fnUntraced(function* removeUser<R>(userId: string, may: Authority<R>) {
  const user = yield* stored(userId)
  const unchanged = yield* may(user.row)
  yield* (yield* Store).commit([...unchanged, ...(yield* userRemovalWrites(user))])
}, retryOnConflict)

/** Ends all sessions of a user, and returns their number. */
export const revokeSessions = Effect.fnUntraced(function* revokeUserSessions<R>(userId: string, may: Authority<R>) {
  const user = yield* stored(userId)
  const unchanged = yield* may(user.row)
  const live = yield* liveSessionsOf(userId)
  yield* (yield* Store).commit([...unchanged, ...(yield* revokeAll(user))])
  return live.length
}, retryOnConflict)
