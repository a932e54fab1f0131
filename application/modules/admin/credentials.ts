import { DateTime, Effect, Option, Schema } from "effect"
import { CurrentPrincipal, ofPrincipal } from "../../../domain/administration/principal.ts"
import { invalidMember, PasswordTooLong, PasswordTooShort, UserNotFound } from "../../../domain/errors.ts"
import { mail } from "../../../domain/mail/writing.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, put, retryOnConflict, Store, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { revokeAll } from "../../../domain/sessions/sessions.ts"
import { Settings } from "../../../domain/settings.ts"
import { accountsOf } from "../../../domain/sign-in/linked-accounts.ts"
import { passwordWrites } from "../../../domain/sign-in/password-change.ts"
import { checkNewPassword, checkPasswordRules, credentialOf } from "../../../domain/sign-in/passwords.ts"
import { resetLinkWrites } from "../../../domain/sign-in/reset-link.ts"
import { verificationMail } from "../../../domain/sign-in/verification.ts"
import { verificationWrites } from "../../../domain/sign-in/verified-email.ts"
import { admitVouched } from "../../../domain/users/admission.ts"
import { passwordSetAt } from "../../../domain/users/credential-account.ts"
import { Users } from "../../../domain/users/tables.ts"
import { LinkedAccount, type StoredUser } from "../../../domain/users/user.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { ExpectedVersion } from "../../service/versions.ts"
import type { AdminSettings } from "./administrators.ts"
import { actionsAreOff } from "./required-actions/endpoints.ts"
import { RequiredActionName, RequiredActions, requiredOf, requiredRow } from "./required-actions/table.ts"
import { changeUser, read, Shown, versionErrors } from "./versions.ts"

const user_id = Schema.String

const setPassword = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/set-password",
    summary: "Sets or replaces the password of a user, whom a mail tells, and ends the sessions unless `revoke_sessions` is false.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({
      user_id,
      password: Schema.String,
      revoke_sessions: Schema.optionalKey(Schema.Boolean).pipe(Schema.annotateKey({ description: "Default: true." })),
      require_change: Schema.optionalKey(Schema.Boolean).pipe(
        Schema.annotateKey({
          description: "Whether the user has to replace it at the next sign-in. Default: where `required_actions` is set, for other users.",
        }),
      ),
      ...ExpectedVersion,
    }),
    output: Shown,
    errors: [...versionErrors, PasswordTooShort, PasswordTooLong],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminSetPassword({ password, revoke_sessions = true, require_change, ...target }) {
      if (require_change === true && !settings.required_actions) return yield* actionsAreOff()
      const { kind, id } = yield* CurrentPrincipal
      const isOneself = kind === "user" && id === target.user_id
      const isRequired = require_change ?? (settings.required_actions === true && !isOneself)
      const accepted = yield* checkNewPassword(password)
      const writesOf = Effect.fnUntraced(function* newPasswordWrites(user: Versioned<StoredUser>) {
        yield* checkPasswordRules(accepted, user.row)
        const changed = yield* passwordWrites(user.row, yield* credentialOf(user.row.id), accepted)
        // After the writes of the new password, which end an earlier requirement.
        const required = isRequired ? [put(RequiredActions, yield* requiredRow(user.row.id, "change_password"))] : []
        return [...changed, ...required, ...(revoke_sessions ? yield* revokeAll(user) : [update(Users, user, {})])]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf), revoke_sessions && isOneself ? "clear" : "keep")
    }),
  })

const verifyEmail = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/verify-email",
    summary: "Marks the address of a user as verified; a never-verified account loses what its verification link would remove.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({ user_id, ...ExpectedVersion }),
    output: Shown,
    errors: versionErrors,
    handler: Effect.fnUntraced(function* adminVerifyEmail(target) {
      const writesOf = Effect.fnUntraced(function* writesOfVerification(user: Versioned<StoredUser>) {
        // The verified address can make the user an administrator.
        const unchanged = yield* ofPrincipal({ ...user.row, email_verified: true })
        return [...unchanged, ...(yield* admitVouched(user.row)), ...(yield* verificationWrites(user))]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf))
    }),
  })

