import { DateTime, Effect, Option, Schema, SchemaTransformation } from "effect"
import * as Errors from "../../domain/Errors.ts"
import { Email } from "../../domain/Text.ts"
import { User } from "../../domain/User.ts"
import * as Endpoint from "../Endpoint.ts"
import { Success, succeeded } from "../Endpoint.ts"
import { issueAnew, issueWith } from "../Issuing.ts"
import { countedPassword, countedProof, countMessage } from "../Limits.ts"
import { link } from "../Links.ts"
import * as Letters from "../letters.ts"
import { strangersWays } from "../Mailboxes.ts"
import { mailedToken, presented } from "../MailedTokens.ts"
import * as Module from "../Module.ts"
import { Outbox } from "../Outbox.ts"
import { acceptable, checkPassword, credentialOf, signInWithPassword } from "../Passwords.ts"
import { PasswordHasher } from "../ports/PasswordHasher.ts"
import type { Held } from "../ports/Store.ts"
import { decide, find, removeAll, removeHeld, Store, update } from "../ports/Store.ts"
import { revokeAll, unchangedCurrent } from "../Sessions.ts"
import { Settings } from "../Settings.ts"
import { byEmail } from "../SignInName.ts"
import { Registration, register } from "../SignUp.ts"
import type { Account } from "../Tables.ts"
import { Accounts, MailedTokens, Users } from "../Tables.ts"

const UserBody = Schema.Struct({ user: User })

const requireEnabled = Effect.gen(function* () {
  if (!(yield* Settings).email_password.enabled) return yield* new Errors.EmailPasswordDisabled()
})

const signUpEmail = Endpoint.make({
  method: "POST",
  path: "/sign-up/email",
  summary: "Registers a user with an e-mail address and a password, and signs them in.",
  access: "public",
  signsIn: "registration",
  input: Registration,
  output: UserBody,
  errors: [Errors.EmailPasswordDisabled, Errors.InvalidRequest, Errors.PasswordTooShort, Errors.PasswordTooLong, Errors.UserAlreadyExists],
  handler: Effect.fn("emailPassword.signUp")(function* (registration) {
    yield* requireEnabled
    const { user, writes } = yield* register(registration)
    if ((yield* Settings).email_password.require_email_verification) yield* countMessage("verify_email", user.email)
    const issued = yield* issueAnew(user, writes).pipe(
      Effect.catchTags({ Taken: () => Effect.fail(new Errors.UserAlreadyExists()), Conflict: Effect.die }),
    )
    return Endpoint.reply({ user }, issued)
  }),
})

