import { Duration, Effect, Option } from "effect"
import { countMessage } from "../../../../domain/limits/messages.ts"
import { codeSms } from "../../../../domain/mail/writing.ts"
import { Policies } from "../../../../domain/policies.ts"
import { put } from "../../../../domain/ports/store.ts"
import { phrase } from "../../../../domain/ports/texts.ts"
import { accountsOf } from "../../../../domain/sign-in/linked-accounts.ts"
import { phoneProvider } from "../../../../domain/users/credential-account.ts"
import { testCode } from "../../../../domain/users/test-users.ts"
import type { Channel } from "./channel.ts"
import { factorOf, SmsFactors } from "./tables.ts"

/** The last two digits. */
const masked = (e164: string) => `•••${e164.slice(-2)}`

/** The methods (RFC 8176) that prove something else than the phone. */
const otherThanPhone = ["pwd", "otp", "pop"]

/** Codes to the linked phone number. They never count after a code by SMS, nor after a sign-in whose methods are not known. */
export const bySms: Channel = {
  proves: "sms",
  recipientOf: Effect.fnUntraced(function* numberOfUser(user) {
    const linked = (yield* accountsOf(user.id)).find(({ provider_id }) => provider_id === phoneProvider)
    if (linked === undefined) return Option.none()
    const number = yield* (yield* Policies).textedNumber(linked.account_id)
    return Option.map(number, ({ e164, ...texted }) => ({
      name: linked.account_id,
      masked: masked(e164),
      count: (purpose) => countMessage({ channel: "sms", purpose, to: e164, owner: Option.some(user.id) }),
      message: Effect.fnUntraced(function* codeBySms(code, expiresAt, ttl) {
        const isTest = (yield* testCode(linked.account_id, Option.some(user))) !== undefined
        const recipient = { ...texted, to: isTest ? null : texted.to, isKnown: true, locale: user.locale, expiresAt }
        return yield* codeSms(recipient, code, phrase("sms.code", { duration: Duration.seconds(ttl) }))
      }),
    }))
  }),
  countsAfter: Effect.fnUntraced(function* smsCountsAfter(user_id, methods) {
    if (methods.includes("sms") || !methods.some((method) => otherThanPhone.includes(method))) return false
    return Option.isSome(yield* factorOf("sms", user_id))
  }),
  otherWays: ["credential", "siwe"],
  turnedOn: (factor) => put(SmsFactors, factor),
  notices: { on: "smsEnabled", off: "smsDisabled" },
}
