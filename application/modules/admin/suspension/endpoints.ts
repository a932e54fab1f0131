import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { Reason } from "../../../../domain/administration/reason.ts"
import { InvalidRequest, invalidMember } from "../../../../domain/errors.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { revokeAll } from "../../../../domain/sessions/sessions.ts"
import { type AdminMetadata, defaultMetadata, isBanned, isSuspended, noBan, suspension } from "../../../../domain/users/admin-metadata.ts"
import { Users } from "../../../../domain/users/tables.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { ExpectedVersion } from "../../../service/versions.ts"
import type { AdminSettings } from "../administrators.ts"
import { LastAdministrator } from "../errors.ts"
import { notOneself } from "../oneself.ts"
import { keepingOwner } from "../owners.ts"
import { decided } from "../users.ts"
import { keptVersion, type Rows, read, Shown, shown, versionErrors } from "../versions.ts"
import { suspended } from "./emails.ts"

// A suspension is a ban with another name. One gate and one row decide about both, so that neither hides the other.

const user_id = Schema.String

/** The latest end of a suspension that has one: a hundred years from now. */
const longest = { years: 100 }

/** What both endpoints need of the row that they replace. The commit writes it with its revision, which also keeps the version. */
const metadataIn = ([, stored]: Rows): Omit<AdminMetadata, "user_id" | "updated_at"> =>
  Option.match(stored, { onNone: () => defaultMetadata, onSome: ({ row }) => row })

/** Why a user is suspended, and until when; without an end by default. */
export const Suspension = Schema.Struct({
  reason: Reason,
  until: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromString)),
})
export type Suspension = typeof Suspension.Type

/** Fails if the service suspends no users, and for an end that is past or too far away. */
export const checkSuspension = Effect.fnUntraced(function* checkSuspension({ suspension }: AdminSettings, { until = null }: Suspension) {
  if (!suspension) return yield* new InvalidRequest({ message: "This service suspends no users: modules.admin.suspension is off." })
  if (until === null) return
  const now = yield* DateTime.now
  const isLater = DateTime.isGreaterThan(until, now) && DateTime.isLessThanOrEqualTo(until, DateTime.add(now, longest))
  if (!isLater) return yield* invalidMember("until", "Expected a time in the future, at most a hundred years from now")
})

/** Suspends a user, whose sessions end, and whom a mail tells. */
export const suspendUser = Effect.fnUntraced(function* suspendUser(
  settings: AdminSettings,
  user_id: string,
  { reason, until = null }: Suspension,
  keepVersion: (rows: Rows) => ReturnType<typeof keptVersion> = () => Effect.succeed([]),
) {
  yield* notOneself(user_id)
  const rows = yield* read({ id: user_id })
  const [user, stored] = rows
  const unchanged = yield* keepingOwner(settings, "ban")(user.row)
  yield* keepVersion(rows)
  const now = yield* DateTime.now
  const metadata = metadataIn(rows)
  if (isBanned(metadata, now) && !isSuspended(metadata, now)) return yield* invalidMember("user_id", "Expected a user who is not banned")
  const changes = { banned: true, ban_kind: suspension, ban_reason: reason, ban_expires: until }
  yield* (yield* Store).commit([
    ...unchanged,
    ...(yield* revokeAll(user)),
    yield* decided(user, stored, changes),
    ...(yield* notices(user.row, () => suspended)),
  ])
}, retryOnConflict)

const suspend = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/suspend",
    summary: "Suspends a user, without an end or until a time, ends their sessions and tells them by mail, without the reason.",
    access: { permission: "users:suspend", within: true },
    input: Schema.Struct({ user_id, ...Suspension.fields, ...ExpectedVersion }),
    output: Shown,
    errors: [...versionErrors, LastAdministrator],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminSuspendUser({ user_id, expected_version, ...terms }) {
      yield* checkSuspension(settings, terms)
      yield* suspendUser(settings, user_id, terms, (rows) => keptVersion(settings, rows, expected_version))
      return Endpoint.reply(yield* shown(yield* read({ id: user_id })))
    }),
  })

const resume = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/resume",
    summary: "Ends the suspension of a user. Succeeds as well if the user is not suspended, unless they are banned.",
    access: { permission: "users:suspend", within: true },
    input: Schema.Struct({ user_id, ...ExpectedVersion }),
    output: Shown,
    errors: versionErrors,
    handler: Effect.fnUntraced(function* adminResumeUser(target) {
      const rows = yield* read({ id: target.user_id })
      const [user, stored] = rows
      const unchanged = yield* ofPrincipal(user.row)
      yield* keptVersion(settings, rows, target.expected_version)
      const metadata = metadataIn(rows)
      if (!metadata.banned) return Endpoint.reply(yield* shown(rows))
      if (metadata.ban_kind !== suspension) return yield* invalidMember("user_id", "This user is banned: POST /admin/unban-user ends a ban")
      yield* (yield* Store).commit([...unchanged, update(Users, user, {}), yield* decided(user, stored, noBan)])
      return Endpoint.reply(yield* shown(yield* read({ id: target.user_id })))
    }, retryOnConflict),
  })

/** The endpoints that suspend users. A suspension can be ended while the setting is off. */
export const suspensionEndpoints = (settings: AdminSettings) => [suspend(settings), resume(settings)] as const
