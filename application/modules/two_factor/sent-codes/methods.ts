import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { countMessage } from "../../../../domain/limits/messages.ts"
import { recipientAt, requestedMail } from "../../../../domain/mail/writing.ts"
import type { Row } from "../../../../domain/ports/table.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { isSynthetic } from "../../../../domain/values/text.ts"
import { codeMessage } from "../emails.ts"
import type { TwoFactorSettings } from "../settings.ts"
import { type EmailFactors, factorOf } from "./tables.ts"

/** How codes are sent. */
export const sentMethods = ["email"] as const
export const SentMethod = Schema.Literals(sentMethods).annotate({ identifier: "TwoFactorSentMethod" })
export type SentMethod = typeof SentMethod.Type

/** The methods with sent codes that the service offers. */
export const offeredBy = ({ methods }: Pick<TwoFactorSettings, "methods">) => sentMethods.filter((method) => methods.includes(method))

/** Whether a user has turned a method on. */
export const isOn = (method: SentMethod, user_id: string) => Effect.map(factorOf(method, user_id), Option.isSome)

/** Where codes of a user go. */
interface Recipient {
  /** As shown to a caller who has proved the first factor only. */
  readonly masked: string
  /** Counts a message against the budgets. */
  readonly count: (purpose: string) => ReturnType<typeof countMessage>
  readonly message: (code: string, expires_at: DateTime.Utc, ttl: number) => ReturnType<typeof requestedMail>
}

/** Where the codes of a user go; none without a verified address. */
export const recipientOf = (_method: SentMethod, user: StoredUser): Option.Option<Recipient> => {
  const { id, email, email_verified } = user
  if (!email_verified || isSynthetic(email)) return Option.none()
  return Option.some({
    masked: maskedAddress(email),
    count: (purpose) => countMessage({ channel: "mail", purpose, to: email, owner: Option.some(id) }),
    message: (code, expires_at, ttl) => requestedMail(recipientAt(email, Option.some(user), expires_at), codeMessage(code, ttl)),
  })
}

/** Such as `a•••@example.com`. */
const maskedAddress = (email: string) => {
  const at = email.lastIndexOf("@")
  return `${Array.from(email.slice(0, at))[0] ?? ""}•••${email.slice(at)}`
}

/** The methods (RFC 8176) that prove something else than the mailbox. A sign-in without any of them began with a mailed code or link. */
const otherThanMail = ["pop", "sms"]

/** For how long a password that a mailed link has set counts as a proof of the mailbox. The owner has got a notice of it. */
const waitAfterReset = Duration.hours(72)

/**
 * Whether a code by this method is a second factor after these methods: a mailed code never counts after a mailed code or link, nor soon
 * after a password was set by a mailed link.
 */
const countsAfter = ({ password_mailed_at }: Row<typeof EmailFactors>, proved: string | null, now: DateTime.Utc) => {
  const methods = proved?.split(" ") ?? []
  if (methods.some((method) => otherThanMail.includes(method))) return true
  if (!methods.includes("pwd")) return false
  return password_mailed_at === null || DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(password_mailed_at, waitAfterReset))
}

/** Whether the user can complete a sign-in, of which these methods are proved, by a sent code. */
export const isUsable = Effect.fnUntraced(function* isUsable(method: SentMethod, user: StoredUser, proved: string | null) {
  if (Option.isNone(recipientOf(method, user))) return false
  const now = yield* DateTime.now
  return Option.exists(yield* factorOf(method, user.id), ({ row }) => countsAfter(row, proved, now))
})
