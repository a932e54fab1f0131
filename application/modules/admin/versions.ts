import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { limits, reachedUser } from "../../../domain/administration/reach.ts"
import { UserNotFound, VersionMismatch, VersionRequired } from "../../../domain/errors.ts"
import { check, conflictIfTaken, orFail, retryOnConflict, Store, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import { AdministeredUser, type AdminMetadata, administered, banKind, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import { requireVersion, Version } from "../../service/versions.ts"
import type { AdminSettings } from "./administrators.ts"
import { AssignedRole, assignedTo, shownGrant } from "./grants-table.ts"
import { AdminMetadatas } from "./users.ts"

/** The rows of a user that administrators see as one. */
export type Rows = readonly [user: Versioned<StoredUser>, metadata: Option.Option<Versioned<AdminMetadata>>]

const BanKind = Schema.Literals(["ban", "suspension"]).annotate({ identifier: "BanKind" })

/** One user, and the version that a change can be conditional on. */
export const Shown = Schema.Struct({
  user: AdministeredUser,
  ban: Schema.NullOr(Schema.Struct({ kind: BanKind, reason: Schema.NullOr(Schema.String), expires_at: Schema.NullOr(Schema.DateTimeUtc) })),
  roles: Schema.Array(AssignedRole),
  version: Version,
})

/** The errors of endpoints with `ExpectedVersion`. */
export const versionErrors = [UserNotFound, VersionMismatch, VersionRequired] as const

/** The user whom administrators look up, if in reach of the caller. */
export const read = (where: { readonly id: string } | { readonly email: string }) =>
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

export const shown = Effect.fnUntraced(function* shownUser(rows: Rows) {
  const [{ row }, stored] = rows
  const metadata = Option.match(stored, { onNone: () => defaultMetadata, onSome: ({ row }) => row })
  const user = administered(row, metadata, yield* DateTime.now)
  const ban = user.banned ? { kind: banKind(metadata), reason: metadata.ban_reason, expires_at: metadata.ban_expires } : null
  return { user, ban, roles: yield* reachedRoles(row.id), version: yield* versionOf(rows) }
})

/**
 * Fails unless the user has the version that the caller expects. Returns the writes that keep it for a commit, which has to write the user.
 */
export const keptVersion = Effect.fnUntraced(function* keptVersion(
  { require_versions = false }: AdminSettings,
  rows: Rows,
  expected_version: string | undefined,
) {
  yield* requireVersion(require_versions, expected_version, versionOf(rows))
  if (expected_version === undefined) return []
  return Option.toArray(rows[1]).map((metadata) => check(AdminMetadatas, metadata))
})

/** Changes a user who has the expected version and no permission that the caller lacks, and shows the user. */
export const changeUser = Effect.fnUntraced(function* changeUser<E, R>(
  settings: AdminSettings,
  { user_id, expected_version }: { readonly user_id: string; readonly expected_version?: string },
  writesOf: (user: Versioned<StoredUser>) => Effect.Effect<ReadonlyArray<Write>, E, R>,
) {
  const rows = yield* read({ id: user_id })
  const [user] = rows
  const unchanged = [...(yield* ofPrincipal(user.row)), ...(yield* keptVersion(settings, rows, expected_version))]
  yield* conflictIfTaken((yield* Store).commit([...unchanged, ...(yield* writesOf(user))]))
  return yield* shown(yield* read({ id: user_id }))
}, retryOnConflict)
