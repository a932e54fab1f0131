import * as Emails from "../../../domain/mail/emails.ts"

// The notices do not contain the passkey's name: an attacker could have chosen it.

export const passkeyAdded = Emails.compose(undefined, (service) => ({
  subject: `A passkey was added to your ${service} account`,
  paragraphs: [
    `A passkey was added to your ${service} account. It can be used to sign in.`,
    "If you did not add it, another person has access to your account: remove the passkey now and sign out all other devices.",
  ],
}))

export const passkeyRemoved = Emails.compose(undefined, (service) => ({
  subject: `A passkey was removed from your ${service} account`,
  paragraphs: [
    `A passkey was removed from your ${service} account. It can no longer be used to sign in.`,
    "If you did not remove it, another person has access to your account: sign out all other devices now.",
  ],
}))
