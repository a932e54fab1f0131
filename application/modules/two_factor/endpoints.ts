import { DateTime, Effect, Option, Schema } from "effect"
import { type AuthError, EmailNotVerified, InvalidCredentials, InvalidOtp, invalidMember } from "../../../domain/errors.ts"
import { countedProof } from "../../../domain/limits/limits.ts"
import { otherLinkRemovals } from "../../../domain/mail/mailed-tokens.ts"
import {
  type Conflict,
  check,
  orFail,
  removeVersioned,
  retryOnConflict,
  Store,
  type Taken,
  update,
  type Versioned,
} from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { sessionRenewal } from "../../../domain/sessions/session-renewal.ts"
import { endOthers, otherSessionsRevocation, rereadSession } from "../../../domain/sessions/sessions.ts"
import { secondFactorRemovals } from "../../../domain/sign-in/credentials.ts"
import { provePassword } from "../../../domain/sign-in/passwords.ts"
import { requireEstablishedAddress } from "../../../domain/sign-in/verification.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { steppedUp } from "../../service/guards.ts"
import { guess, newBackupCodes, redeem } from "./codes.ts"
import { factorNotices } from "./emails.ts"
import { BackupCodes, confirmation, Enrolment, newEnrolment } from "./enrolment.ts"
import { TwoFactorEnabled, TwoFactorNotEnabled } from "./errors.ts"
import type { TwoFactorSettings } from "./settings.ts"
import { confirmedOf, type TwoFactor, TwoFactors } from "./tables.ts"

/** Runs an operation that requires the owner's password or code; wrong ones are counted. */
const asOwner = <A, E extends AuthError, R>(attempt: Effect.Effect<A, E | Conflict | Taken, R>) => countedProof(retryOnConflict(attempt))

export const enable = (settings: TwoFactorSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/2fa/totp/enable",
    name: "twoFactorTotpEnable",
    summary: "Creates a secret for an authenticator app, and backup codes. Sign-ins need no code until the user confirms the app.",
    ...steppedUp,
    input: Schema.Struct({ password: Schema.optionalKey(Schema.String) }),
    output: Enrolment,
    errors: [InvalidCredentials, TwoFactorEnabled],
    handler: Effect.fnUntraced(function* twoFactorEnable({ password }) {
      const store = yield* Store
      const { user } = yield* rereadSession
      const current = yield* store.read(TwoFactors, { user_id: user.row.id })
      if (Option.isSome(current) && current.value.row.confirmed_at !== null) return yield* new TwoFactorEnabled()
      yield* provePassword(user.row.id, password)

      const { app, write } = yield* newEnrolment(settings, user.row, current)
      yield* store.commit([check(Users, user), write])
      return Endpoint.reply(app)
    }, asOwner),
  })

export const confirm = Endpoint.make({
  method: "POST",
  path: "/2fa/totp/confirm",
  name: "twoFactorTotpConfirm",
  summary:
    "Enables the second factor with a first code of the app, and ends all of the user's sessions but this one, which gets a new token.",
  ...steppedUp,
  changesCredential: true,
  input: Schema.Struct({ code: Schema.String }),
  output: Endpoint.Success,
  errors: [InvalidOtp, EmailNotVerified, TwoFactorNotEnabled],
  handler: Effect.fnUntraced(function* twoFactorConfirm({ code }) {
    const confirming = Effect.gen(function* () {
      const store = yield* Store
      const { session, user } = yield* rereadSession
      const current = yield* orFail(store.read(TwoFactors, { user_id: user.row.id }), () => new TwoFactorNotEnabled())
      const confirmed = yield* orFail(confirmation(current, code), () => new InvalidOtp())
      yield* requireEstablishedAddress(user.row)

      const others = yield* otherSessionsRevocation(session, user)
      // The code is the first proof of the second factor: without it, this session could make no sensitive change.
      const { writes, ...renewed } = yield* sessionRenewal(session, { multi_factor: true, methods: ["otp"] })
      // A link that confirms a change of address could have been requested before the factor protected the address.
      const links = yield* otherLinkRemovals(user.row)
      yield* store.commit([confirmed, ...others.writes, ...writes, ...links, ...(yield* factorNotices(user.row, "enabled"))])
      return { ...renewed, user: user.row }
    })
    const issued = yield* retryOnConflict(confirming)
    yield* endOthers(issued.session)
    return Endpoint.reply(Endpoint.succeeded, issued)
  }),
})

