import { Effect } from "effect"
import type { Key } from "../texts/texts.ts"
import { Visit } from "./page.ts"
import type { SentMethod } from "./sign-in/sent-methods.ts"

/** The texts about codes of each method. */
export const sentTexts = {
  email: { ask: "factor_code.text", use: "factor_code.use", send: "step_up.send", sent: "code.sent_by_email" },
  sms: { ask: "factor_code.sms_text", use: "factor_code.use_sms", send: "sign_in.phone_code", sent: "code.sent_by_phone" },
} as const satisfies Readonly<Record<SentMethod, Readonly<Record<string, Key>>>>

/** Sends a code to the signed-in user, for a change of the account or a step-up, and notes that it was sent. */
export const sendOwnCode = Effect.fnUntraced(function* sendOwnCode(method: SentMethod) {
  const { call, session, setFlow } = yield* Visit
  yield* call("twoFactorCodesSend", { method })
  if (session !== null) setFlow({ sent_code: { user_id: session.user.id, method } })
})

/** Whether a code was sent to the signed-in user by this method. */
export const isOwnCodeSent = (method: SentMethod) =>
  Effect.map(Visit, ({ flow, session }) => {
    const { sent_code } = flow()
    return sent_code?.method === method && sent_code.user_id === session?.user.id
  })

/** How users can have codes sent; empty where the service sends none. */
export const ownCodes = Effect.gen(function* () {
  const { call, has } = yield* Visit
  return has("twoFactorCodesStatus") ? (yield* call("twoFactorCodesStatus")).methods : []
})
