import { DateTime, Effect, Option } from "effect"
import { hasRoomForMail, hasRoomForSms, type RequestedRecipient } from "../limits/messages.ts"
import { find, type Write } from "../ports/store.ts"
import { type Phrase, Texts } from "../ports/texts.ts"
import { Caller } from "../sessions/caller.ts"
import { Settings } from "../settings.ts"
import { Users } from "../users/tables.ts"
import { testCode } from "../users/test-users.ts"
import { type StoredUser, verifiedOwner } from "../users/user.ts"
import { browserName } from "../values/browser-name.ts"
import { compose } from "./composing.ts"
import type { Message } from "./message.ts"
import { Outbox } from "./outbox.ts"

/** The recipient of a mail. */
export interface Recipient {
  /** Null for a mail that is discarded (`Outbox.mail`). */
  readonly to: string | null
  /** The user's language. Null if the user has none or does not exist: then the language of the request decides. */
  readonly locale: string | null
  /** Expiry of the token in the mail. */
  readonly expiresAt?: DateTime.Utc
}

/**
 * The write that stores a mail in the language of its recipient, for the commit with the change that causes it. A mail to an address that a
 * caller chose is a `requestedMail`.
 */
export const mail = Effect.fnUntraced(function* writeMail({ locale, to, ...recipient }: Recipient, message: Message) {
  const { user_agent } = yield* Caller
  const { branding, links } = yield* Settings
  const language = yield* languageOf(locale)
  const text = compose(message, { language, branding, links, time: yield* DateTime.now, browser: browserName(user_agent) })
  return yield* (yield* Outbox).mail({ ...recipient, to: to === null || (yield* isTestUserAt(to)) ? null : to, ...text })
})

/** Whether the address is that of a test user, to whom nothing is sent. Users are read for addresses of the configuration only. */
const isTestUserAt = Effect.fnUntraced(function* isTestUserAt(email: string) {
  if ((yield* testCode(email, Option.none())) === undefined) return false
  return (yield* testCode(email, yield* find(Users, { email }))) !== undefined
})

/** The same for a mail to an address that a caller chose. It is discarded if the budget of the whole service is used up. */
export const requestedMail = Effect.fnUntraced(function* writeRequestedMail(
  { isKnown, ...recipient }: Recipient & RequestedRecipient,
  message: Message,
) {
  const hasRoom = yield* hasRoomForMail({ to: recipient.to, isKnown })
  return yield* mail(hasRoom ? recipient : { ...recipient, to: null }, message)
})

/** Writes a mail: `requestedMail` if the caller chose the address, `mail` if an operator or administrator did. */
export type WriteMail<R> = (recipient: Recipient & RequestedRecipient, message: Message) => Effect.Effect<Write, never, R>

interface SmsRecipient extends Recipient, RequestedRecipient {
  /** Where the number is (`PhoneNumber`). */
  readonly country: string
}

/**
 * The write that stores an SMS with a code. `text` gets the code and the name of the service as values. The SMS is discarded if a budget of
 * the whole service is used up.
 */
export const codeSms = Effect.fnUntraced(function* writeCodeSms(
  { to, isKnown, country, locale, ...recipient }: SmsRecipient,
  code: string,
  text: Phrase,
) {
  const hasRoom = yield* hasRoomForSms({ to, isKnown }, country)
  const { origin } = yield* Caller
  const { branding, public_url } = yield* Settings
  const language = yield* languageOf(locale)
  const written = language.text({ ...text, values: { ...text.values, code, service: branding.name } })
  const bound = origin === public_url ? `${written}\n\n${boundTo(public_url, code)}` : written
  return yield* (yield* Outbox).sms({ ...recipient, to: hasRoom ? to : null, text: bound })
})

/**
 * The last line of a code that was requested by a page of this origin. Browsers fill in the code only on this host
 * (https://wicg.github.io/sms-one-time-codes).
 */
const boundTo = (origin: string, code: string) => `@${new URL(origin).hostname} #${code}`

const languageOf = Effect.fnUntraced(function* languageOf(locale: string | null) {
  return yield* (yield* Texts).language([locale, (yield* Caller).accept_language])
})

/** The language of a user who may not exist. */
export const localeOf = (user: Option.Option<StoredUser>): string | null =>
  Option.match(user, { onNone: () => null, onSome: ({ locale }) => locale })

/** The recipient of a `requestedMail` to an address that may be that of a user. */
export const recipientAt = (to: string, user: Option.Option<StoredUser>, expiresAt: DateTime.Utc) => ({
  to,
  isKnown: Option.isSome(verifiedOwner(user)),
  locale: localeOf(user),
  expiresAt,
})
