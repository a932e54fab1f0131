import { Effect, Option } from "effect"
import { current } from "../sessions/sessions.ts"
import { Settings } from "../settings.ts"
import { isKnownBrowser } from "./known-device.ts"
import { type Budget, consume, consumeNetwork } from "./limits.ts"

// Budgets of messages to addresses and numbers that callers choose. Known and unknown recipients have the same answers.

/** The channel of a message, which is also the name of its budget for one client network. */
type Channel = "mail" | "sms"

interface Requested {
  readonly channel: Channel
  /** Each purpose has its own budget for each recipient, so that requested codes do not block the password reset. */
  readonly purpose: string
  /** The name that all spellings of the recipient share. */
  readonly to: string
  /** The id of the user who proved this address or number. */
  readonly owner?: Option.Option<string>
}

/** Counts a message that the caller requests, by the caller's network and by its recipient. Fails with `rate_limited`. */
export const countMessage = Effect.fnUntraced(function* countMessage({ channel, purpose, to, owner = Option.none() }: Requested) {
  if (!(yield* Settings).rate_limit.enabled) return
  // The network is counted first: a caller whose network is refused must not use up the budget of a recipient.
  if (!(yield* isRecognized(owner))) yield* consumeNetwork(channel)
  yield* consume("messages", `${purpose} ${to}`)
})

/**
 * Counts a notice; false if the budget of its recipient is used up, and it must not be sent. The network is not counted: otherwise an
 * attacker with a stolen session could use up its budget, and then make changes without notices.
 */
export const mayNotify = (recipient: string) => isWithin("messages", `notice ${recipient}`)

/** The same for notices of sign-ins, which must not use up the budget of those of changes. */
export const mayNotifyOfSignIn = (recipient: string) => isWithin("messages", `sign_in_notice ${recipient}`)

/**
 * Whether the caller is signed in as the recipient, or uses a browser in which the recipient signed in before. Other clients of their
 * network then cannot lock them out.
 */
const isRecognized = Effect.fnUntraced(function* isRecognized(owner: Option.Option<string>) {
  if (Option.isNone(owner)) return false
  const caller = yield* current
  if (Option.isSome(caller) && caller.value.user.id === owner.value) return true
  return yield* isKnownBrowser(owner.value)
})

/** The recipients that share a budget of the whole service. Messages that will be discarded are counted so that they take as long. */
type Group = "known" | "unknown" | "discarded"

/** A recipient of a requested message. */
export interface RequestedRecipient {
  /** Null for a message that is discarded. */
  readonly to: string | null
  /** Whether the recipient proved this address or number before. */
  readonly isKnown: boolean
}

/**
 * Whether the budgets of the whole service have room for a message. The caller does not learn the answer, since it depends on whether the
 * recipient is known. Recipients of both kinds have budgets of their own: otherwise an attacker with many networks could lock out all
 * users by messages to unknown numbers. The message counts only where the budgets before it had room: otherwise messages to one country
 * would use up the total. The others are counted as well, so that a refusal takes as long.
 */
const hasRoom = Effect.fnUntraced(function* hasRoom(
  { to, isKnown }: RequestedRecipient,
  budgets: ReadonlyArray<readonly [Budget, string]>,
) {
  let group: Group = to === null ? "discarded" : isKnown ? "known" : "unknown"
  for (const [budget, owner] of budgets) if (!(yield* isWithin(budget, `${group} ${owner}`))) group = "discarded"
  return group !== "discarded"
})

const isWithin = (budget: Budget, owner: string) =>
  consume(budget, owner).pipe(
    Effect.as(true),
    Effect.catchTag("rate_limited", () => Effect.succeed(false)),
  )

/** Whether the service may send a requested mail. */
export const hasRoomForMail = (recipient: RequestedRecipient) => hasRoom(recipient, [["mail_total", "all"]])

/** Whether the service may send a short message to a number of this country. */
export const hasRoomForSms = (recipient: RequestedRecipient, country: string) =>
  hasRoom(recipient, [
    ["sms_country", country],
    ["sms_total", "all"],
  ])
