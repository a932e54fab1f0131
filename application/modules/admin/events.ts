import { DateTime } from "effect"
import { ServiceAccounts } from "../../../domain/administration/service-accounts.ts"
import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { defaultMetadata, suspension } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import { erasureTypes } from "./erasure/events.ts"
import { exportTypes } from "./export/events.ts"
import { AdminGrants } from "./grants-table.ts"
import { SignUpInvitations } from "./invitations.ts"
import { jobTypes } from "./jobs/events.ts"
import { mergeTypes } from "./merge/events.ts"
import { operationTypes } from "./operations/events.ts"
import { RequiredActions } from "./required-actions/table.ts"
import { AdminMetadatas } from "./users.ts"

/** The types of events that only this module has. */
export const types = {
  "user.banned": change("A user was banned."),
  "user.unbanned": change("The ban of a user was ended."),
  "user.suspended": change("A user was suspended."),
  "user.resumed": change("The suspension of a user was ended."),
  "user.action_required": change("A user has to do something at the next sign-in."),
  "registration.invited": change("An administrator invited an address to sign up."),
  "registration.invitation_cancelled": change("An invitation to sign up was withdrawn."),
  "user.role_changed": change("A user got another role in the service."),
  "role.assigned": change("A user got a further role, or one with another end."),
  "role.withdrawn": change("A further role was taken from a user."),
  "service_account.created": change("A service account was added."),
  "service_account.updated": change("The name or the permissions of a service account changed."),
  "service_account.deleted": change("A service account was removed."),
  ...jobTypes,
  ...exportTypes,
  ...erasureTypes,
  ...mergeTypes,
  ...operationTypes,
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

/** The events of roles and bans. The reason of a ban is left out: administrators type it. */
export const events = [
  rowEvents(AdminMetadatas, ({ before, after }): ReadonlyArray<Own> => {
    if (after === null) return []
    const old = before ?? defaultMetadata
    const subject = user(after.user_id)
    const data = after.ban_expires === null ? {} : { until: DateTime.formatIso(after.ban_expires) }
    return [
      ...(old.role === after.role ? [] : [{ type: "user.role_changed" as const, subject, data: { old: old.role, new: after.role } }]),
      ...(after.banned && !isSameBan(old, after) ? [{ type: typesOf(after).begun, subject, data }] : []),
      ...(old.banned && !after.banned ? [{ type: typesOf(old).ended, subject }] : []),
    ]
  }),
  rowEvents(
    RequiredActions,
    ({ before, after }): ReadonlyArray<Own> =>
      before !== null || after === null
        ? []
        : [{ type: "user.action_required", subject: user(after.user_id), data: { action: after.action } }],
  ),
  rowEvents(AdminGrants, ({ before, after }): ReadonlyArray<Own> => {
    const { role, user_id, organization_id, expires_at } = after ?? before
    const until = after === null || expires_at === null ? {} : { until: DateTime.formatIso(expires_at) }
    const place = organization_id === "" ? {} : { organization_id }
    return [{ type: after === null ? "role.withdrawn" : "role.assigned", subject: user(user_id), data: { role, ...until }, ...place }]
  }),
  rowEvents(ServiceAccounts, ({ before, after }): ReadonlyArray<Own> => {
    const { id, permissions, organization_id } = after ?? before
    const place = organization_id === null ? {} : { organization_id }
    const type = before === null ? "service_account.created" : after === null ? "service_account.deleted" : "service_account.updated"
    return [{ type, subject: { kind: "service", id }, data: { permissions }, ...place }]
  }),
  rowEvents(SignUpInvitations, ({ before, after }, { writes }): ReadonlyArray<Own> => {
    const { id, email } = after ?? before
    const about = { subject: { kind: "identifier" as const, id: email }, data: { invitation: id } }
    if (after !== null) return before?.id === id ? [] : [{ type: "registration.invited", ...about }]
    const isSpent = writes.some(({ _tag, table }) => _tag === "insert" && table.name === Users.name)
    return isSpent ? [] : [{ type: "registration.invitation_cancelled", ...about }]
  }),
]

type Ban = Pick<typeof AdminMetadatas.schema.Type, "banned" | "ban_kind" | "ban_expires">

const typesOf = ({ ban_kind }: Ban) =>
  ban_kind === suspension
    ? ({ begun: "user.suspended", ended: "user.resumed" } as const)
    : ({ begun: "user.banned", ended: "user.unbanned" } as const)

const isSameBan = (old: Ban, next: Ban) =>
  old.banned && old.ban_kind === next.ban_kind && old.ban_expires?.epochMilliseconds === next.ban_expires?.epochMilliseconds
