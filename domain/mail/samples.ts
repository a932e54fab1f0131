import { Effect } from "effect"
import { phrase } from "../ports/texts.ts"
import { Settings } from "../settings.ts"
import * as Emails from "./emails.ts"
import { link } from "./links.ts"
import type { Message } from "./message.ts"

/** Mails with made-up values, by their names. They show how the mails look in each language. */
export type Samples = Readonly<Record<string, Message | Effect.Effect<Message, never, Settings>>>

const email = "ada@example.com"
const values = { token: "q3Zr8Vt1LxKf0bW6mYc2NsJh5DgPa9Eo7TuRi4QlXyA", email }

const github = phrase("mail.credential.provider", { provider: { provider: "github" } })
const others = [
  github,
  phrase("mail.credential.counted", { credential: phrase("mail.credential.provider", { provider: { provider: "google" } }), count: 2 }),
]
const credentials = [phrase("mail.credential.password"), ...others]

/** The mails of the domain. */
export const samples: Samples = {
  verify_email: Effect.map(link("verify_email", values), (link) => Emails.verifyEmail(link, "490154")),
  existing_account: Effect.map(Settings, ({ public_url }) => Emails.existingAccount(`${public_url}/sign-in`)),
  reset_password: Effect.map(link("reset_password", values), (link) => Emails.resetPassword({ link })),
  reset_password_with_others: Effect.map(link("reset_password", values), (link) => Emails.resetPassword({ link, others: [github] })),
  reset_password_unverified: Effect.map(link("reset_password", values), (link) =>
    Emails.resetPassword({ link, others, removesOthers: true }),
  ),
  change_email: Effect.map(link("change_email", values), Emails.confirmEmailChange),
  email_changed: Emails.emailChanged({ email, newEmail: "lovelace@example.org" }),
  password_changed: Emails.passwordChanged({ email }),
  password_changed_and_others_removed: Emails.passwordChanged({ email, removed: [github] }),
  account_linked: Emails.accountLinked("github"),
  address_proved: Emails.addressProved({ email, credentials }),
  credentials_removed: Emails.credentialsRemoved({ email, removed: [github] }),
  account_reclaimed: Emails.accountReclaimed({ email, removed: credentials, kept: [], hasNewPassword: false }),
  account_reclaimed_with_password: Emails.accountReclaimed({ email, removed: [github], kept: [], hasNewPassword: true }),
}
