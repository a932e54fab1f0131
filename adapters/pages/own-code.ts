import { Effect } from "effect"
import { Visit } from "./page.ts"

/** Mails a code to the signed-in user, for a change of the account or a step-up, and notes that it was mailed. */
export const mailOwnCode = Effect.gen(function* () {
  const { call, session, setFlow } = yield* Visit
  yield* call("twoFactorCodesSend", { method: "email" })
  setFlow({ mailed_code: session?.user.id })
})
