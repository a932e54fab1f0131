import { Duration } from "effect"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Contains a code that proves the address of a guest; `ttl` in seconds. */
export const codeMessage = (code: string, ttl: number): Message => {
  const valid = phrase("mail.guest_code.valid", { duration: Duration.seconds(ttl) })
  return {
    subject: phrase("mail.guest_code.subject"),
    preheader: valid,
    parts: [phrase("mail.guest_code.text"), { code }, valid, phrase("mail.guest_code.not_you")],
  }
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { guest_code: codeMessage("490154", 300) }
