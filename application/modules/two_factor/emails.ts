import * as Emails from "../../../domain/mail/emails.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { StoredUser } from "../../../domain/users/user.ts"

const ifNotYou = "If it was not you, change your password now and sign out all other devices."

const enabled = Emails.compose(undefined, (service) => ({
  subject: `Two-factor sign-in was turned on for your ${service} account`,
  paragraphs: [`From now on, signing in to your ${service} account takes a code of an authenticator app as well.`, ifNotYou],
}))

const disabled = Emails.compose(undefined, (service) => ({
  subject: `Two-factor sign-in was turned off for your ${service} account`,
  paragraphs: [`Signing in to your ${service} account no longer takes a code of an authenticator app.`, ifNotYou],
}))

const backupCodesReplaced = Emails.compose(undefined, (service) => ({
  subject: `The backup codes of your ${service} account were replaced`,
  paragraphs: [`Your ${service} account has new backup codes. The old ones no longer work.`, ifNotYou],
}))

const emails = { enabled, disabled, backupCodesReplaced }

/** The writes that notify a user of a change to their second factor. */
export const factorNotices = (user: StoredUser, change: keyof typeof emails) => notices(user, () => emails[change])
