import { Duration, Effect } from "effect"
import { accountReclaimed } from "../../../domain/mail/emails.ts"
import { isMailedAddress, isMailedName } from "../../../domain/mail/mailed-name.ts"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import type { Reclaim } from "../../../domain/policies.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import type { User } from "../../../domain/users/user.ts"
import { invitationLink } from "./invitation-token.ts"
import { kept } from "./reclaim.ts"

interface Invited {
  readonly link: string
  /** The organization's name. */
  readonly organization: string
  /** An administrator of the service, whose name and address stay their own, a key of the organization, or a member. */
  readonly inviter: Sender
  /** Seconds for which the invitation is open. */
  readonly lifetime: number
}
type Inviter = Pick<User, "name" | "email" | "email_verified">
type Sender = "administrator" | "program" | Inviter

/** Invites the owner of an address to an organization. Every user can send one to any address: see `domain/mail/mailed-name.ts`. */
export const invitationMessage = ({ link, organization, inviter, lifetime }: Invited): Message => {
  const isNamed = isMailedName(organization)
  return {
    subject: isNamed ? phrase("mail.invitation.subject_named", { organization }) : phrase("mail.invitation.subject"),
    preheader: phrase("mail.invitation.not_you"),
    hidesCaller: true,
    parts: [
      isNamed ? phrase("mail.invitation.text", { organization }) : phrase("mail.invitation.text_without_name"),
      { label: phrase("mail.invitation.button"), link },
      sent(inviter, Duration.seconds(lifetime)),
      phrase("mail.invitation.not_you"),
    ],
  }
}

const sent = (inviter: Sender, duration: Duration.Duration) => {
  if (inviter === "administrator") return phrase("mail.invitation.sender_administrator", { duration })
  if (inviter === "program") return phrase("mail.invitation.sender_program", { duration })
  return phrase("mail.invitation.sender", { sender: sender(inviter), duration })
}

/** The inviter's name and address. An unverified address may belong to another person. */
const sender = ({ name, email, email_verified }: Inviter) => {
  const who = name !== null && isMailedName(name) ? name : phrase("mail.invitation.unnamed_sender")
  if (!isMailedAddress(email)) return phrase("mail.invitation.sender_without_address", { name: who })
  return phrase(email_verified ? "mail.invitation.sender_verified" : "mail.invitation.sender_unverified", { name: who, address: email })
}

const email = "ada@example.com"
const ada = { name: "Ada Lovelace", email, email_verified: true }
const organizations = [{ slug: "analytical-engine" }, { slug: "royal-society" }]

const invited = (organization: string, inviter: Sender) =>
  Effect.map(invitationLink({ id: "q3Zr8Vt1LxKf0bW6mYc2Ns", email }, "5hTb0cVw9RzJ4yQe7dUk1X", "analytical-engine"), (link) =>
    invitationMessage({ link, organization, inviter, lifetime: 604_800 }),
  )

const reclaimed = (kept: Reclaim["kept"]) => accountReclaimed({ email, removed: [], hasNewPassword: false, kept })

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  invitation: invited("Analytical Engine", ada),
  invitation_unverified: invited("Win at evil.example", { ...ada, email_verified: false }),
  invitation_unnamed: invited("Analytical Engine", { name: null, email: "+4915112345678@phone.service", email_verified: false }),
  invitation_by_administrator: invited("Analytical Engine", "administrator"),
  invitation_by_program: invited("Analytical Engine", "program"),
  account_reclaimed_with_organizations: reclaimed(kept(organizations, false)),
  account_reclaimed_with_more_organizations: reclaimed(kept(organizations, true)),
}
