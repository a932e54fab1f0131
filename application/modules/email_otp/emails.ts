import { Duration } from "effect"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Contains a code to sign in with; `ttl` in seconds. */
export const codeMessage = (code: string, ttl: number): Message => {
  const valid = phrase("mail.email_code.valid", { duration: Duration.seconds(ttl) })
  return {
    subject: phrase("mail.email_code.subject"),
    preheader: valid,
    parts: [phrase("mail.email_code.text"), { code }, valid, phrase("mail.email_code.not_you")],
  }
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { email_code: codeMessage("490154", 300) }
