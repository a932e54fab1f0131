import * as Emails from "../../../domain/mail/emails.ts"

// The notices do not name the passkey: its name is anybody's words.

export const passkeyAdded = Emails.compose(undefined, (service) => ({
  subject: `A passkey was added to your ${service} account`,
  paragraphs: [
    `A passkey was added to your ${service} account: whoever has it can sign in.`,
    "If it was not you, remove it now and sign out all other devices.",
  ],
}))

export const passkeyRemoved = Emails.compose(undefined, (service) => ({
  subject: `A passkey was removed from your ${service} account`,
  paragraphs: [
    `A passkey was removed from your ${service} account: nobody can sign in with it any more.`,
    "If it was not you, somebody else has access to your account: sign out all other devices now.",
  ],
}))
