// The types of security events. A name is `noun.past_verb` and never changes: receivers and stored records depend on it.

/** A type of security event. */
export interface EventKind {
  /** What happened, as documentation shows it. */
  readonly summary: string
  /** Whether the audit log keeps it as long as administration and changes of credentials (`keep_changes`). */
  readonly isChange: boolean
}

export type EventKinds = Readonly<Record<string, EventKind>>

/** A type of event that ordinary use causes. */
export const often = (summary: string): EventKind => ({ summary, isChange: false })
/** A type of event that administration and changes of credentials cause. */
export const change = (summary: string): EventKind => ({ summary, isChange: true })

/** The types of the domain and of several modules. Other modules have types of their own (`events`). */
export const eventTypes = {
  "sign_in.succeeded": often("A user signed in."),
  "sign_in.failed": often("A sign-in was refused. Repeats share records with their number."),
  "sign_in.challenged": often("A sign-in needs another proof, such as a second factor."),
  "sign_in.locked": often("A sign-in was refused because there were too many attempts."),
  "registration.refused": often("A new user was refused: sign-up is closed, or the address is not allowed."),
  "session.opened": often("A session began."),
  "session.revoked": often("A session was ended before its expiry."),
  "session.stepped_up": often("The user of a session proved their identity again."),
  "user.created": change("A user was added."),
  "user.updated": change("The profile of a user changed."),
  "user.deleted": change("A user was removed."),
  "user.email_changed": change("The email address of a user changed."),
  "user.email_verified": change("A user proved their email address."),
  "credential.added": change("A user got another way to sign in, or a second factor."),
  "credential.changed": change("A password or the backup codes of a user changed."),
  "credential.removed": change("A way to sign in or a second factor was removed."),
  "recovery.requested": often("A link to set a new password was requested."),
  "recovery.completed": change("A password was set by a mailed link."),
  "access.denied": often("A caller was refused: without the rights, banned, or with a wrong proof."),
  "access.read": often("An administrator or a machine read the data of a user, as often as `count` says."),
  "user.private_read": change(
    "An administrator or a machine read private attributes of a user, or without a subject those of a list of users.",
  ),
  "limit.reached": often("A caller was refused because a budget was used up."),
} as const satisfies EventKinds

export type EventType = keyof typeof eventTypes
