import { Duration, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { administeredUser } from "../../../domain/administration/reach.ts"
import { AddressNotAllowed, EmailNotVerified, Forbidden, InvalidOtp, UserNotFound } from "../../../domain/errors.ts"
import * as Codes from "../../../domain/limits/codes.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { codeSms, localeOf } from "../../../domain/mail/writing.ts"
import {
  commitOrConflict,
  find,
  insert,
  remove,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../domain/ports/store.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { current, rereadSession } from "../../../domain/sessions/sessions.ts"
import { ownGuest, upgradeGuestByAccount } from "../../../domain/sign-in/guests.ts"
import {
  accountsOf,
  mayProve,
  newAccount,
  requireNoFactor,
  requireRoom,
  signInByAccount,
  syntheticAddress,
} from "../../../domain/sign-in/linked-accounts.ts"
import { refuseGuest } from "../../../domain/sign-in/verification.ts"
import { isAdmitted, noneIfNotAdmitted } from "../../../domain/users/admission.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { isTestCode, testCode } from "../../../domain/users/test-users.ts"
import { type StoredUser, User, unknownUserId } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { fresh } from "../../service/guards.ts"
import * as Module from "../../service/module.ts"
import { mails, phoneChanged, phoneLinked } from "./emails.ts"
import * as Errors from "./errors.ts"
import { type AcceptedNumber, holderOf, numberOf, Phone, provider_id } from "./number.ts"
import { PhoneSettings } from "./settings.ts"

export { Phone, provider_id } from "./number.ts"

export const PhoneCodes = Codes.table("phone_code")

/** The domain of synthetic addresses for users who signed up with a phone number only. */
export const domain = "phone.service"

/** The id of the user who has this number. */
const ownerOf = (number: string) => holderOf(number).pipe(Effect.map(Option.map(({ user_id }) => user_id)))

/** A number as a sign-in name, for which its attempts are counted. */
const namedBy = ({ e164, stored }: AcceptedNumber) => ({ kind: "phone" as const, name: e164, owner: ownerOf(stored) })

/** The user of an account. Unknown numbers cause the same read, so that the response time does not reveal them. */
const userOf = (user_id: Option.Option<string>) => find(Users, { id: Option.getOrElse(user_id, () => unknownUserId) })

const Redemption = Schema.Struct({ phone: Phone, otp: Schema.String })

const sendOtp = (settings: PhoneSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/send-otp",
    summary: "Sends a code by SMS, to sign in or to link the number.",
    access: "public",
    input: Schema.Struct({ phone: Phone }),
    output: Endpoint.Success,
    handler: Effect.fnUntraced(function* phoneSendOtp({ phone }) {
      const { stored, to, e164, country } = yield* numberOf(settings, phone)
      const owner = yield* ownerOf(stored)
      yield* countMessage({ channel: "sms", purpose: "phone_code", to: e164, owner })
      const user = yield* userOf(owner)
      const test = yield* testCode(stored, user)
      const { code, expires_at, write } = yield* Codes.newCode(PhoneCodes, stored, settings, test)
      const text = phrase("sms.code", { duration: Duration.seconds(settings.ttl) })
      const isKnown = Option.isSome(owner)
      const isAwaited = (yield* isAdmitted(syntheticAddress(stored, domain))) && !settings.disable_signup
      const isUsable = isKnown || isAwaited || Option.isSome(yield* current)
      const recipient = { to: isUsable && test === undefined ? to : null, isKnown, country, locale: localeOf(user), expiresAt: expires_at }
      const message = yield* codeSms(recipient, code, text)
      yield* (yield* Store).commit([write, message]).pipe(Effect.orDie)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

const verify = (settings: PhoneSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/verify",
    summary: "Links a number to the user and replaces their previous one.",
    ...fresh,
    input: Redemption,
    output: Endpoint.Success,
    errors: [InvalidOtp, Errors.PhoneTaken, EmailNotVerified],
    handler: Effect.fnUntraced(function* phoneVerify({ phone, otp }) {
      const number = yield* numberOf(settings, phone)
      const redeemed = Codes.redeem(PhoneCodes, settings, number.stored, otp, namedBy(number))
      const is_test = yield* isTestCode(number.stored, otp)
      yield* redeemed((proof) => link(number.stored, proof, is_test))
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

/** Links the number to the user of the session. None for the code of a test user, if the user is another one. */
const link = Effect.fnUntraced(function* link(phone: string, proof: Write, is_test: boolean) {
  const { user } = yield* rereadSession
  if (!mayProve(user.row, { is_test })) return Option.none()
  return Option.some(yield* commitOrConflict([proof, ...(yield* numberWrites(user, phone))]))
})

/**
 * The writes that link a number to a user. They write the user, so that of two concurrent requests the second replaces the number of the
 * first.
 */
const numberWrites = Effect.fnUntraced(function* numberWrites(user: Versioned<StoredUser>, phone: string) {
  yield* refuseGuest(user.row)
  const holder = yield* holderOf(phone)
  if (Option.isSome(holder) && holder.value.user_id !== user.row.id) return yield* new Errors.PhoneTaken()
  if (Option.isSome(holder)) return []

  const accounts = yield* accountsOf(user.row.id)
  const removals = accounts.filter((account) => account.provider_id === provider_id).map(({ id }) => remove(Accounts, id))
  yield* requireRoom(accounts.length - removals.length)
  const account = insert(Accounts, yield* newAccount(user.row.id, { provider_id, account_id: phone }))
  const mails = yield* notices(user.row, () => (removals.length > 0 ? phoneChanged : phoneLinked))
  return [update(Users, user, {}), ...removals, account, ...mails]
})

/** Makes the guest of the session a full user with this number. None for the code of a test user. */
const upgradedBy = Effect.fnUntraced(function* upgradedByPhone(account_id: string, proof: Write, is_test: boolean) {
  const own = yield* ownGuest
  if (!mayProve(own.user.row, { is_test })) return Option.none()
  if (Option.isSome(yield* holderOf(account_id))) return yield* new Errors.PhoneTaken()
  const addressOf = (local: string) => syntheticAddress(local, domain)
  return Option.some(yield* upgradeGuestByAccount(own, { provider_id, account_id }, addressOf, [proof]))
})

const upgradeGuest = (settings: PhoneSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/phone/upgrade-guest",
    summary: "Makes a guest a full user with the same id, by a code sent by SMS. Opens a new session, and ends the others.",
    access: "session",
    signsIn: "registration",
    methods: ["sms"],
    input: Redemption,
    output: Schema.Struct({ user: User }),
    errors: [Forbidden, InvalidOtp, Errors.PhoneTaken, AddressNotAllowed],
    handler: Effect.fnUntraced(function* phoneUpgradeGuest({ phone, otp }) {
      yield* ownGuest
      const number = yield* numberOf(settings, phone)
      const is_test = yield* isTestCode(number.stored, otp)
      const redeemed = Codes.redeem(PhoneCodes, settings, number.stored, otp, namedBy(number))
      const issued = yield* redeemed((proof) => upgradedBy(number.stored, proof, is_test))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

const adminSetPhone = (settings: PhoneSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/set-phone",
    summary: "Gives a user a phone number, with which they can sign in.",
    access: { permission: "users:credentials" },
    input: Schema.Struct({ user_id: Schema.String, phone: Phone }),
    output: Endpoint.Success,
    errors: [UserNotFound, Errors.PhoneTaken, EmailNotVerified],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminSetPhone({ user_id, phone }) {
      const { stored } = yield* numberOf(settings, phone)
      const user = yield* administeredUser(user_id)
      yield* requireNoFactor(user_id, [provider_id])
      yield* commitOrConflict([...(yield* ofPrincipal(user.row)), ...(yield* numberWrites(user, stored))])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

const signIn = (settings: PhoneSettings) =>
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
      const number = yield* numberOf(settings, phone)
      const proven = { provider_id, account_id: number.stored, domain }
      const newcomer = { name: null, disable_signup: settings.disable_signup, is_test: yield* isTestCode(number.stored, otp) }
      const redeemed = Codes.redeem(PhoneCodes, settings, number.stored, otp, namedBy(number))
      const issued = yield* redeemed((proof) => signInByAccount(proven, [proof], newcomer).pipe(Effect.catchTags(noneIfNotAdmitted)))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Links phone numbers to users and signs them in with codes by SMS. */
export const phone = Module.define({
  name: "phone",
  errors: Object.values(Errors),
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: PhoneSettings,
  faults: ({ countries, default_country }, { sms }) => [
    ...(sms?.kind === "none" ? [{ path: [], wanted: 'an sms.kind other than "none", since codes are sent by SMS' }] : []),
    ...(countries !== undefined && default_country !== undefined && !countries.includes(default_country)
      ? [{ path: ["default_country"], wanted: "a country of `countries`" }]
      : []),
  ],
  parts: (settings) => ({
    tables: [PhoneCodes],
    endpoints: [sendOtp(settings), verify(settings), signIn(settings), upgradeGuest(settings), adminSetPhone(settings)],
    accountKinds: [{ provider_id, label: phrase("mail.credential.phone"), isFactor: false }],
    textedNumbers: [(stored: string) => Effect.option(numberOf(settings, stored))],
  }),
})
