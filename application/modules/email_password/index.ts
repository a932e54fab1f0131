import { DateTime, Effect, Option, Schema, SchemaTransformation } from "effect"
import { attributesIn, attributeWrites, conflictIfAttributeTaken } from "../../../domain/attributes/writing.ts"
import * as Errors from "../../../domain/errors.ts"
import { optionalFlow } from "../../../domain/limits/flow-codes.ts"
import { rememberBrowser } from "../../../domain/limits/known-device.ts"
import { countedPassword, countedProof, countNewcomer } from "../../../domain/limits/limits.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { readMailedToken, resetKinds } from "../../../domain/mail/mailed-tokens.ts"
import { requestedMail } from "../../../domain/mail/writing.ts"
import { Policies } from "../../../domain/policies.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import {
  conflictIfTaken,
  find,
  orFail,
  removeVersioned,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession, revokeAll } from "../../../domain/sessions/sessions.ts"
import { noteUser } from "../../../domain/sessions/subject.ts"
import { otherAccountRemovals } from "../../../domain/sign-in/credentials.ts"
import { issueToNewAccount, issueWith } from "../../../domain/sign-in/issuing.ts"
import { passwordWrites } from "../../../domain/sign-in/password-change.ts"
import {
  checkNewPassword,
  checkPassword,
  checkPasswordRules,
  credentialOf,
  newCredential,
  signInWithPassword,
} from "../../../domain/sign-in/passwords.ts"
import { resetLinkWrites } from "../../../domain/sign-in/reset-link.ts"
import { provesFirst, Registration, register } from "../../../domain/sign-in/sign-up.ts"
import { verificationMail } from "../../../domain/sign-in/verification.ts"
import { isReclaimed, reclaim } from "../../../domain/sign-in/verified-email.ts"
import { admit, admitByLink } from "../../../domain/users/admission.ts"
import { byEmail } from "../../../domain/users/sign-in-name.ts"
import { type Account, Accounts, MailedTokens, Users } from "../../../domain/users/tables.ts"
import { type StoredUser, User, unknownUserId, verifiedColumns, verifiedOwner } from "../../../domain/users/user.ts"
import { anyValueShownAs } from "../../../domain/values/documented.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { withPasswords } from "../../service/guards.ts"
import * as Module from "../../service/module.ts"
import { shownLink } from "../../service/shown-link.ts"
import * as OwnErrors from "./errors.ts"
import { events } from "./events.ts"

const UserBody = Schema.Struct({ user: User })

const countedVerification = (flow: string | undefined) =>
  Effect.fnUntraced(function* countedVerification(user: StoredUser) {
    yield* countMessage({ channel: "mail", purpose: "verify_email", to: user.email })
    return yield* verificationMail(user, user.email, requestedMail, flow)
  })

/** Stores a new user, and signs them in. None where a session needs a proof of the address first. */
const enter = Effect.fnUntraced(function* enter(user: StoredUser, writes: ReadonlyArray<Write>) {
  if (!(yield* provesFirst)) return Option.some(yield* issueToNewAccount(user, writes))
  yield* (yield* Policies).passGates(user)
  yield* (yield* Store).commit(writes)
  return Option.none()
})