/** Mails a user who has a mailbox. */
const mailed = Effect.fnUntraced(function* mailedUser<E, R>(
  user_id: string,
  writesOf: (user: StoredUser) => Effect.Effect<ReadonlyArray<Write>, E, R>,
) {
  const [user] = yield* read({ id: user_id })
  const unchanged = yield* ofPrincipal(user.row)
  if (isSynthetic(user.row.email)) return yield* invalidMember("user_id", "This user has no address that takes mail")
  yield* (yield* Store).commit([...unchanged, check(Users, user), ...(yield* writesOf(user.row))])
}, retryOnConflict)

/** Without the browser of the administrator. */
const mailFromAdministrator: typeof mail = (recipient, message) => mail(recipient, { ...message, hidesCaller: true })

export const sendResetTo = Effect.fnUntraced(function* sendResetTo(user_id: string) {
  if (!(yield* Settings).email_password.enabled)
    return yield* invalidMember("user_id", "Users have no passwords, since email_password.enabled is false")
  return yield* mailed(user_id, (user) => resetLinkWrites(user.email, Option.some(user), mailFromAdministrator))
})

export const sendVerificationTo = (user_id: string) =>
  mailed(
    user_id,
    Effect.fnUntraced(function* verificationOf(user) {
      if (user.email_verified) return yield* invalidMember("user_id", "The address of this user is verified already")
      return yield* verificationMail(user, user.email, mailFromAdministrator)
    }),
  )

const OneUser = Schema.Struct({ user_id })

const sendReset = Endpoint.make({
  method: "POST",
  path: "/admin/users/send-reset",
  summary: "Mails a user a link to set a new password.",
  access: { permission: "users:credentials", within: true },
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  handler: ({ user_id }) => Effect.as(sendResetTo(user_id), Endpoint.reply(succeeded)),
})

const sendVerification = Endpoint.make({
  method: "POST",
  path: "/admin/users/send-verification",
  summary: "Mails a user a link to verify their address.",
  access: { permission: "users:credentials", within: true },
  input: OneUser,
  output: Success,
  errors: [UserNotFound],
  handler: ({ user_id }) => Effect.as(sendVerificationTo(user_id), Endpoint.reply(succeeded)),
})

/** The most rows of one kind that a user is shown with. */
const most = 100

const authenticatorsOf = Effect.fnUntraced(function* authenticatorsOf(user_id: string) {
  const { list } = yield* Store
  const kinds = (yield* Policies).reclaimedTables.filter(({ label }) => label !== undefined)
  const rows = yield* Effect.forEach(kinds, ({ table }: { readonly table: AnyTable }) =>
    Effect.map(list(table, { user_id }, { limit: most }), (found) => found.map((row) => ({ kind: table.name, row }))),
  )
  return rows
    .flat()
    .map(({ kind, row }) => ({ kind, created_at: DateTime.isDateTime(row.created_at) ? DateTime.toUtc(row.created_at) : null }))
})

const listCredentials = ({ required_actions: isOn = false }: AdminSettings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/users/credentials",
    summary: "How a user can sign in: linked accounts, factors and times, never a secret.",
    access: { permission: "users:read" },
    input: OneUser,
    output: Schema.Struct({
      accounts: Schema.Array(LinkedAccount),
      authenticators: Schema.Array(Schema.Struct({ kind: Schema.String, created_at: Schema.NullOr(Schema.DateTimeUtc) })),
      password_set_at: Schema.NullOr(Schema.DateTimeUtc),
      second_factor: Schema.Boolean,
      required_actions: Schema.Array(RequiredActionName),
      required_actions_enabled: Schema.Boolean.pipe(
        Schema.annotateKey({ description: "Whether actions can be required: `modules.admin.required_actions`." }),
      ),
    }),
    errors: [UserNotFound],
    handler: Effect.fnUntraced(function* adminListCredentials({ user_id }) {
      const [{ row }] = yield* read({ id: user_id })
      const { second } = yield* (yield* Policies).factorsHeldBy(row.id)
      return Endpoint.reply({
        accounts: yield* accountsOf(row.id),
        authenticators: yield* authenticatorsOf(row.id),
        password_set_at: Option.getOrNull(yield* passwordSetAt(row.id)),
        second_factor: second,
        required_actions: yield* requiredOf(row.id),
        required_actions_enabled: isOn,
      })
    }),
  })

export const credentialEndpoints = (settings: AdminSettings) =>
  [setPassword(settings), verifyEmail(settings), sendReset, sendVerification, listCredentials(settings)] as const
