import { DateTime, Effect, Option, Schema } from "effect"
import type { StoredUser } from "../../../../domain/users/user.ts"
import type { TwoFactorSettings } from "../settings.ts"
import { byMail } from "./by-mail.ts"
import { bySms } from "./by-sms.ts"
import type { Channel } from "./channel.ts"
import { factorOf } from "./tables.ts"

/** How codes are sent. */
export const sentMethods = ["email", "sms"] as const
export const SentMethod = Schema.Literals(sentMethods).annotate({ identifier: "TwoFactorSentMethod" })
export type SentMethod = typeof SentMethod.Type

export const channels: Readonly<Record<SentMethod, Channel>> = { email: byMail, sms: bySms }

/** The methods with sent codes that the service offers. */
export const offeredBy = ({ methods }: Pick<TwoFactorSettings, "methods">) => sentMethods.filter((method) => methods.includes(method))

/** Whether a user has turned a method on. */
export const isOn = (method: SentMethod, user_id: string) => Effect.map(factorOf(method, user_id), Option.isSome)

/** The methods as a pending sign-in or a session stores them. */
const methodsIn = (proved: string | null) => proved?.split(" ") ?? []

/** Whether the user can complete a sign-in, of which these methods are proved, by a sent code. */
export const isUsable = Effect.fnUntraced(function* isUsable(method: SentMethod, user: StoredUser, proved: string | null) {
  const { countsAfter, recipientOf } = channels[method]
  if (!(yield* countsAfter(user.id, methodsIn(proved), yield* DateTime.now))) return false
  return Option.isSome(yield* recipientOf(user))
})

/** Where the codes of a user go, masked; null without a verified address or number. */
export const maskedRecipient = (method: SentMethod, user: StoredUser) =>
  Effect.map(channels[method].recipientOf(user), (recipient) => Option.getOrNull(Option.map(recipient, ({ masked }) => masked)))