const signUpEmail = Endpoint.make({
  method: "POST",
  path: "/sign-up/email",
  summary: "Registers a user with an email address and a password, and signs them in.",
  ...withPasswords,
  signsIn: "registration",
  methods: ["pwd"],
  input: Schema.Struct({ ...Registration.fields, ...optionalFlow }),
  attributes: { from: "sign_up" },
  output: UserBody,
  errors: [Errors.PasswordTooShort, Errors.PasswordTooLong, Errors.UserAlreadyExists, Errors.EmailNotVerified, ...Errors.notAdmitted],
  handler: Effect.fnUntraced(function* emailPasswordSignUp(registration) {
    yield* countNewcomer
    const attempt = Effect.gen(function* () {
      const { user, writes } = yield* register(yield* admit(registration.email), registration, countedVerification(registration.flow))
      const attributes = yield* attributeWrites(user.id, attributesIn(registration))
      const entered = enter(user, [...writes, ...attributes])
      return yield* Effect.catchTag(conflictIfAttributeTaken(entered), "Taken", () => Effect.fail(new Errors.UserAlreadyExists()))
    })
    const issued = yield* orFail(retryOnConflict(attempt), () => new Errors.EmailNotVerified())
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

const signInEmail = Endpoint.make({
  method: "POST",
  path: "/sign-in/email",
  summary: "Signs a user in by email address and password.",
  ...withPasswords,
  signsIn: "single_factor",
  methods: ["pwd"],
  input: Schema.Struct({ email: Email, password: Schema.String }),
  output: UserBody,
  errors: [Errors.InvalidCredentials, Errors.EmailNotVerified],
  handler: Effect.fnUntraced(function* emailPasswordSignIn({ email, password }) {
    const issued = yield* countedPassword(byEmail(email))(retryOnConflict(signInWithPassword({ email }, password)))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** Any JSON value, read as truthy or falsy; documented as a boolean. */
const Truthiness = anyValueShownAs(() => ({ type: "boolean" })).pipe(
  Schema.decodeTo(Schema.Boolean, SchemaTransformation.transform({ decode: Boolean, encode: (is): unknown => is })),
)

const changePassword = Endpoint.make({
  method: "POST",
  path: "/change-password",
  summary: "Changes the user's password. On request, ends all sessions and starts a new one for this browser.",
  access: "session",
  signsIn: "session",
  methods: ["pwd"],
  input: Schema.Struct({
    current_password: Schema.String,
    new_password: Schema.String,
    revoke_other_sessions: Schema.optionalKey(Truthiness),
  }),
  output: Endpoint.Success,
  errors: [Errors.PasswordTooShort, Errors.PasswordTooLong, OwnErrors.NoCredential, Errors.InvalidCredentials],
  handler: Effect.fnUntraced(function* emailPasswordChange({ current_password, new_password, revoke_other_sessions = false }) {
    const accepted = yield* checkNewPassword(new_password)
    yield* checkPasswordRules(accepted, (yield* CurrentSession).user)
    const change = Effect.gen(function* () {
      const { user } = yield* rereadSession
      if (Option.isNone(yield* credentialOf(user.row.id))) return yield* new OwnErrors.NoCredential()
      const { account } = yield* checkPassword(user.row.id, current_password)
      const writes = yield* passwordWrites(user.row, Option.some(account), accepted)
      if (revoke_other_sessions) return yield* issueWith(user.row, [...writes, ...(yield* revokeAll(user))])
      yield* (yield* Store).commit([...writes, update(Users, user, {})])
      return "keep" as const
    })
    const session = yield* countedProof(retryOnConflict(change))
    // The new password has invalidated the previous device cookie of this browser.
    const cookies = yield* rememberBrowser((yield* CurrentSession).user.id)
    return { ...Endpoint.reply(Endpoint.succeeded, session), ...(cookies.length > 0 ? { cookies } : {}) }
  }),
})

/**
 * The kind of a reset token records whether the user had a password. A token to replace a password becomes invalid when the password is
 * removed: it must not create a new one.
 */
const { replacing: replacesPassword, creating: createsPassword } = resetKinds

const readResetToken = Effect.fnUntraced(function* readResetToken(token: string) {
  const replacing = yield* readMailedToken(replacesPassword, token)
  return Option.isSome(replacing) ? replacing : yield* readMailedToken(createsPassword, token)
})

/** The token of a mailed link that still sets a password, with its user and the user's present password. */
const openReset = Effect.fnUntraced(function* openReset(token: string) {
  const stored = yield* orFail(readResetToken(token), () => new Errors.InvalidToken())
  const { user_id, email, kind } = stored.row
  const user = yield* orFail((yield* Store).read(Users, { id: user_id ?? unknownUserId }), () => new Errors.InvalidToken())
  const account = yield* credentialOf(user.row.id)
  const isOpen = user.row.email === email && (kind !== replacesPassword || Option.isSome(account))
  return isOpen ? { stored, user, account } : yield* new Errors.InvalidToken()
})

const requestPasswordReset = Endpoint.make({
  method: "POST",
  path: "/request-password-reset",
  summary: "Mails a link to set a new password. The response is the same for an unknown address.",
  ...withPasswords,
  input: Schema.Struct({ email: Email }),
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* emailPasswordRequestReset({ email }) {
    const user = yield* find(Users, { email })
    yield* countMessage({ channel: "mail", purpose: "reset_password", to: email, owner: verifiedOwner(user) })
    const writes = yield* resetLinkWrites(email, user, requestedMail)
    yield* (yield* Store).commit(writes).pipe(Effect.orDie)
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

const showReset = shownLink(
  "/reset-password/show",
  "The address of the user whose password a mailed link sets. The token stays valid.",
  (token) => Effect.map(openReset(token), ({ user }) => user.row.email),
)

const resetPassword = Endpoint.make({
  method: "POST",
  path: "/reset-password",
  summary: "Sets a new password with the token of a mailed link, and ends all of the user's sessions.",
  access: "public",
  input: Schema.Struct({
    token: Schema.String,
    new_password: Schema.String,
    remove_other_credentials: Schema.optionalKey(Schema.Boolean).pipe(
      Schema.annotateKey({ description: "Whether linked accounts other than passkeys are removed." }),
    ),
  }),
  output: Endpoint.Success,
  errors: [Errors.PasswordTooShort, Errors.PasswordTooLong, Errors.InvalidToken],
  handler: Effect.fnUntraced(function* emailPasswordReset({ token, new_password, remove_other_credentials = false }) {
    const accepted = yield* checkNewPassword(new_password)
    const reset = Effect.gen(function* () {
      const { stored, user, account } = yield* openReset(token)
      yield* noteUser(user.row.id)
      yield* checkPasswordRules(accepted, user.row)

      const spent = yield* admitByLink(user.row)
      const writes = yield* resetWrites(user, account, accepted, remove_other_credentials)
      yield* (yield* Store).commit([removeVersioned(MailedTokens, stored), ...spent, ...writes]).pipe(conflictIfTaken)
    })
    yield* retryOnConflict(reset)
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

const resetWrites = Effect.fnUntraced(function* resetWrites(
  user: Versioned<StoredUser>,
  account: Option.Option<Versioned<Account>>,
  password: string,
  removesOthers: boolean,
) {
  if (yield* isReclaimed(user.row)) {
    const hash = yield* (yield* PasswordHasher).hash(password)
    return (yield* reclaim(user, yield* newCredential(user.row.id, hash))).writes
  }
  const others = removesOthers ? yield* otherAccountRemovals(user.row.id) : { writes: [], removed: [] }
  const changed = yield* passwordWrites(user.row, account, password, others.removed)
  return [...changed, ...others.writes, ...(yield* revokeAll(user, verifiedColumns(yield* DateTime.now)))]
})

/** Sign-up and sign-in by email address and password, and changes and resets of passwords. */
export const emailPassword = Module.define({
  name: "email_password",
  errors: Object.values(OwnErrors),
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Accounts, MailedTokens],
    rowEvents: events,
    endpoints: [signUpEmail, signInEmail, changePassword, requestPasswordReset, showReset, resetPassword],
  }),
})
