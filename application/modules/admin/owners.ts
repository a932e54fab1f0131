import { Array, DateTime, Effect, Option, Schema } from "effect"
import { isOwner } from "../../../domain/administration/grants.ts"
import { type Authority, CurrentPrincipal, ofPrincipal } from "../../../domain/administration/principal.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, find, replace, Store, type Versioned, type Write } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import type { SettingsValue } from "../../../domain/settings.ts"
import { administrator, isBanned } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import type { Finding } from "../../service/module.ts"
import { type AdminSettings, isConfigured } from "./administrators.ts"
import { LastAdministrator } from "./errors.ts"
import { AdminGrants } from "./grants-table.ts"
import { AdminMetadatas, metadataOf } from "./users.ts"

// An owner is a user with every permission, without limits and without an end. The service keeps at least one, because only an owner can make
// another administrator.

/** One row. Every change that takes an owner away writes it, so that of two concurrent ones the second sees the first. */
export const OwnerGuards = Table.make("owner_guard", Schema.Struct({ id: Schema.String, changed_at: Schema.DateTimeUtc }), { key: "id" })

const id = "owners"

/** Limit on the users of each kind among whom another owner is searched. */
const searched = 100

/** The users who may be owners: those of the configuration, and those with the role, at most `limit` of each kind. */
const candidates = Effect.fnUntraced(function* candidates({ admin_emails, admin_user_ids }: AdminSettings, limit: number) {
  const { list } = yield* Store
  const metadata = yield* list(AdminMetadatas, { role: administrator }, { limit })
  const assigned = yield* list(AdminGrants, { role: administrator, organization_id: "" }, { limit })
  return [
    ...admin_emails.map((email) => ({ email })),
    ...[...admin_user_ids, ...[...metadata, ...assigned].map(({ user_id }) => user_id)].map((id) => ({ id })),
  ]
})

const isActiveOwner = Effect.fnUntraced(function* isActiveOwner(user: StoredUser) {
  if (!isOwner(yield* (yield* Policies).granted(user))) return false
  return !isBanned(yield* metadataOf(user.id), yield* DateTime.now)
})

const anotherOwner = Effect.fnUntraced(function* anotherOwner(settings: AdminSettings, notId: string) {
  for (const where of yield* candidates(settings, searched)) {
    const found = yield* (yield* Store).read(Users, where)
    if (Option.isSome(found) && found.value.row.id !== notId && (yield* isActiveOwner(found.value.row))) return found
  }
  return Option.none<Versioned<StoredUser>>()
})

/** Limit on the administrators of each kind whose addresses `doctor` looks at. */
const counted = 1000

/** The administrators whom `registration.mode: "invited"` refuses until their addresses are verified. */
export const unverified = (settings: AdminSettings) =>
  Effect.fnUntraced(function* unverifiedAdministrators({ registration }: SettingsValue) {
    const none: ReadonlyArray<Finding> = []
    if (registration?.mode !== "invited") return none
    const users = yield* Effect.forEach(yield* candidates(settings, counted), (where) => find(Users, where), { concurrency: 4 })
    const { size } = new Set(Array.getSomes(users).flatMap(({ id, email_verified }) => (email_verified ? [] : [id])))
    if (size === 0) return none
    const who = size === 1 ? "1 administrator has an unverified address" : `${size} administrators have unverified addresses`
    const text = `${who}, which registration.mode "invited" refuses to sign in: POST /send-verification-email mails the link again`
    return [{ severity: "warning", text } satisfies Finding]
  })

/** The writes that belong in the commit that takes permissions from this user, or the user away. Fails if no owner would stay. */
export const ownerKept = Effect.fnUntraced(function* ownerKept(settings: AdminSettings, user: StoredUser) {
  const none: ReadonlyArray<Write> = []
  if (!(yield* isActiveOwner(user))) return none
  const other = yield* anotherOwner(settings, user.id)
  if (Option.isNone(other)) return yield* new LastAdministrator()
  const guard = yield* (yield* Store).read(OwnerGuards, { id })
  const guarded = replace(OwnerGuards, guard, { id, changed_at: yield* DateTime.now })
  // The commit of a principal checks its own row already.
  const principal = yield* Effect.serviceOption(CurrentPrincipal)
  const isCaller = Option.exists(principal, (caller) => caller.kind === "user" && caller.id === other.value.row.id)
  return isCaller ? [guarded] : [check(Users, other.value), guarded]
})

/** The authority of the caller for a change that bans its target, or takes a role from it, which no owner of the configuration needs. */
export const keepingOwner = (settings: AdminSettings, change: "ban" | "role") =>
  Effect.fnUntraced(function* authorityKeepingOwner(...[target, given, until]: Parameters<Authority>) {
    const unchanged = yield* ofPrincipal(target, given, until)
    if (target === null || (change === "role" && (yield* isConfigured(settings, target)))) return unchanged
    return [...unchanged, ...(yield* ownerKept(settings, target))]
  })

/** The same for the removal of a user. Without roles in the configuration, users may always remove themselves. */
export const ownerKeptAtRemoval = (settings: AdminSettings) =>
  Effect.fnUntraced(function* ownerKeptAtRemoval(user: StoredUser) {
    const isAdministered = Option.isSome(yield* Effect.serviceOption(CurrentPrincipal))
    return isAdministered || settings.roles !== undefined ? yield* ownerKept(settings, user) : []
  })
