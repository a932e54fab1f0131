import { Effect, Option, Schema } from "effect"
import { InvalidOtp } from "../../../domain/errors.ts"
import * as Codes from "../../../domain/limits/codes.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { recipientAt, requestedMail } from "../../../domain/mail/writing.ts"
import { find, remove, Store } from "../../../domain/ports/store.ts"
import { current } from "../../../domain/sessions/sessions.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { isAdmitted, noneIfNotAdmitted } from "../../../domain/users/admission.ts"
import { byEmail } from "../../../domain/users/sign-in-name.ts"
import { Users } from "../../../domain/users/tables.ts"
import { isTestCode, testCode } from "../../../domain/users/test-users.ts"
import { User, verifiedOwner } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import { codeMessage, mails } from "./emails.ts"
import { byMailedCode } from "./step-up.ts"

export const EmailCodes = Codes.table("email_code")

/** The codes that signed-in users requested for their own address. Wrong guesses of callers without a session do not invalidate them. */
const StepUpCodes = Codes.table("email_step_up_code")

/** Whether the caller has a session of the user with this address. */
const isOwn = (email: string) => Effect.map(current, (found) => Option.isSome(found) && found.value.user.email === email)

const send = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/email-otp/send",
    summary: "Mails a code to sign in with. The response is the same for an unknown address.",
    access: "public",
    input: Schema.Struct({ email: Email }),
    output: Endpoint.Success,
    handler: Effect.fnUntraced(function* emailOtpSend({ email }) {
      const own = yield* isOwn(email)
      // Messages that anonymous callers request must not use up the budget of the signed-in owner.
      const purpose = own ? "step_up_code" : "email_code"
      const user = yield* find(Users, { email })
      const owner = verifiedOwner(user)
      yield* countMessage({ channel: "mail", purpose, to: email, owner })
      const isAwaited = (yield* isAdmitted(email)) && !settings.disable_signup
      const isStranger = !isAwaited && Option.isNone(user)
      const { code, expires_at, write } = yield* Codes.newCode(EmailCodes, email, settings, yield* testCode(email, user))
      const recipient = { ...recipientAt(email, user, expires_at), to: isStranger ? null : email }
      const stepUp = own ? [yield* Codes.codeWrite(StepUpCodes, email, code, expires_at)] : []
      const message = yield* requestedMail(recipient, codeMessage(code, settings.ttl))
      yield* (yield* Store).commit([write, ...stepUp, message]).pipe(Effect.orDie)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

const signIn = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/email-otp",
    summary: "Signs in with a mailed code, and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    methods: ["otp"],
    input: Schema.Struct({ email: Email, otp: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidOtp],
    handler: Effect.fnUntraced(function* emailOtpSignIn({ email, otp }) {
      const newcomer = { name: null, disable_signup: settings.disable_signup, is_test: yield* isTestCode(email, otp) }
      const redeemed = Codes.redeem(EmailCodes, settings, email, otp, byEmail(email))
      const issued = yield* redeemed((proof) =>
        signInByVerifiedEmail(email, [proof, remove(StepUpCodes, email)], newcomer).pipe(Effect.catchTags(noneIfNotAdmitted)),
      )
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Sign-in without a password, by a code that is mailed. */
export const emailOtp = Module.define({
  name: "email_otp",
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Codes.CodeSettings,
  parts: (settings) => ({
    tables: [EmailCodes, StepUpCodes],
    endpoints: [send(settings), signIn(settings)],
    stepUps: { otp: byMailedCode(StepUpCodes, EmailCodes, settings) },
  }),
})
