import { Effect, Schema } from "effect"
import { AddressNotAllowed, EmailTaken, Forbidden, InvalidOtp } from "../../../domain/errors.ts"
import * as Codes from "../../../domain/limits/codes.ts"
import { mailGuest, ownGuest, upgradeGuest } from "../../../domain/sign-in/guests.ts"
import { byEmail } from "../../../domain/users/sign-in-name.ts"
import { User } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { codeMessage } from "./emails.ts"

export const GuestCodes = Codes.table("guest_code")

const settings: Codes.CodeSettings = { length: 6, ttl: 300, max_attempts: 3, disable_signup: false }

/** A code counts only for the guest who requested it. */
const recipientOf = (user_id: string, email: string) => `${user_id} ${email}`

export const guestSendCode = Endpoint.make({
  method: "POST",
  path: "/guest/send-code",
  summary: "Mails a guest a code that proves an address. The response is the same for a taken address.",
  access: "session",
  input: Schema.Struct({ email: Email }),
  output: Endpoint.Success,
  errors: [Forbidden, AddressNotAllowed],
  handler: Effect.fnUntraced(function* guestSendCode({ email }) {
    yield* mailGuest(email, "guest_code", ({ id }) =>
      Effect.map(Codes.newCode(GuestCodes, recipientOf(id, email), settings), ({ code, ...issued }) => ({
        ...issued,
        message: codeMessage(code, settings.ttl),
      })),
    )
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

export const guestUpgrade = Endpoint.make({
  method: "POST",
  path: "/guest/upgrade",
  summary: "Makes a guest a full user with the same id, by a mailed code. Opens a new session, and ends the others.",
  access: "session",
  signsIn: "registration",
  methods: ["otp"],
  input: Schema.Struct({ email: Email, otp: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [Forbidden, InvalidOtp, EmailTaken, AddressNotAllowed],
  handler: Effect.fnUntraced(function* guestUpgrade({ email, otp }) {
    const { user } = yield* ownGuest
    const redeemed = Codes.redeem(GuestCodes, settings, recipientOf(user.row.id, email), otp, byEmail(email))
    const issued = yield* redeemed((proof) => Effect.asSome(Effect.flatMap(ownGuest, (own) => upgradeGuest(own, email, [proof]))))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})
