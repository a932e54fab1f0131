import { Duration } from "effect"
import { accountNotice, type Message } from "../../../domain/mail/message.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import type { StoredUser } from "../../../domain/users/user.ts"

export const emails = {
  enabled: accountNotice("mail.second_factor_on.subject", "mail.second_factor_on.text", "mail.second_factor.not_you"),
  disabled: accountNotice("mail.second_factor_off.subject", "mail.second_factor_off.text", "mail.second_factor.not_you"),
  emailEnabled: accountNotice("mail.second_factor_on.subject", "mail.email_factor_on.text", "mail.second_factor.not_you"),
  emailDisabled: accountNotice("mail.second_factor_off.subject", "mail.email_factor_off.text", "mail.second_factor.not_you"),
  smsEnabled: accountNotice("mail.second_factor_on.subject", "mail.sms_factor_on.text", "mail.second_factor.not_you"),
  smsDisabled: accountNotice("mail.second_factor_off.subject", "mail.sms_factor_off.text", "mail.second_factor.not_you"),
  backupCodesReplaced: accountNotice("mail.backup_codes_replaced.subject", "mail.backup_codes_replaced.text", "mail.second_factor.not_you"),
}

/** Contains a code that completes a sign-in, or a change of the account; `ttl` in seconds. */
export const codeMessage = (code: string, ttl: number): Message => {
  const valid = phrase("mail.factor_code.valid", { duration: Duration.seconds(ttl) })
  return {
    subject: phrase("mail.factor_code.subject"),
    preheader: valid,
    parts: [phrase("mail.factor_code.text"), { code }, valid, phrase("mail.factor_code.not_you")],
    leadsToAccount: true,
  }
}

/** The writes that notify a user of a change to their second factor. */
export const factorNotices = (user: StoredUser, change: keyof typeof emails) => notices(user, () => emails[change])

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  second_factor_on: emails.enabled,
  second_factor_off: emails.disabled,
  email_factor_on: emails.emailEnabled,
  email_factor_off: emails.emailDisabled,
  sms_factor_on: emails.smsEnabled,
  sms_factor_off: emails.smsDisabled,
  factor_code: codeMessage("490154", 300),
  backup_codes_replaced: emails.backupCodesReplaced,
}
