// Every type of security event. A name is `noun.past_verb` and never changes: receivers and stored records depend on it.

interface EventKind {
  /** What happened, as documentation shows it. */
  readonly summary: string
  /** Whether the audit log keeps it as long as administration and changes of credentials (`keep_changes`). */
  readonly isChange: boolean
}

const often = (summary: string): EventKind => ({ summary, isChange: false })
const change = (summary: string): EventKind => ({ summary, isChange: true })

export const eventTypes = {
  "sign_in.succeeded": often("A user signed in."),
  "sign_in.failed": often("A sign-in was refused. Repeats share records with their number."),
  "sign_in.challenged": often("A sign-in needs another proof, such as a second factor."),
  "sign_in.locked": often("A sign-in was refused because there were too many attempts."),
  "session.opened": often("A session began."),
  "session.revoked": often("A session was ended before its expiry."),
  "session.stepped_up": often("The user of a session proved their identity again."),
  "user.created": change("A user was added."),
  "user.updated": change("The profile of a user changed."),
  "user.deleted": change("A user was removed."),
  "user.banned": change("A user was banned."),
  "user.unbanned": change("The ban of a user was ended."),
  "user.email_changed": change("The e-mail address of a user changed."),
  "user.email_verified": change("A user proved their e-mail address."),
  "user.role_changed": change("A user got another role in the service."),
  "credential.added": change("A user got another way to sign in, or a second factor."),
  "credential.changed": change("A password or the backup codes of a user changed."),
  "credential.removed": change("A way to sign in or a second factor was removed."),
  "recovery.requested": often("A link to set a new password was requested."),
  "recovery.completed": change("A password was set by a mailed link."),
  "token.reused": change("A code or a refresh token of a client was used twice, so all tokens of its sign-in were revoked."),
  "token.revoked": often("Refresh tokens or an access token of a client were revoked."),
  "token.exchanged": often("A client exchanged an access token of a user for another one, to act as the user or for them."),
  "organization.created": change("An organization was added."),
  "organization.updated": change("The name or the slug of an organization changed."),
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
  "invitation.accepted": change("An invitation was accepted."),
  "invitation.rejected": change("An invitation was rejected."),
  "invitation.cancelled": change("An invitation was cancelled."),
  "access.denied": often("A caller was refused: without the rights, banned, or with a wrong proof."),
  "limit.reached": often("A caller was refused because a budget was used up."),
  "client.created": change("A client of the identity provider was added."),
  "client.updated": change("A client of the identity provider changed, or got a new secret."),
  "client.deleted": change("A client of the identity provider was removed."),
  "webhook.created": change("A webhook was added."),
  "webhook.updated": change("A webhook changed, or got a new secret."),
  "webhook.disabled": change("A webhook was turned off, because its receiver refused or failed for too long."),
  "webhook.deleted": change("A webhook was removed."),
  "secret.rotated": change("A signing key was replaced."),
  "audit.sealed": often("The records of a day were sealed; the event has the last seal of the day."),
} as const satisfies Readonly<Record<string, EventKind>>

export type EventType = keyof typeof eventTypes

export const isChange = (type: EventType): boolean => eventTypes[type].isChange
