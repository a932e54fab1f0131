import * as Letters from "../../letters.ts"

/** Tells a user of one more way in. It does not name the account: the mailbox may be read by others. */
export const accountLinked = (provider: string) =>
  Letters.compose(undefined, (service) => ({
    subject: `An account at another service was linked to your ${service} account`,
    paragraphs: [
      `An account at another service (${provider}) was linked to your ${service} account: whoever has it can sign in.`,
      "If it was not you, remove it now and sign out all other devices.",
    ],
  }))
