import type { Message } from "../../../domain/mail/message.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { type Phrase, phrase } from "../../../domain/ports/texts.ts"
import type { StoredUser } from "../../../domain/users/user.ts"

const notice = (subject: Phrase, text: Phrase): Message => {
  const notYou = phrase("mail.second_factor.not_you")
  return { subject, preheader: notYou, parts: [text, notYou] }
}

export const emails = {
  enabled: notice(phrase("mail.second_factor_on.subject"), phrase("mail.second_factor_on.text")),
  disabled: notice(phrase("mail.second_factor_off.subject"), phrase("mail.second_factor_off.text")),
  backupCodesReplaced: notice(phrase("mail.backup_codes_replaced.subject"), phrase("mail.backup_codes_replaced.text")),
}

/** The writes that notify a user of a change to their second factor. */
export const factorNotices = (user: StoredUser, change: keyof typeof emails) => notices(user, () => emails[change])

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  second_factor_on: emails.enabled,
  second_factor_off: emails.disabled,
  backup_codes_replaced: emails.backupCodesReplaced,
}
