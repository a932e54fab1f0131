import { DateTime, Effect, Option, Schema } from "effect"
import { AddressNotAllowed, EmailNotVerified, EmailTaken, InvalidOtp, InvalidToken } from "../../../domain/errors.ts"
import { codeOfFlow, optionalFlow, redeemFlowCode } from "../../../domain/limits/flow-codes.ts"
import { countMessage, mayNotify } from "../../../domain/limits/messages.ts"
import * as Emails from "../../../domain/mail/emails.ts"
import { link } from "../../../domain/mail/links.ts"
import { mailedToken, readMailedToken } from "../../../domain/mail/mailed-tokens.ts"
import { requestedMail } from "../../../domain/mail/writing.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, find, orFail, removeVersioned, retryOnConflict, Store, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Settings } from "../../../domain/settings.ts"
import { addressChangeWrites } from "../../../domain/sign-in/address-change.ts"
import { alreadyVerifiedMail, refuseGuest, VerificationCodes, verificationMail } from "../../../domain/sign-in/verification.ts"
import { isCaller, revokeUnverifiedCredentials, verificationWrites } from "../../../domain/sign-in/verified-email.ts"
import { addressRules, requireAllowed } from "../../../domain/users/address-rules.ts"
import { admitByLink } from "../../../domain/users/admission.ts"
import { type MailedToken, MailedTokens, Users } from "../../../domain/users/tables.ts"
import {
  changedAddressColumns,
  noticeAddresses,
  type StoredUser,
  User,
  unknownUserId,
  verifiedNewAddressColumns,
  verifiedOwner,
} from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { fresh } from "../../service/guards.ts"
import * as Module from "../../service/module.ts"
import { shownLink } from "../../service/shown-link.ts"

