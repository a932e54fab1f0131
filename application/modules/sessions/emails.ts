import { accountNotice, type Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Tells a user of a sign-in from a browser that is new to their account. */
export const newBrowser = (ip_address: string | null): Message => {
  const message = accountNotice("mail.new_browser.subject", "mail.new_browser.text", "mail.new_browser.not_you")
  const [text, ...rest] = message.parts
  const address = ip_address === null ? [] : [phrase("mail.new_browser.address", { address: ip_address })]
  return { ...message, parts: [...(text === undefined ? [] : [text]), ...address, ...rest] }
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { new_browser: newBrowser("192.0.2.1") }
