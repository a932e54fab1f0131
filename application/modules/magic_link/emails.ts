import { Duration, Effect } from "effect"
import { orCode } from "../../../domain/mail/emails.ts"
import { link } from "../../../domain/mail/links.ts"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Contains a link to sign in with, which is valid for this many seconds, and a code for the browser that asked for it. */
export const signInMessage = (link: string, seconds: number, code?: string): Message => {
  const valid = phrase("mail.link_valid_once", { duration: Duration.seconds(seconds) })
  return {
    subject: phrase("mail.magic_link.subject"),
    preheader: valid,
    parts: [
      phrase("mail.magic_link.text"),
      { label: phrase("mail.magic_link.button"), link },
      ...orCode(code),
      valid,
      phrase("mail.magic_link.not_you"),
    ],
  }
}

/** Contains a link that proves the address of a guest. */
export const guestMessage = (link: string, seconds: number): Message => {
  const valid = phrase("mail.link_valid_once", { duration: Duration.seconds(seconds) })
  return {
    subject: phrase("mail.guest_link.subject"),
    preheader: valid,
    parts: [phrase("mail.guest_link.text"), { label: phrase("mail.guest_link.button"), link }, valid, phrase("mail.guest_link.not_you")],
  }
}

const sampleLink = link("magic_link", { token: "q3Zr8Vt1LxKf0bW6mYc2NsJh5DgPa9Eo7TuRi4QlXyA", email: "ada@example.com" })

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  magic_link: Effect.map(sampleLink, (link) => signInMessage(link, 600, "490154")),
  guest_link: Effect.map(sampleLink, (link) => guestMessage(link, 600)),
}
