import { OrganizationAttributes } from "../../../domain/attributes/organizations.ts"
import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { changedFields, rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, type Party, user } from "../../../domain/events/security-event.ts"
import { Invitations, Members, Organizations, TeamMembers, Teams } from "../../../domain/organizations/tables.ts"

/** The types of events that only this module has. */
export const types = {
  "organization.created": change("An organization was added."),
  "organization.updated": change("The name, the slug or an attribute of an organization changed."),
  "organization.deleted": change("An organization was removed."),
  "organization.member_added": change("A user joined an organization."),
  "organization.member_removed": change("A user left an organization or was removed from it."),
  "organization.member_role_changed": change("A member of an organization got another role."),
  "team.created": change("A team was added."),
  "team.updated": change("The name of a team changed."),
  "team.deleted": change("A team was removed."),
  "team.member_added": change("A member joined a team."),
  "team.member_removed": change("A member left a team or was removed from it."),
  "invitation.created": change("An address was invited to an organization."),
  "invitation.resent": change("An administrator sent an invitation again."),
  "invitation.accepted": change("An invitation was accepted."),
  "invitation.rejected": change("An invitation was rejected."),
  "invitation.cancelled": change("An invitation was cancelled."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

const organization = (id: string): Party => ({ kind: "organization", id })

const organizationEvents = rowEvents(Organizations, ({ before, after }): ReadonlyArray<Own> => {
  const { id } = after ?? before
  const about = { subject: organization(id), organization_id: id }
  if (before === null) return [{ type: "organization.created", ...about }]
  if (after === null) return [{ type: "organization.deleted", ...about }]
  const fields = changedFields(before, after, ["name", "slug"])
  return fields.length === 0 ? [] : [{ type: "organization.updated", ...about, data: { fields } }]
})

/** The event does not name the attributes: some are for administrators only. */
const attributeEvents = rowEvents(OrganizationAttributes, ({ before, after }, { writes }): ReadonlyArray<Own> => {
  const isNew = writes.some((write) => write._tag === "insert" && write.table.name === Organizations.name)
  if (after === null || isNew || JSON.stringify(before?.values) === JSON.stringify(after.values)) return []
  const { organization_id } = after
  return [{ type: "organization.updated", subject: organization(organization_id), organization_id, data: { fields: ["attributes"] } }]
})

const memberEvents = rowEvents(Members, ({ before, after }): ReadonlyArray<Own> => {
  const { user_id, organization_id, role } = after ?? before
  const about = { subject: user(user_id), organization_id }
  if (before === null) return [{ type: "organization.member_added", ...about, data: { role } }]
  if (after === null) return [{ type: "organization.member_removed", ...about, data: { role } }]
  if (before.role === role) return []
  return [{ type: "organization.member_role_changed", ...about, data: { old: before.role, new: role } }]
})

/** The id of an invitation is a secret, and its address is personal data; the reference names it. */
const invitationEvents = rowEvents(Invitations, ({ before, after }): ReadonlyArray<Own> => {
  if (after === null) return []
  const { organization_id, reference, role, status } = after
  const about = { subject: organization(organization_id), organization_id, data: { invitation: reference, role } }
  if (before?.status === status) {
    const isResent = before.expires_at.epochMilliseconds !== after.expires_at.epochMilliseconds
    return isResent ? [{ type: "invitation.resent", ...about }] : []
  }
  return [{ type: status === "pending" ? "invitation.created" : (`invitation.${status}` as const), ...about }]
})

const teamEvents = rowEvents(Teams, ({ before, after }): ReadonlyArray<Own> => {
  const { id, organization_id } = after ?? before
  const about = { subject: organization(organization_id), organization_id, data: { team: id } }
  if (before === null) return [{ type: "team.created", ...about }]
  if (after === null) return [{ type: "team.deleted", ...about }]
  return before.name === after.name ? [] : [{ type: "team.updated", ...about }]
})

const teamMemberEvents = rowEvents(TeamMembers, ({ before, after }): ReadonlyArray<Own> => {
  const { user_id, team_id } = after ?? before
  const type = before === null ? "team.member_added" : after === null ? "team.member_removed" : undefined
  return type === undefined ? [] : [{ type, subject: user(user_id), data: { team: team_id } }]
})

/** The events of organizations, members, invitations and teams. */
export const events = [organizationEvents, attributeEvents, memberEvents, invitationEvents, teamEvents, teamMemberEvents]