const signInEmail = Endpoint.make({
  method: "POST",
  path: "/sign-in/email",
  summary: "Signs a user in by e-mail address and password.",
  access: "public",
  signsIn: "single_factor",
  input: Schema.Struct({ email: Email, password: Schema.String }),
  output: UserBody,
  errors: [Errors.EmailPasswordDisabled, Errors.InvalidRequest, Errors.InvalidCredentials, Errors.EmailNotVerified],
  handler: Effect.fn("emailPassword.signIn")(function* ({ email, password }) {
    yield* requireEnabled
    const issued = yield* countedPassword(byEmail(email))(decide(signInWithPassword({ email }, password)))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Any JSON value: the contract calls for a truthy one. */
const Truthiness = Schema.Unknown.pipe(
  Schema.decodeTo(Schema.Boolean, SchemaTransformation.transform({ decode: Boolean, encode: (is): unknown => is })),
)

const changePassword = Endpoint.make({
  method: "POST",
  path: "/change-password",
  summary: "Changes the user's password; on request all sessions end and this browser gets a new one.",
  access: "session",
  signsIn: "session",
  input: Schema.Struct({
    current_password: Schema.String,
    new_password: Schema.String,
    revoke_other_sessions: Schema.optionalKey(Truthiness),
  }),
  output: Success,
  errors: [Errors.InvalidRequest, Errors.PasswordTooShort, Errors.PasswordTooLong, Errors.NoCredential, Errors.InvalidCredentials],
  handler: Effect.fn("emailPassword.change")(function* ({ current_password, new_password, revoke_other_sessions = false }) {
    const accepted = yield* acceptable(new_password)
    const change = Effect.gen(function* () {
      const { user } = yield* unchangedCurrent
      if (Option.isNone(yield* credentialOf(user.row.id))) return yield* new Errors.NoCredential()
      const { account } = yield* checkPassword(user.row.id, current_password)
      const { writes } = yield* passwordWrites(user.row, account, accepted)
      if (revoke_other_sessions) return yield* issueWith(user.row, [...writes, ...revokeAll(user)])
      yield* (yield* Store).commit([...writes, update(Users, user, {})])
      return "keep" as const
    })
    return Endpoint.reply(succeeded, yield* countedProof(decide(change)))
  }),
})

/** A new password, the end of every link that was mailed under the old one, and a notice. */
const passwordWrites = Effect.fnUntraced(function* (user: User, account: Held<Account>, password: string) {
  const password_hash = yield* (yield* PasswordHasher).hash(password)
  const changes = { password_hash, updated_at: yield* DateTime.now }
  const notice = yield* (yield* Outbox).mail({ to: user.email, ...Letters.passwordChanged({ email: user.email }) })
  const changed: Account = { ...account.row, ...changes }
  return { changed, writes: [update(Accounts, account, changes), removeAll(MailedTokens, { user_id: user.id }), notice] }
})

const requestPasswordReset = Endpoint.make({
  method: "POST",
  path: "/request-password-reset",
  summary: "Mails a link to reset the password; the answer is the same for an unknown address.",
  access: "public",
  input: Schema.Struct({ email: Email }),
  output: Success,
  errors: [Errors.EmailPasswordDisabled, Errors.InvalidRequest],
  handler: Effect.fn("emailPassword.requestReset")(function* ({ email }) {
    yield* requireEnabled
    yield* countMessage("reset_password", email)
    const user = yield* find(Users, { email })
    const account = yield* credentialOf(Option.match(user, { onNone: () => "nobody", onSome: ({ id }) => id }))
    const known = Option.isSome(account) ? Option.getOrNull(user) : null

    const { token, expires_at, write } = yield* mailedToken("reset_password", known, email)
    const letter = Letters.resetPassword({ link: yield* link("reset_password", { token, email }) })
    const mail = yield* (yield* Outbox).mail({ to: known === null ? null : email, expiresAt: expires_at, ...letter })
    yield* (yield* Store).commit([write, mail]).pipe(Effect.orDie)
    return Endpoint.reply(succeeded)
  }),
})

const resetPassword = Endpoint.make({
  method: "POST",
  path: "/reset-password",
  summary: "Sets a new password with the token of a mailed link, and ends all of the user's sessions.",
  access: "public",
  input: Schema.Struct({ token: Schema.String, new_password: Schema.String }),
  output: Success,
  errors: [Errors.InvalidRequest, Errors.PasswordTooShort, Errors.PasswordTooLong, Errors.InvalidToken],
  handler: Effect.fn("emailPassword.reset")(function* ({ token, new_password }) {
    const accepted = yield* acceptable(new_password)
    const store = yield* Store
    const reset = Effect.gen(function* () {
      const held = yield* presented("reset_password", token)
      if (Option.isNone(held)) return yield* new Errors.InvalidToken()
      const { user_id, email } = held.value.row
      const user = yield* store.read(Users, { id: user_id ?? "nobody" })
      const account = yield* credentialOf(user_id ?? "nobody")
      if (Option.isNone(user) || Option.isNone(account) || user.value.row.email !== email) return yield* new Errors.InvalidToken()

      const { changed, writes } = yield* passwordWrites(user.value.row, account.value, accepted)
      const strangers = yield* strangersWays(user.value.row, changed)
      const verified = { email_verified: true, updated_at: yield* DateTime.now }
      yield* store.commit([removeHeld(MailedTokens, held.value), ...writes, ...strangers, ...revokeAll(user.value, verified)])
    })
    yield* decide(reset)
    return Endpoint.reply(succeeded)
  }),
})

/** Sign-up and sign-in by e-mail address and password, and everything a password goes through. */
export const emailPassword = Module.define({
  name: "email_password",
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Accounts, MailedTokens],
    endpoints: { signUpEmail, signInEmail, changePassword, requestPasswordReset, resetPassword },
  }),
})
