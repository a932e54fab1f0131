import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { limits, reachedUser } from "../../../domain/administration/reach.ts"
import { InvalidRequest, UserNotFound } from "../../../domain/errors.ts"
import { orFail, retryOnConflict, Store, update, type Versioned } from "../../../domain/ports/store.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import { AdministeredUser, type AdminMetadata, administered, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import { ProfileChanges, type StoredUser, withProfile } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { VersionMismatch } from "./errors.ts"
import { AssignedRole, assignedTo, shownGrant } from "./grants-table.ts"
import { AdminMetadatas } from "./users.ts"

/** One user, and the version that a change can be conditional on. */
const Shown = Schema.Struct({
  user: AdministeredUser,
  ban: Schema.NullOr(Schema.Struct({ reason: Schema.NullOr(Schema.String), expires_at: Schema.NullOr(Schema.DateTimeUtc) })),
  roles: Schema.Array(AssignedRole),
  version: Schema.String.pipe(Schema.annotateKey({ description: "Opaque; another one after each change of what is shown." })),
})

type Rows = readonly [user: Versioned<StoredUser>, metadata: Option.Option<Versioned<AdminMetadata>>]

const read = (where: { readonly id: string } | { readonly email: string }) =>
  Effect.flatMap(Store, ({ readWithReferencing }) => readWithReferencing(Users, where, AdminMetadatas, "user_id", {})).pipe(
    Effect.flatMap((found) => reachedUser(found, ([{ row }]) => row.id)),
    (found) => orFail(found, () => new UserNotFound()),
  )

const versionOf = ([user, metadata]: Rows) =>
  tokenHash("version", JSON.stringify([user.revision, Option.getOrNull(Option.map(metadata, ({ revision }) => revision))]))

/** The roles that are assigned to the user, in reach of the caller. Assigning one writes the user, and so changes the version. */
const reachedRoles = Effect.fnUntraced(function* reachedRoles(id: string) {
  const organizations = yield* limits
  const assigned = (yield* assignedTo(id)).map(shownGrant)
  return organizations === undefined
    ? assigned
    : assigned.filter(({ organization_id }) => organizations.some((one) => one === organization_id))
})

const shown = Effect.fnUntraced(function* shownUser(rows: Rows) {
  const [{ row }, stored] = rows
  const metadata = Option.match(stored, { onNone: () => defaultMetadata, onSome: ({ row }) => row })
  const user = administered(row, metadata, yield* DateTime.now)
  const ban = user.banned ? { reason: metadata.ban_reason, expires_at: metadata.ban_expires } : null
  return { user, ban, roles: yield* reachedRoles(row.id), version: yield* versionOf(rows) }
})

export const showUser = Endpoint.make({
  method: "GET",
  path: "/admin/users/show",
  summary: "One user, by id or address.",
  access: { permission: "users:read", within: true },
  input: Schema.Struct({ user_id: Schema.optionalKey(Schema.String), email: Schema.optionalKey(Email) }),
  output: Shown,
  errors: [UserNotFound, InvalidRequest],
  handler: Effect.fnUntraced(function* adminShowUser({ user_id, email }) {
    if ((user_id === undefined) === (email === undefined)) return yield* new InvalidRequest({ message: "Expected either user_id or email" })
    return Endpoint.reply(yield* shown(yield* read(email === undefined ? { id: user_id ?? "" } : { email })))
  }),
})

export const updateUser = Endpoint.make({
  method: "POST",
  path: "/admin/users/update",
  summary: "Changes the given members of a user's profile, on request only if the user has the version that the caller knows.",
  access: { permission: "users:update" },
  input: Schema.Struct({ user_id: Schema.String, changes: ProfileChanges, expected_version: Schema.optionalKey(Schema.String) }),
  output: Shown,
  errors: [UserNotFound, VersionMismatch],
  handler: Effect.fnUntraced(function* adminUpdateUser({ user_id, changes, expected_version }) {
    const [user, metadata] = yield* read({ id: user_id })
    const unchanged = yield* ofPrincipal(user.row)
    if (expected_version !== undefined && expected_version !== (yield* versionOf([user, metadata]))) return yield* new VersionMismatch()
    const changed = withProfile(user.row, changes, yield* DateTime.now)
    yield* (yield* Store).commit([...unchanged, update(Users, user, changed)])
    return Endpoint.reply(yield* shown(yield* read({ id: user_id })))
  }, retryOnConflict),
})
