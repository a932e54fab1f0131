import { Duration, Effect } from "effect"
import { link } from "../../../domain/mail/links.ts"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** For how long a sign-in can be reported. */
export const reportable = Duration.hours(24)

interface NewBrowser {
  readonly ip_address: string | null
  /** Leads to the report of the sign-in. */
  readonly link: string
}

/** Tells a user of a sign-in from a browser that is new to their account. */
export const newBrowser = ({ ip_address, link }: NewBrowser): Message => ({
  subject: phrase("mail.new_browser.subject"),
  preheader: phrase("mail.new_browser.text"),
  parts: [
    phrase("mail.new_browser.text"),
    ...(ip_address === null ? [] : [phrase("mail.new_browser.address", { address: ip_address })]),
    phrase("mail.new_browser.not_you"),
    { label: phrase("mail.new_browser.button"), link },
    phrase("mail.link_valid_once", { duration: reportable }),
  ],
})

const token = "q3Zr8Vt1LxKf0bW6mYc2NsJh5DgPa9Eo7TuRi4QlXyA"

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  new_browser: Effect.map(link("report_sign_in", { token, email: "ada@example.com" }), (link) =>
    newBrowser({ ip_address: "192.0.2.1", link }),
  ),
}
