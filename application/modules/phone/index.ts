import { Effect, Option, Schema } from "effect"
import { InvalidOtp, InvalidRequest, PhoneTaken, SessionNotFresh } from "../../../domain/errors.ts"
import { countMessage } from "../../../domain/limits/limits.ts"
import * as Emails from "../../../domain/mail/emails.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { Outbox } from "../../../domain/mail/outbox.ts"
import type { Write } from "../../../domain/ports/store.ts"
import { conflictIfTaken, find, insert, remove, Store, update } from "../../../domain/ports/store.ts"
import { requireFresh, rereadSession } from "../../../domain/sessions/sessions.ts"
import * as Codes from "../../../domain/sign-in/codes.ts"
import { accountsOf, newAccount, requireRoom, signInByAccount } from "../../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../../domain/storage/tables.ts"
import { User } from "../../../domain/users/user.ts"
import { Text } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

export const PhoneCodes = Codes.table("phone_code")

/** `provider_id` of the account that says whose a number is; its `account_id` is the number. Only who has proved to have it has one. */
const provider_id = "phone"

/** The domain of the addresses of users who came with nothing but a phone. */
const domain = "phone.service"

/** A number as it was typed. The longest in the world has 15 digits (ITU-T E.164); the rest is room for how people write it. */
const Phone = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(64))

/** What every spelling of a number has in common: the budgets are the telephone's, however it is written. */
const dialled = (phone: string) =>
  phone
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()

const holderOf = (phone: string) => find(Accounts, { provider_id, account_id: phone })

/** A number as the name of a sign-in, for its budgets. */
const namedBy = (phone: string) => ({
  name: dialled(phone),
  owner: Effect.map(
    holderOf(phone),
    Option.map(({ user_id }) => user_id),
  ),
})

const Redemption = Schema.Struct({ phone: Phone, otp: Schema.String })

const sendOtp = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/send-otp",
    summary: "Sends a code by short message, to sign in with or to link the number.",
    access: "public",
    input: Schema.Struct({ phone: Phone }),
    output: Success,
    errors: [InvalidRequest],
    handler: Effect.fn("phone.sendOtp")(function* ({ phone }) {
      yield* countMessage("phone_code", dialled(phone))
      const { code, expires_at, write } = yield* Codes.newCode(PhoneCodes, phone, settings)
      const text = `${code} is your code. It is valid for ${Emails.span(settings.ttl)}. Give it to nobody, whoever asks.`
      const message = yield* (yield* Outbox).sms({ to: phone, text, expiresAt: expires_at })
      yield* (yield* Store).commit([write, message]).pipe(Effect.orDie)
      return Endpoint.reply(succeeded)
    }),
  })

const verify = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/verify",
    summary: "Links a number to the user, in the place of the one they had.",
    access: "session",
    input: Redemption,
    output: Success,
    errors: [InvalidRequest, InvalidOtp, PhoneTaken, SessionNotFresh],
    handler: Effect.fn("phone.verify")(function* ({ phone, otp }) {
      yield* requireFresh
      yield* Codes.redeem(PhoneCodes, settings, phone, otp, namedBy(phone))((proof) => Effect.asSome(link(phone, proof)))
      return Endpoint.reply(succeeded)
    }),
  })

/** Writes the user, so that of two numbers that are linked at once the second replaces the first. */
const link = Effect.fnUntraced(function* link(phone: string, proof: Write) {
  const store = yield* Store
  const { user } = yield* rereadSession
  const holder = yield* holderOf(phone)
  if (Option.isSome(holder) && holder.value.user_id !== user.row.id) return yield* new PhoneTaken()
  if (Option.isSome(holder)) return yield* store.commit([proof])

  const accounts = yield* accountsOf(user.row.id)
  const former = accounts.filter((account) => account.provider_id === provider_id).map(({ id }) => remove(Accounts, id))
  yield* requireRoom(accounts.length - former.length)
  const account = insert(Accounts, yield* newAccount(user.row.id, { provider_id, account_id: phone }))
  const told = yield* notices(user.row, () => (former.length > 0 ? phoneChanged : phoneLinked))
  yield* store.commit([proof, update(Users, user, {}), ...former, account, ...told]).pipe(conflictIfTaken)
})

// The notices do not name the number: the mailbox may be read by others now.

const phoneLinked = Emails.compose(undefined, (service) => ({
  subject: `A phone number was linked to your ${service} account`,
  paragraphs: [
    `A phone number was linked to your ${service} account: whoever has that phone can sign in.`,
    "If it was not you, remove it now and sign out all other devices.",
  ],
}))

const phoneChanged = Emails.compose(undefined, (service) => ({
  subject: `The phone number of your ${service} account was changed`,
  paragraphs: [
    `The phone number of your ${service} account was replaced by another one: whoever has that phone can sign in.`,
    "If it was not you, remove it now and sign out all other devices.",
  ],
}))

const signIn = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/phone",
    summary: "Signs in with a code sent by short message; whoever is new is signed up.",
    access: "public",
    signsIn: "single_factor",
    input: Redemption,
    output: Schema.Struct({ user: User }),
    errors: [InvalidRequest, InvalidOtp],
    handler: Effect.fn("phone.signIn")(function* ({ phone, otp }) {
      const proven = { provider_id, account_id: phone, domain }
      const newcomer = { name: null, disable_signup: settings.disable_signup }
      const redeemed = Codes.redeem(PhoneCodes, settings, phone, otp, namedBy(phone))
      const issued = yield* redeemed((proof) => signInByAccount(proven, [proof], newcomer))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Phone numbers: linked to users, and a way to sign in. */
export const phone = Module.define({
  name: "phone",
  settings: Codes.CodeSettings,
  faults: (_, { sms }) =>
    sms?.kind === "none" ? [{ path: [], wanted: 'another sms.kind than "none", since its codes are short messages' }] : [],
  parts: (settings) => ({
    tables: [PhoneCodes],
    endpoints: { phoneSendOtp: sendOtp(settings), phoneVerify: verify(settings), signInPhone: signIn(settings) },
    accountKinds: [{ provider_id, label: "phone number", isFactor: false }],
  }),
})