const Proof = Schema.Struct({ password: Schema.optionalKey(Schema.String), code: Schema.optionalKey(Schema.String) })
type Proof = typeof Proof.Type

export const disable = Endpoint.make({
  method: "POST",
  path: "/2fa/totp/disable",
  name: "twoFactorTotpDisable",
  summary: "Disables the second factor.",
  ...steppedUp,
  input: Proof,
  output: Endpoint.Success,
  errors: [InvalidCredentials, InvalidOtp, TwoFactorNotEnabled],
  handler: Effect.fnUntraced(function* twoFactorDisable(proof) {
    const { user, app } = yield* proved(proof)
    const emails = yield* factorNotices(user.row, "disabled")
    const added = yield* secondFactorRemovals(user.row)
    yield* (yield* Store).commit([removeVersioned(TwoFactors, app), update(Users, user, {}), ...emails, ...added])
    return Endpoint.reply(Endpoint.succeeded)
  }, asOwner),
})

export const replaceBackupCodes = ({ backup_code_count }: TwoFactorSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/2fa/totp/backup-codes",
    name: "twoFactorTotpBackupCodes",
    summary: "Replaces the backup codes.",
    ...steppedUp,
    input: Proof,
    output: Schema.Struct({ backup_codes: BackupCodes }),
    errors: [InvalidCredentials, InvalidOtp, TwoFactorNotEnabled],
    handler: Effect.fnUntraced(function* twoFactorBackupCodes(proof) {
      const { user, app, changes } = yield* proved(proof)
      const { codes, hashes } = yield* newBackupCodes(app.row, backup_code_count)
      const renewed = update(TwoFactors, app, { ...changes, backup_codes: hashes, updated_at: yield* DateTime.now })
      yield* (yield* Store).commit([check(Users, user), renewed, ...(yield* factorNotices(user.row, "backupCodesReplaced"))])
      return Endpoint.reply({ backup_codes: codes })
    }, asOwner),
  })

export const status = Endpoint.make({
  method: "GET",
  path: "/2fa/totp/status",
  name: "twoFactorTotpStatus",
  summary: "Whether the second factor is enabled, and how many backup codes are left.",
  access: "session",
  output: Schema.Struct({ enabled: Schema.Boolean, backup_codes_remaining: Schema.Int }),
  handler: Effect.fnUntraced(function* twoFactorStatus() {
    const app = yield* confirmedOf((yield* CurrentSession).user.id)
    const backup_codes_remaining = Option.match(app, { onNone: () => 0, onSome: ({ row }) => row.backup_codes.length })
    return Endpoint.reply({ enabled: Option.isSome(app), backup_codes_remaining })
  }),
})

/** The caller and their app, after a check of the password, or of a code for users without one. */
const proved = Effect.fnUntraced(function* provedByPasswordOrCode({ password, code }: Proof) {
  const { user } = yield* rereadSession
  const app = yield* orFail(confirmedOf(user.row.id), () => new TwoFactorNotEnabled())
  const isProved = yield* provePassword(user.row.id, password)
  return { user, app, changes: isProved ? {} : yield* byCode(app, code) }
})

/**
 * Checks a code of the app or a backup code. If only codes of the app were accepted, a user who has lost the app and has no password could
 * never replace it.
 */
const byCode = Effect.fnUntraced(function* provedByCode(app: Versioned<TwoFactor>, typed: string | undefined) {
  if (typed === undefined) return yield* invalidMember("code", "Missing key")
  return yield* /^(\s*\d){6}\s*$/.test(typed) ? guess(app, typed) : redeem(app, typed)
})