const sendVerificationEmail = Endpoint.make({
  method: "POST",
  path: "/send-verification-email",
  summary: "Mails a link to verify an address. The response is the same for an unknown or verified one.",
  access: "public",
  input: Schema.Struct({ email: Email, ...optionalFlow }),
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* emailVerificationSend({ email, flow }) {
    const found = yield* find(Users, { email })
    yield* countMessage({ channel: "mail", purpose: "verify_email", to: email, owner: verifiedOwner(found) })
    const user = Option.getOrNull(found)
    const writes =
      user?.email_verified === true
        ? yield* alreadyVerifiedMail(user, email, flow)
        : yield* verificationMail(user, email, requestedMail, flow)
    yield* (yield* Store).commit(writes).pipe(Effect.orDie)
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

/** The token of a mailed link that verifies an address or changes to one. */
const readToken = Effect.fnUntraced(function* readToken(token: string) {
  const verification = yield* readMailedToken("verify_email", token)
  if (Option.isSome(verification)) return verification.value
  return yield* orFail(readMailedToken("change_email", token), () => new InvalidToken())
})

const showLink = shownLink("/verify-email/show", "The address that a mailed link verifies. The token stays valid.", (token) =>
  Effect.map(readToken(token), ({ row }) => row.email),
)

const verifyEmail = Endpoint.make({
  method: "POST",
  path: "/verify-email",
  summary: "Verifies an address with the token of a mailed link, or changes to the address that the link was sent to.",
  access: "public",
  input: Schema.Struct({ token: Schema.String }),
  output: Endpoint.Success,
  errors: [InvalidToken, EmailTaken],
  handler: Effect.fnUntraced(function* emailVerificationVerify({ token }) {
    const stored = yield* readToken(token)
    yield* stored.row.kind === "verify_email" ? applyVerification(stored) : applyChange(stored)
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

const applyVerification = Effect.fnUntraced(function* applyVerification(token: Versioned<MailedToken>) {
  const user = yield* ownerOf(token.row)
  if (user.row.email !== token.row.email) return yield* new InvalidToken()
  const spent = yield* admitByLink(user.row)
  yield* (yield* Store).commit([removeVersioned(MailedTokens, token), ...spent, ...(yield* verificationWrites(user))])
})

/**
 * Following the link proves the new address, as a verification link does. A change to an address that gives rights also needs a session of
 * the account. Otherwise an owner of the address who follows the link would give these rights to the user who requested the change.
 */
const applyChange = Effect.fnUntraced(function* applyChange(token: Versioned<MailedToken>) {
  const user = yield* ownerOf(token.row)
  const { email } = token.row
  if ((yield* Policies).isConfirmedAddress(email) && !(yield* isCaller(user.row))) return yield* new InvalidToken()
  if (!(yield* addressRules)(email)) return yield* new InvalidToken()
  const removals = yield* revokeUnverifiedCredentials(user.row, email)
  yield* commitAddress(user, verifiedNewAddressColumns(email, yield* DateTime.now), [removeVersioned(MailedTokens, token), ...removals])
})

const verifyEmailByCode = Endpoint.make({
  method: "POST",
  path: "/verify-email/code",
  summary: "Verifies an address with the code of a mail that was requested with the same `flow`.",
  access: "public",
  input: Schema.Struct({ email: Email, ...codeOfFlow }),
  output: Endpoint.Success,
  errors: [InvalidOtp],
  handler: Effect.fnUntraced(function* emailVerificationVerifyByCode({ email, flow, code }) {
    const found = yield* find(Users, { email })
    const user_id = Option.match(found, { onNone: () => unknownUserId, onSome: ({ id }) => id })
    yield* redeemFlowCode(VerificationCodes, { flow, email, user_id }, code)((proof) => verifyOwner({ id: user_id, email }, proof))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

/**
 * Fails with `invalid_otp` if the user has another address now, or one that is no longer admitted. An address that the link has verified in
 * the meantime stays as it is.
 */
const verifyOwner = Effect.fnUntraced(
  function* verifyOwner({ id, email }: Pick<User, "id" | "email">, proof: Write) {
    const store = yield* Store
    const user = yield* orFail(store.read(Users, { id }), () => new InvalidOtp())
    if (user.row.email !== email) return yield* new InvalidOtp()
    const verified = user.row.email_verified ? [] : [...(yield* admitByLink(user.row)), ...(yield* verificationWrites(user))]
    return yield* store.commit([proof, ...verified])
  },
  Effect.catchTag("invalid_token", () => Effect.fail(new InvalidOtp())),
  Effect.asSome,
)

const ownerOf = Effect.fnUntraced(function* ownerOf({ user_id }: MailedToken) {
  return yield* orFail((yield* Store).read(Users, { id: user_id ?? unknownUserId }), () => new InvalidToken())
})

/** Changes the address, invalidates every link that was mailed to the user, and sends notices to the previous addresses. */
const commitAddress = Effect.fnUntraced(function* commitAddress(
  user: Versioned<StoredUser>,
  changes: Partial<StoredUser> & Pick<User, "email">,
  alongside: ReadonlyArray<Write> = [],
) {
  const told = yield* Effect.filter(noticeAddresses(user.row), (address) => isNotified(user.row, address))
  yield* (yield* Store)
    .commit([...alongside, ...(yield* addressChangeWrites(user, changes, told))])
    .pipe(Effect.catchTag("Taken", () => Effect.fail(new EmailTaken())))
  return { ...user.row, ...changes }
})

/**
 * The current address always gets a notice if it is verified. Other addresses have a budget, so that repeated changes cannot flood a
 * mailbox.
 */
const isNotified = ({ email, email_verified }: User, address: string) =>
  email_verified && address === email ? Effect.succeed(true) : mayNotify(address)

const ChangeEmailBody = Schema.Union([
  Schema.Struct({ user: User }),
  Schema.Struct({ status: Schema.Literal("verification_sent") }),
  Endpoint.Success,
])

const changeEmail = Endpoint.make({
  method: "POST",
  path: "/change-email",
  summary: "Changes the user's address; where addresses must be verified, after the user has confirmed the new one.",
  ...fresh,
  input: Schema.Struct({ new_email: Email }),
  output: ChangeEmailBody,
  errors: [EmailTaken, AddressNotAllowed, EmailNotVerified],
  handler: Effect.fnUntraced(function* emailVerificationChange({ new_email }) {
    const { user } = yield* CurrentSession
    yield* refuseGuest(user)
    if (new_email === user.email) return Endpoint.reply(Endpoint.succeeded)
    yield* requireAllowed(new_email)
    if (Option.isSome(yield* find(Users, { email: new_email }))) return yield* new EmailTaken()

    const { require_email_verification } = (yield* Settings).email_password
    if (require_email_verification || (yield* Policies).isConfirmedAddress(new_email)) {
      yield* countMessage({ channel: "mail", purpose: "change_email", to: new_email })
      yield* retryOnConflict(Effect.flatMap(rereadSession, ({ user }) => mailConfirmation(user, new_email)))
      return Endpoint.reply({ status: "verification_sent" as const })
    }
    const change = Effect.gen(function* () {
      const { user } = yield* rereadSession
      return yield* commitAddress(user, changedAddressColumns(user.row, new_email, yield* DateTime.now))
    })
    return Endpoint.reply({ user: yield* retryOnConflict(change) })
  }),
})

/** Commits with a check of the user: a concurrent password reset, which invalidates such links, would otherwise miss this one. */
const mailConfirmation = Effect.fnUntraced(function* mailConfirmation(user: Versioned<StoredUser>, email: string) {
  const { token, expires_at, write } = yield* mailedToken("change_email", user.row, email)
  const message = Emails.confirmEmailChange(yield* link("change_email", { token, email }))
  const recipient = { to: email, isKnown: false, locale: user.row.locale, expiresAt: expires_at }
  const confirmation = yield* requestedMail(recipient, message)
  yield* (yield* Store).commit([check(Users, user), write, confirmation])
})

/** Verifies and changes email addresses. */
export const emailVerification = Module.define({
  name: "email_verification",
  settings: Module.NoSettings,
  parts: () => ({ tables: [VerificationCodes], endpoints: [sendVerificationEmail, showLink, verifyEmail, verifyEmailByCode, changeEmail] }),
})
