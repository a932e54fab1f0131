import { Duration } from "effect"
import type { Message } from "../../../domain/mail/message.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Contains a link to sign in with, which is valid for this many seconds. */
export const signInMessage = (link: string, seconds: number): Message => {
  const valid = phrase("mail.link_valid_once", { duration: Duration.seconds(seconds) })
  return {
    subject: phrase("mail.magic_link.subject"),
    preheader: valid,
    parts: [phrase("mail.magic_link.text"), { label: phrase("mail.magic_link.button"), link }, valid, phrase("mail.magic_link.not_you")],
  }
}
