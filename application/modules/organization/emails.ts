import { Duration } from "effect"
import { isMailedAddress, isMailedName } from "../../../domain/mail/mailed-name.ts"
import type { Message } from "../../../domain/mail/message.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import type { User } from "../../../domain/users/user.ts"

interface Invited {
  readonly link: string
  /** The organization's name. */
  readonly organization: string
  readonly inviter: Inviter
  /** Seconds for which the invitation is open. */
  readonly lifetime: number
}
type Inviter = Pick<User, "name" | "email" | "email_verified">

/** Invites the owner of an address to an organization. Every user can send one to any address: see `domain/mail/mailed-name.ts`. */
export const invitationMessage = ({ link, organization, inviter, lifetime }: Invited): Message => ({
  subject: phrase("mail.invitation.subject"),
  preheader: phrase("mail.invitation.not_you"),
  hidesCaller: true,
  parts: [
    isMailedName(organization) ? phrase("mail.invitation.text", { organization }) : phrase("mail.invitation.text_without_name"),
    { label: phrase("mail.invitation.button"), link },
    phrase("mail.invitation.sender", { sender: sender(inviter), duration: Duration.seconds(lifetime) }),
    phrase("mail.invitation.not_you"),
  ],
})

/** The inviter's name and address. An unverified address may belong to another person. */
const sender = ({ name, email, email_verified }: Inviter) => {
  const who = name !== null && isMailedName(name) ? name : phrase("mail.invitation.unnamed_sender")
  if (!isMailedAddress(email)) return phrase("mail.invitation.sender_without_address", { name: who })
  return phrase(email_verified ? "mail.invitation.sender_verified" : "mail.invitation.sender_unverified", { name: who, address: email })
}
