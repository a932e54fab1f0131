import { DateTime, Effect, Option, Schema } from "effect"
import { EmailTaken, InvalidRequest, InvalidToken, SessionNotFresh } from "../../domain/Errors.ts"
import { Email } from "../../domain/Text.ts"
import { User } from "../../domain/User.ts"
import { CurrentSession } from "../Caller.ts"
import { ConfirmedAddresses } from "../ConfirmedAddresses.ts"
import * as Endpoint from "../Endpoint.ts"
import { Success, succeeded } from "../Endpoint.ts"
import { countMessage, mayMessage } from "../Limits.ts"
import { link } from "../Links.ts"
import * as Letters from "../letters.ts"
import { mailedToken, presented } from "../MailedTokens.ts"
import * as Module from "../Module.ts"
import { Outbox } from "../Outbox.ts"
import type { Held, Write } from "../ports/Store.ts"
import { check, decide, find, removeAll, removeHeld, Store, update } from "../ports/Store.ts"
import { requireFresh, unchangedCurrent } from "../Sessions.ts"
import { Settings } from "../Settings.ts"
import type { MailedToken } from "../Tables.ts"
import { MailedTokens, Users } from "../Tables.ts"
import { verificationMail } from "../Verification.ts"

const sendVerificationEmail = Endpoint.make({
  method: "POST",
  path: "/send-verification-email",
  summary: "Mails a link to verify an address; the answer is the same for an unknown or verified one.",
  access: "public",
  input: Schema.Struct({ email: Email }),
  output: Success,
  errors: [InvalidRequest],
  handler: Effect.fn("emailVerification.send")(function* ({ email }) {
    yield* countMessage("verify_email", email)
    const unverified = Option.filter(yield* find(Users, { email }), (user) => !user.email_verified)
    yield* (yield* Store).commit(yield* verificationMail(Option.getOrNull(unverified), email)).pipe(Effect.orDie)
    return Endpoint.reply(succeeded)
  }),
})

const verifyEmail = Endpoint.make({
  method: "POST",
  path: "/verify-email",
  summary: "Takes the token of a mailed link: verifies the address, or changes to the one the link was sent to.",
  access: "public",
  input: Schema.Struct({ token: Schema.String }),
  output: Success,
  errors: [InvalidRequest, InvalidToken, EmailTaken],
  handler: Effect.fn("emailVerification.verify")(function* ({ token }) {
    const verify = Effect.gen(function* () {
      const verification = yield* presented("verify_email", token)
      if (Option.isSome(verification)) return yield* applyVerification(verification.value)
      const change = yield* presented("change_email", token)
      if (Option.isSome(change)) return yield* applyChange(change.value)
      return yield* new InvalidToken()
    })
    yield* decide(verify)
    return Endpoint.reply(succeeded)
  }),
})

const applyVerification = Effect.fnUntraced(function* (held: Held<MailedToken>) {
  const user = yield* ownerOf(held.row)
  if (user.row.email !== held.row.email) return yield* new InvalidToken()
  const changes = { email_verified: true, updated_at: yield* DateTime.now }
  yield* (yield* Store).commit([removeHeld(MailedTokens, held), update(Users, user, changes)])
})

const applyChange = Effect.fnUntraced(function* (held: Held<MailedToken>) {
  const user = yield* ownerOf(held.row)
  yield* commitAddress(user, held.row.email, true, [removeHeld(MailedTokens, held)])
})

const ownerOf = Effect.fnUntraced(function* ({ user_id }: MailedToken) {
  const user = yield* (yield* Store).read(Users, { id: user_id ?? "nobody" })
  return Option.isSome(user) ? user.value : yield* new InvalidToken()
})

/**
 * A new address, the end of every link that was mailed to the old one, and a notice to it. An old one that nobody has verified may be
 * a stranger's, whom a user who goes to and fro between addresses must not be able to flood.
 */
const commitAddress = Effect.fnUntraced(function* (
  user: Held<User>,
  email: string,
  email_verified: boolean,
  alongside: ReadonlyArray<Write>,
) {
  const changed: User = { ...user.row, email, email_verified, updated_at: yield* DateTime.now }
  const to = user.row.email_verified || (yield* mayMessage("notice", user.row.email)) ? user.row.email : null
  const notice = yield* (yield* Outbox).mail({ to, ...Letters.emailChanged({ email: user.row.email, newEmail: email }) })
  yield* (yield* Store)
    .commit([...alongside, update(Users, user, changed), removeAll(MailedTokens, { user_id: user.row.id }), notice])
    .pipe(Effect.catchTag("Taken", () => Effect.fail(new EmailTaken())))
  return changed
})

const ChangeEmailBody = Schema.Union([
  Schema.Struct({ user: User }),
  Schema.Struct({ status: Schema.Literal("verification_sent") }),
  Success,
])

const changeEmail = Endpoint.make({
  method: "POST",
  path: "/change-email",
  summary: "Changes the user's address; where it has to be verified, once the user has confirmed the new one.",
  access: "session",
  input: Schema.Struct({ new_email: Email }),
  output: ChangeEmailBody,
  errors: [InvalidRequest, EmailTaken, SessionNotFresh],
  handler: Effect.fn("emailVerification.change")(function* ({ new_email }) {
    yield* requireFresh
    const { user } = yield* CurrentSession
    if (new_email === user.email) return Endpoint.reply(succeeded)
    if (Option.isSome(yield* find(Users, { email: new_email }))) return yield* new EmailTaken()

    const { require_email_verification } = (yield* Settings).email_password
    if (require_email_verification || (yield* ConfirmedAddresses).includes(new_email)) {
      yield* countMessage("change_email", new_email)
      yield* decide(Effect.flatMap(unchangedCurrent, ({ user }) => mailConfirmation(user, new_email)))
      return Endpoint.reply({ status: "verification_sent" as const })
    }
    const changed = yield* decide(Effect.flatMap(unchangedCurrent, ({ user }) => commitAddress(user, new_email, false, [])))
    return Endpoint.reply({ user: changed })
  }),
})

/** The user is checked so that a password reset, which voids such links, leaves none behind that is being made at this moment. */
const mailConfirmation = Effect.fnUntraced(function* (user: Held<User>, email: string) {
  const { token, expires_at, write } = yield* mailedToken("change_email", user.row, email)
  const letter = Letters.confirmEmailChange({ link: yield* link("change_email", { token, email }) })
  const mail = yield* (yield* Outbox).mail({ to: email, expiresAt: expires_at, ...letter })
  yield* (yield* Store).commit([check(Users, user), write, mail])
})

/** Proof of addresses, and their change. */
export const emailVerification = Module.define({
  name: "email_verification",
  settings: Module.NoSettings,
  parts: () => ({ endpoints: { sendVerificationEmail, verifyEmail, changeEmail } }),
})
