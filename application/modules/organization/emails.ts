import type { Text } from "../../../domain/mail/emails.ts"
import { compose, durationText } from "../../../domain/mail/emails.ts"
import { isMailedAddress, isMailedName } from "../../../domain/mail/mailed-name.ts"
import type { User } from "../../../domain/users/user.ts"

interface Invited {
  readonly link: string
  /** The organization's name. */
  readonly organization: string
  readonly inviter: Inviter
  /** Seconds for which the invitation is open. */
  readonly lifetime: number
  readonly service?: string
}
type Inviter = Pick<User, "name" | "email" | "email_verified">

/** Invites the owner of an address to an organization. Every user can send one to any address: see `domain/mail/mailed-name.ts`. */
export const invitationMessage = ({ link, organization, inviter, lifetime, service }: Invited): Text =>
  compose(service, (name) => ({
    subject: `You are invited to an organization at ${name}`,
    paragraphs: [
      `You are invited to join ${isMailedName(organization) ? organization : "an organization"} at ${name}. You can accept or decline the invitation here:`,
      { label: "See the invitation", link },
      `The invitation was sent by ${sender(inviter)}. It is open for ${durationText(lifetime)}.`,
      "If you do not know the sender, ignore this message: you join only if you accept.",
    ],
  }))

/** The inviter's name and address. An unverified address may belong to another person. */
const sender = ({ name, email, email_verified }: Inviter) => {
  const who = name !== null && isMailedName(name) ? name : "a user"
  if (!isMailedAddress(email)) return `${who} whose e-mail address cannot be shown here`
  return `${who} (${email}${email_verified ? "" : ", not verified"})`
}
