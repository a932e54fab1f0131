import { DateTime, Duration, Effect, Option } from "effect"
import { countMessage } from "../../../../domain/limits/messages.ts"
import { recipientAt, requestedMail } from "../../../../domain/mail/writing.ts"
import { put } from "../../../../domain/ports/store.ts"
import type { Row } from "../../../../domain/ports/table.ts"
import { isSynthetic } from "../../../../domain/values/text.ts"
import { codeMessage } from "../emails.ts"
import type { Channel } from "./channel.ts"
import { EmailFactors, emailFactorOf } from "./tables.ts"

/** Such as `a•••@example.com`. */
const masked = (email: string) => {
  const at = email.lastIndexOf("@")
  return `${Array.from(email.slice(0, at))[0] ?? ""}•••${email.slice(at)}`
}

/** The methods (RFC 8176) that prove something else than the mailbox. A sign-in without any of them began with a mailed code or link. */
const otherThanMail = ["pop", "sms"]

/** For how long a password that a mailed link has set counts as a proof of the mailbox. The owner has got a notice of it. */
const waitAfterReset = Duration.hours(72)

const counts = ({ password_mailed_at }: Row<typeof EmailFactors>, methods: ReadonlyArray<string>, now: DateTime.Utc) => {
  if (methods.some((method) => otherThanMail.includes(method))) return true
  if (!methods.includes("pwd")) return false
  return password_mailed_at === null || DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(password_mailed_at, waitAfterReset))
}

/** Codes by mail. They never count after a mailed code or link, nor soon after a mailed link has set the password. */
export const byMail: Channel = {
  proves: "otp",
  recipientOf: (user) => {
    const { id, email, email_verified } = user
    if (!email_verified || isSynthetic(email)) return Effect.succeedNone
    return Effect.succeedSome({
      name: email,
      masked: masked(email),
      count: (purpose) => countMessage({ channel: "mail", purpose, to: email, owner: Option.some(id) }),
      message: (code, expires_at, ttl) => requestedMail(recipientAt(email, Option.some(user), expires_at), codeMessage(code, ttl)),
    })
  },
  countsAfter: Effect.fnUntraced(function* mailCountsAfter(user_id, methods, now) {
    return Option.exists(yield* emailFactorOf(user_id), ({ row }) => counts(row, methods, now))
  }),
  otherWays: ["credential", "phone", "siwe"],
  turnedOn: (factor) => put(EmailFactors, { ...factor, password_mailed_at: null }),
  notices: { on: "emailEnabled", off: "emailDisabled" },
}
