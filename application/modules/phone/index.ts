import { Duration, Effect, Option, Schema } from "effect"
import { InvalidOtp, PhoneTaken } from "../../../domain/errors.ts"
import { countMessage } from "../../../domain/limits/limits.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { codeSms, localeOf } from "../../../domain/mail/writing.ts"
import type { Write } from "../../../domain/ports/store.ts"
import { conflictIfTaken, find, insert, remove, Store, update } from "../../../domain/ports/store.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import * as Codes from "../../../domain/sign-in/codes.ts"
import { accountsOf, newAccount, requireRoom, signInByAccount } from "../../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../../domain/storage/tables.ts"
import { User, unknownUserId } from "../../../domain/users/user.ts"
import { Text } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { fresh } from "../../service/guards.ts"
import * as Module from "../../service/module.ts"
import { phoneChanged, phoneLinked } from "./emails.ts"

export const PhoneCodes = Codes.table("phone_code")

/** `provider_id` of the account that links a verified phone number to a user; its `account_id` is the number. */
export const provider_id = "phone"

/** The domain of synthetic addresses for users who signed up with a phone number only. */
export const domain = "phone.service"

/** A number as the user typed it. Numbers have at most 15 digits (ITU-T E.164); the limit leaves room for separators. */
export const Phone = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(64))

/** The common form of all spellings of a number, so that they share the same budgets. */
const dialled = (phone: string) =>
  phone
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()

const holderOf = (phone: string) => find(Accounts, { provider_id, account_id: phone })

/** A number as a sign-in name, for which its attempts are counted. */
const namedBy = (phone: string) => ({
  kind: "phone" as const,
  name: dialled(phone),
  owner: Effect.map(
    holderOf(phone),
    Option.map(({ user_id }) => user_id),
  ),
})

/** The language of the user with this number. Unknown numbers cause the same reads, so that the response time does not reveal them. */
const holdersLocale = Effect.fnUntraced(function* holdersLocale(phone: string) {
  const account = yield* holderOf(phone)
  const id = Option.match(account, { onNone: () => unknownUserId, onSome: ({ user_id }) => user_id })
  return localeOf(yield* find(Users, { id }))
})

const Redemption = Schema.Struct({ phone: Phone, otp: Schema.String })

const sendOtp = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/send-otp",
    summary: "Sends a code by SMS, to sign in or to link the number.",
    access: "public",
    input: Schema.Struct({ phone: Phone }),
    output: Success,
    handler: Effect.fnUntraced(function* phoneSendOtp({ phone }) {
      yield* countMessage("phone_code", dialled(phone))
      const { code, expires_at, write } = yield* Codes.newCode(PhoneCodes, phone, settings)
      const text = phrase("sms.code", { duration: Duration.seconds(settings.ttl) })
      const message = yield* codeSms({ to: phone, locale: yield* holdersLocale(phone), expiresAt: expires_at }, code, text)
      yield* (yield* Store).commit([write, message]).pipe(Effect.orDie)
      return Endpoint.reply(succeeded)
    }),
  })

const verify = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/verify",
    summary: "Links a number to the user and replaces their previous one.",
    ...fresh,
    input: Redemption,
    output: Success,
    errors: [InvalidOtp, PhoneTaken],
    handler: Effect.fnUntraced(function* phoneVerify({ phone, otp }) {
      yield* Codes.redeem(PhoneCodes, settings, phone, otp, namedBy(phone))((proof) => Effect.asSome(link(phone, proof)))
      return Endpoint.reply(succeeded)
    }),
  })

/**
 * Links the number to the user. The commit writes the user, so that of two concurrent requests the second replaces the number of the first.
 */
const link = Effect.fnUntraced(function* link(phone: string, proof: Write) {
  const store = yield* Store
  const { user } = yield* rereadSession
  const holder = yield* holderOf(phone)
  if (Option.isSome(holder) && holder.value.user_id !== user.row.id) return yield* new PhoneTaken()
  if (Option.isSome(holder)) return yield* store.commit([proof])

  const accounts = yield* accountsOf(user.row.id)
  const removals = accounts.filter((account) => account.provider_id === provider_id).map(({ id }) => remove(Accounts, id))
  yield* requireRoom(accounts.length - removals.length)
  const account = insert(Accounts, yield* newAccount(user.row.id, { provider_id, account_id: phone }))
  const mails = yield* notices(user.row, () => (removals.length > 0 ? phoneChanged : phoneLinked))
  yield* store.commit([proof, update(Users, user, {}), ...removals, account, ...mails]).pipe(conflictIfTaken)
})

const signIn = (settings: Codes.CodeSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/phone",
    summary: "Signs in with a code sent by SMS, and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    methods: ["sms"],
    input: Redemption,
    output: Schema.Struct({ user: User }),
    errors: [InvalidOtp],
    handler: Effect.fnUntraced(function* phoneSignIn({ phone, otp }) {
      const proven = { provider_id, account_id: phone, domain }
      const newcomer = { name: null, disable_signup: settings.disable_signup }
      const redeemed = Codes.redeem(PhoneCodes, settings, phone, otp, namedBy(phone))
      const issued = yield* redeemed((proof) => signInByAccount(proven, [proof], newcomer))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Links phone numbers to users and signs them in with codes by SMS. */
export const phone = Module.define({
  name: "phone",
  settings: Codes.CodeSettings,
  faults: (_, { sms }) =>
    sms?.kind === "none" ? [{ path: [], wanted: 'an sms.kind other than "none", since codes are sent by SMS' }] : [],
  parts: (settings) => ({
    tables: [PhoneCodes],
    endpoints: [sendOtp(settings), verify(settings), signIn(settings)],
    accountKinds: [{ provider_id, label: phrase("mail.credential.phone"), isFactor: false }],
  }),
})
