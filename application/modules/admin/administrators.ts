import { Effect, Schema } from "effect"
import { none, permissions } from "../../../domain/administration/permissions.ts"
import { findEach, Store } from "../../../domain/ports/store.ts"
import { about, orElse, Settings, type SettingsValue } from "../../../domain/settings.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { StoredUser, User } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import { isLocal } from "../../../domain/values/url.ts"
import type { Finding } from "../../service/module.ts"
import { liveGrants } from "./grants-table.ts"
import { Roles, rolesOf } from "./roles.ts"
import { metadataOf } from "./users.ts"

export const AdminSettings = Schema.Struct({
  admin_emails: Schema.Array(Email).pipe(orElse([]), about("Users with one of these addresses are administrators.")),
  admin_user_ids: Schema.Array(Schema.String).pipe(orElse([]), about("Users with one of these ids are administrators.")),
  roles: Schema.optionalKey(Roles).pipe(
    about(
      "Roles beside `admin`, with their permissions. Every action of a resource includes its `read`. `{}`: the built-in `support`, `user_manager` and `security` only. Without it no role but `admin` permits anything.",
    ),
  ),
  jobs: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators can start operations on many users, which run in the background (`/admin/jobs`). Default: false."),
  ),
  erasures: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators can erase users, at once or later, with a receipt that can be repeated after a restore. Default: false."),
  ),
  exports: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators, and users once a day, can export all data of a user. Default: false."),
  ),
  merges: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators can merge a user into another one, which needs `jobs`. Default: false."),
  ),
  operations: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators can watch and repeat what the service does in the background (`/admin/outbox`). Default: false."),
  ),
  require_versions: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether changes without `expected_version` or `If-Match` are refused where there are versions. Default: false."),
  ),
  required_actions: Schema.optionalKey(Schema.Boolean).pipe(
    about(
      "Whether administrators can require users to change the password, verify the address or add a second factor at the next sign-in. Default: false.",
    ),
  ),
  suspension: Schema.optionalKey(Schema.Boolean).pipe(
    about("Whether administrators can suspend users, whose sign-ins are then refused as `suspended`. Default: false."),
  ),
  step_up: Schema.optionalKey(Schema.Boolean).pipe(
    about(
      "Whether users need a proof of identity younger than `session.step_up_age` to give roles, see private attributes, change credentials, suspend, export, merge and remove users, export the audit log, manage service accounts and keys, and rotate secrets of clients and signing keys. Default: false.",
    ),
  ),
  require_verified_email: Schema.optionalKey(Schema.Boolean).pipe(
    about(
      "Whether `admin_emails` needs a verified address. Default: true, unless `public_url` is on this machine and `email_password.require_email_verification` is off.",
    ),
  ),
})
export type AdminSettings = typeof AdminSettings.Type

/** Whether the configuration makes the user an administrator. */
export const isConfigured = Effect.fnUntraced(function* isConfigured(settings: AdminSettings, user: User) {
  const { admin_emails, admin_user_ids } = settings
  if (admin_user_ids.includes(user.id)) return true
  return admin_emails.includes(user.email) && (user.email_verified || !needsProof(settings, yield* Settings))
})

/** An entry of `admin_emails` or `admin_user_ids`. */
export const ConfiguredAdministrator = Schema.Struct({
  email: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Null for an id that is no user's." })),
  user_id: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Null for an address that is no user's." })),
  is_administrator: Schema.Boolean.pipe(
    Schema.annotateKey({ description: "False without the user, and for an address that the user has not verified but must." }),
  ),
}).annotate({ identifier: "ConfiguredAdministrator" })

/** The administrators of the configuration. The number of reads is the same for any number of them. */
export const configuredAdministrators = Effect.fnUntraced(function* configuredAdministrators(settings: AdminSettings) {
  const { admin_emails, admin_user_ids } = settings
  const owners = (yield* Store).listForEach(Users, "email", admin_emails, { limit: 1 })
  const [byEmail, byId] = yield* Effect.all([owners, findEach(Users, admin_user_ids)], { concurrency: 2 })
  const shown = Effect.fnUntraced(function* shownAdministrator(user: StoredUser | undefined, email: string | null, user_id: string | null) {
    const is_administrator = user !== undefined && (yield* isConfigured(settings, user))
    return { email: user?.email ?? email, user_id: user?.id ?? user_id, is_administrator } satisfies typeof ConfiguredAdministrator.Type
  })
  return yield* Effect.all([
    ...admin_emails.map((email, at) => shown(byEmail[at]?.[0], email, null)),
    ...admin_user_ids.map((id) => shown(byId.get(id), null, id)),
  ])
})

/** What a user is permitted: everything by configuration, or what their roles permit. */
export const grants = (settings: AdminSettings) => {
  const roles = rolesOf(settings.roles)
  return Effect.fnUntraced(function* grantsOfUser(user: User) {
    if (yield* isConfigured(settings, user)) return permissions
    const { role } = yield* metadataOf(user.id)
    return [...(roles.get(role) ?? none), ...(yield* liveGrants(user.id, roles))]
  })
}

/**
 * A user can sign up with any address. By default, an unverified address therefore gives rights only if `public_url` is local and addresses
 * need no verification.
 */
const needsProof = ({ require_verified_email }: AdminSettings, { email_password, public_url }: SettingsValue) =>
  require_verified_email ?? (email_password.require_email_verification || !isLocal(new URL(public_url)))

/** Names the addresses that make the first user who signs up with them an administrator. */
export const findings = (settings: AdminSettings, core: SettingsValue): ReadonlyArray<Finding> => {
  const { admin_emails } = settings
  if (admin_emails.length === 0 || needsProof(settings, core)) return []
  const text = `the first person to sign up as ${admin_emails.join(" or ")} is an administrator, without a verified address`
  return isLocal(new URL(core.public_url))
    ? [{ severity: "note", text: `${text}, since public_url is on this machine` }]
    : [{ severity: "warning", text: `${text}: set modules.admin.require_verified_email to true` }]
}
