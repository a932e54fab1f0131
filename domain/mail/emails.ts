import { type Phrase, phrase } from "../ports/texts.ts"
import { lifetime as duration } from "./mailed-tokens.ts"
import { accountNotice, type Message } from "./message.ts"

// No mail repeats a user's name: otherwise an attacker could sign up with another person's address, and the service would send the
// attacker's text to that person.

/** The names of credentials. A name that is a string is the same in every language. */
export type Labels = ReadonlyArray<Phrase | string>

/** A notice about a change to an account: to its current or previous address. */
interface Notice {
  readonly email: string
}

const withLink = (link: string, subject: string, text: string, button: string, notYou: string, code?: string): Message => {
  const valid = phrase("mail.link_valid", { duration })
  const parts = [phrase(text), { label: phrase(button), link }, ...orCode(code), valid, phrase(notYou)]
  return { subject: phrase(subject), preheader: valid, parts }
}

/** The parts of a mail with a link that also has a code. */
export const orCode = (code: string | undefined): Message["parts"] => (code === undefined ? [] : [phrase("mail.or_code"), { code }])

/** The mail with a link that verifies the address of an account, and a code for the browser that asked for it. */
export const verifyEmail = (link: string, code?: string) =>
  withLink(link, "mail.verify_email.subject", "mail.verify_email.text", "mail.verify_email.button", "mail.verify_email.not_you", code)

/** Answers a sign-up, or a request for verification, with an address that is verified already. */
export const existingAccount = (link: string): Message => ({
  subject: phrase("mail.existing_account.subject"),
  preheader: phrase("mail.existing_account.text"),
  parts: [
    phrase("mail.existing_account.text"),
    { label: phrase("mail.existing_account.button"), link },
    phrase("mail.existing_account.forgot"),
    phrase("mail.existing_account.not_you"),
  ],
})

/** Contains the link to set a new password. `others`: labels of the account's other credentials. */
export const resetPassword = ({
  link,
  others = [],
  removesOthers = false,
}: {
  readonly link: string
  readonly others?: Labels
  readonly removesOthers?: boolean
}): Message => {
  const valid = phrase("mail.link_valid_once", { duration })
  return {
    subject: phrase("mail.reset_password.subject"),
    preheader: valid,
    parts: [
      phrase("mail.reset_password.text"),
      { label: phrase("mail.reset_password.button"), link },
      valid,
      ...listing(removesOthers ? "mail.reset_password.removes_others" : "mail.reset_password.keeps_others", others),
      phrase("mail.reset_password.not_you"),
    ],
  }
}

/** A paragraph that lists credentials, if there are any. */
const listing = (key: string, credentials: Labels) => (credentials.length === 0 ? [] : [phrase(key, { credentials })])

/** The mail with a link that confirms a change of address, for the owner of the new address. */
export const confirmEmailChange = (link: string) =>
  withLink(link, "mail.change_email.subject", "mail.change_email.text", "mail.change_email.button", "mail.change_email.not_you")

/** Notifies the previous addresses. Abbreviates the new one: other people may read the old mailbox. */
export const emailChanged = ({ email, newEmail }: Notice & { readonly newEmail: string }) => {
  const addresses = { old_address: email, new_address: hint(newEmail) }
  return accountNotice("mail.email_changed.subject", "mail.email_changed.text", "mail.email_changed.not_you", addresses)
}

/** Notifies a user of a new password. `removed`: labels of the credentials that were removed in the same commit. */
export const passwordChanged = ({ email, removed = [] }: Notice & { readonly removed?: Labels }): Message => ({
  subject: phrase("mail.password_changed.subject"),
  preheader: phrase("mail.password_changed.not_you"),
  leadsToAccount: true,
  parts: [
    phrase("mail.password_changed.text", { address: email }),
    ...listing("mail.password_changed.removed", removed),
    phrase("mail.password_changed.not_you"),
  ],
})

interface Removed extends Notice {
  /** Labels of the credentials that were removed from a never-verified account. */
  readonly removed: Labels
}

/** Notifies the owner of an address that a never-verified account was returned to them. `kept`: paragraphs about what the account keeps. */
export const accountReclaimed = ({
  email,
  removed,
  kept,
  hasNewPassword,
}: Removed & { readonly kept: Labels; readonly hasNewPassword: boolean }): Message => {
  const password = phrase(hasNewPassword ? "mail.account_reclaimed.new_password" : "mail.account_reclaimed.no_password")
  return {
    subject: phrase(hasNewPassword ? "mail.password_changed.subject" : "mail.account_reclaimed.subject"),
    preheader: password,
    leadsToAccount: true,
    parts: [
      phrase("mail.account_reclaimed.text", { address: email }),
      ...listing("mail.account_reclaimed.removed", removed),
      password,
      ...kept,
    ],
  }
}

/**
 * Lists the credentials of an account to the owner of its address: another user may have signed up with the address or changed to it. The
 * advice follows what `/reset-password` removes: accounts that are not second factors.
 */
export const addressProved = ({ email, credentials }: Notice & { readonly credentials: Labels }): Message => ({
  subject: phrase("mail.address_proved.subject"),
  preheader: phrase("mail.address_proved.not_you"),
  leadsToAccount: true,
  parts: [
    phrase("mail.address_proved.text", { address: email, credentials }),
    phrase("mail.address_proved.not_you"),
    phrase("mail.address_proved.kept"),
  ],
})

/** Lists the credentials that the verification of an address removed. */
export const credentialsRemoved = ({ email, removed }: Removed): Message => ({
  subject: phrase("mail.credentials_removed.subject"),
  preheader: phrase("mail.credentials_removed.not_you"),
  leadsToAccount: true,
  parts: [
    phrase("mail.credentials_removed.text", { address: email }),
    phrase("mail.credentials_removed.removed", { credentials: removed }),
    phrase("mail.credentials_removed.not_you"),
  ],
})

/** Notifies a user of a new linked account. Does not name the account: other people may read the mailbox. */
export const accountLinked = (provider: string) =>
  accountNotice("mail.account_linked.subject", "mail.account_linked.text", "mail.account_linked.not_you", { provider: { provider } })

/** `j…@example.com`: enough to recognise one's own address. */
const hint = (email: string) => {
  const [first = ""] = email
  return `${first}…${email.slice(email.lastIndexOf("@")).slice(0, 100)}`
}
