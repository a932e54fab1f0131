import { Effect } from "effect"
import { accountUnlinked } from "../../application/modules/account/emails.ts"
import { codeMessage } from "../../application/modules/email_otp/emails.ts"
import { signInMessage } from "../../application/modules/magic_link/emails.ts"
import { invitationMessage } from "../../application/modules/organization/emails.ts"
import { passkeyAdded, passkeyRemoved } from "../../application/modules/passkey/emails.ts"
import { phoneChanged, phoneLinked } from "../../application/modules/phone/emails.ts"
import { emails as factorEmails } from "../../application/modules/two_factor/emails.ts"
import * as Emails from "../../domain/mail/emails.ts"
import { link } from "../../domain/mail/links.ts"
import type { Message } from "../../domain/mail/message.ts"
import { phrase } from "../../domain/ports/texts.ts"
import { Settings } from "../../domain/settings.ts"

const email = "ada@example.com"
const token = "q3Zr8Vt1LxKf0bW6mYc2NsJh5DgPa9Eo7TuRi4QlXyA"
const lifetime = 604_800
const ada = { name: "Ada Lovelace", email, email_verified: true }

const passkeys = phrase("mail.credential.counted", { credential: phrase("mail.credential.passkey"), count: 2 })
const provider = phrase("mail.credential.provider", { provider: "github" })
const others = [provider, passkeys, phrase("mail.credential.authenticator_app")]
const credentials = [phrase("mail.credential.password"), ...others]
const identities = [phrase("mail.credential.phone"), phrase("mail.credential.wallet")]
const organizations = ["analytical-engine", "royal-society"]

/** Every mail of the service, with the links of the configuration and made-up values. */
export const samples = Effect.gen(function* () {
  const values = { token, email }
  const invited = { link: yield* link("invitation", { invitation_id: token, email, organization: "analytical-engine" }), lifetime }
  const messages: Readonly<Record<string, Message>> = {
    verify_email: Emails.verifyEmail(yield* link("verify_email", values)),
    existing_account: Emails.existingAccount(`${(yield* Settings).public_url}/sign-in`),
    reset_password: Emails.resetPassword({ link: yield* link("reset_password", values) }),
    reset_password_with_others: Emails.resetPassword({ link: yield* link("reset_password", values), others: identities }),
    reset_password_unverified: Emails.resetPassword({
      link: yield* link("reset_password", values),
      others,
      removesOthers: true,
    }),
    change_email: Emails.confirmEmailChange(yield* link("change_email", values)),
    email_changed: Emails.emailChanged({ email, newEmail: "lovelace@example.org" }),
    email_code: codeMessage("490154", 300),
    magic_link: signInMessage(yield* link("magic_link", values), 600),
    invitation: invitationMessage({ ...invited, organization: "Analytical Engine", inviter: ada }),
    invitation_unverified: invitationMessage({
      ...invited,
      organization: "Win at evil.example",
      inviter: { ...ada, email_verified: false },
    }),
    invitation_unnamed: invitationMessage({
      ...{ ...invited, organization: "Analytical Engine" },
      inviter: { name: null, email: "+4915112345678@phone.service", email_verified: false },
    }),
    password_changed: Emails.passwordChanged({ email }),
    password_changed_and_others_removed: Emails.passwordChanged({ email, removed: identities }),
    account_linked: Emails.accountLinked("github"),
    account_unlinked: accountUnlinked,
    passkey_added: passkeyAdded,
    passkey_removed: passkeyRemoved,
    second_factor_on: factorEmails.enabled,
    second_factor_off: factorEmails.disabled,
    backup_codes_replaced: factorEmails.backupCodesReplaced,
    phone_linked: phoneLinked,
    phone_changed: phoneChanged,
    address_proved: Emails.addressProved({ email, credentials }),
    credentials_removed: Emails.credentialsRemoved({ email, removed: identities }),
    account_reclaimed: Emails.accountReclaimed({
      ...{ email, removed: credentials, hasNewPassword: false },
      kept: [phrase("mail.account_reclaimed.organizations", { organizations })],
    }),
    account_reclaimed_with_password: Emails.accountReclaimed({
      ...{ email, removed: identities, hasNewPassword: true },
      kept: [phrase("mail.account_reclaimed.more_organizations", { organizations })],
    }),
  }
  return messages
})
