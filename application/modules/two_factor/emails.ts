import { accountNotice } from "../../../domain/mail/message.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import type { StoredUser } from "../../../domain/users/user.ts"

export const emails = {
  enabled: accountNotice("mail.second_factor_on.subject", "mail.second_factor_on.text", "mail.second_factor.not_you"),
  disabled: accountNotice("mail.second_factor_off.subject", "mail.second_factor_off.text", "mail.second_factor.not_you"),
  backupCodesReplaced: accountNotice("mail.backup_codes_replaced.subject", "mail.backup_codes_replaced.text", "mail.second_factor.not_you"),
}

/** The writes that notify a user of a change to their second factor. */
export const factorNotices = (user: StoredUser, change: keyof typeof emails) => notices(user, () => emails[change])

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  second_factor_on: emails.enabled,
  second_factor_off: emails.disabled,
  backup_codes_replaced: emails.backupCodesReplaced,
}
