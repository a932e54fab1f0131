import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import type { Flow } from "../flow.ts"
import { field, Visit } from "../page.ts"
import { TooSoon } from "../problems.ts"
import { startAgain } from "./complete.ts"

type Sent = NonNullable<Flow["sent"]>

/** Seconds until the page offers to send a message again. */
const pause = 30

/** How a message is sent, and the page that waits for it. */
const messages = {
  email_code: { endpoint: "emailOtpSend", member: "email", page: "/sign-in/code" },
  phone_code: { endpoint: "phoneSendOtp", member: "phone", page: "/sign-in/code" },
  magic_link: { endpoint: "magicLinkSend", member: "email", page: "/sign-in/link-sent", hasCode: true },
  verify: { endpoint: "sendVerificationEmail", member: "email", page: "/verify-email/sent", hasCode: true },
  reset: { endpoint: "requestPasswordReset", member: "email", page: "/forgot-password/sent" },
  change_email: { endpoint: "changeEmail", member: "new_email", page: "/account/email/sent" },
  link_phone: { endpoint: "phoneSendOtp", member: "phone", page: "/account/phone/code" },
  step_up: { endpoint: "emailOtpSend", member: "email", page: "/step-up" },
} as const satisfies Readonly<Record<Sent["purpose"], unknown>>

const now = Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (milliseconds) => Math.floor(milliseconds / 1000)))

/** A new secret for the code beside a mailed link. */
export const newSecret = () => randomBytes(32).toString("base64url")

/** Stores that a message was sent, for the page that waits for it. `secret`: that of the code in the message. */
export const remember = Effect.fnUntraced(function* rememberMessage(purpose: Sent["purpose"], to: string, secret?: string) {
  const { setFlow, view } = yield* Visit
  setFlow({ sent: { purpose, to, again_at: (yield* now) + pause, ...(secret === undefined ? {} : { secret }) } })
  return { to: view.href(messages[purpose].page) }
})

/** The last message, if it was sent for this purpose; null otherwise. */
export const lastSent = (purpose: Sent["purpose"]) =>
  Effect.map(Visit, ({ flow }) => {
    const { sent } = flow()
    return sent?.purpose === purpose ? sent : null
  })

/** Where the last message went, if it was sent for this purpose; null otherwise. */
export const sentFor = (purpose: Sent["purpose"]) => Effect.map(lastSent(purpose), (sent) => sent?.to ?? null)

/** Seconds until the last message can be sent again; 0 if it can be sent now. */
export const secondsToAgain = Effect.gen(function* () {
  const { flow } = yield* Visit
  return Math.max(0, (flow().sent?.again_at ?? 0) - (yield* now))
})

/** Sends a message to this address, and redirects to the page that waits for it. */
export const send = Effect.fnUntraced(function* sendMessage(purpose: Sent["purpose"], to: string) {
  const { call } = yield* Visit
  const message = messages[purpose]
  if ("hasCode" in message) {
    const flow = newSecret()
    yield* call(message.endpoint, { email: to, flow })
    return yield* remember(purpose, to, flow)
  }
  if (message.member === "email") yield* call(message.endpoint, { email: to })
  else if (message.member === "phone") yield* call(message.endpoint, { phone: to })
  else yield* call(message.endpoint, { new_email: to })
  return yield* remember(purpose, to)
})

/**
 * One spelling of a number for all spellings that people enter. The service compares numbers as they are, so that another spelling would
 * be another account.
 */
export const phoneNumber = (entered: string) => {
  const number = entered.replace(/[\s().\p{Pd}]/gu, "")
  return /^\+?\d{4,19}$/.test(number) ? Effect.succeed(number) : Effect.fail(invalidMember("phone", "expected a number"))
}

/** The same with the address of a field, which later pages suggest. */
export const sendTo = (purpose: Sent["purpose"], name: "identifier" | "email") =>
  Effect.gen(function* () {
    const { form, setFlow } = yield* Visit
    const entered = field(form, name).trim()
    const to = messages[purpose].member === "phone" ? yield* phoneNumber(entered) : entered
    const shown = yield* send(purpose, to)
    setFlow({ identifier: to })
    return shown
  })

/** Sends the last message again, after a pause. */
export const sendAgain = Effect.gen(function* () {
  const { flow, setFlow } = yield* Visit
  const { sent } = flow()
  if (sent === undefined) return yield* startAgain
  const seconds = sent.again_at - (yield* now)
  if (seconds > 0) return yield* new TooSoon({ retryAfter: seconds })
  const shown = yield* send(sent.purpose, sent.to)
  setFlow({ notice: "sent.again" })
  return shown
})
