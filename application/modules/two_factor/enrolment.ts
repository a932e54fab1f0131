import { DateTime, Effect, Option, Schema } from "effect"
import { replace, update, type Versioned } from "../../../domain/ports/store.ts"
import { noFailures } from "../../../domain/sign-in/lockout.ts"
import { base32, uriOf } from "../../../domain/sign-in/totp.ts"
import type { User } from "../../../domain/users/user.ts"
import { matchCode, newBackupCodes, newSecret } from "./codes.ts"
import { issuerOf, type TwoFactorSettings } from "./settings.ts"
import { type TwoFactor, TwoFactors } from "./tables.ts"

export const BackupCodes = Schema.Array(Schema.String)

/** The secret for the user's app, and the backup codes. */
export const Enrolment = Schema.Struct({ secret: Schema.String, totp_uri: Schema.String, backup_codes: BackupCodes })

/** A new secret for a user without a confirmed app, and the write that stores it. It replaces an unconfirmed one. */
export const newEnrolment = Effect.fnUntraced(function* newEnrolment(
  settings: TwoFactorSettings,
  { id, email }: User,
  current: Option.Option<Versioned<TwoFactor>>,
) {
  const { bytes, sealed } = yield* newSecret
  const { codes, hashes } = yield* newBackupCodes({ user_id: id, secret: sealed }, settings.backup_code_count)
  const row = pending(id, sealed, hashes, yield* DateTime.now)
  const secret = base32(bytes)
  const issuer = yield* issuerOf(settings)
  const app: typeof Enrolment.Type = { secret, totp_uri: uriOf({ issuer, name: email, secret }), backup_codes: codes }
  return { app, write: replace(TwoFactors, current, row) }
})

const pending = (user_id: string, secret: string, backup_codes: ReadonlyArray<string>, now: DateTime.Utc): TwoFactor => ({
  user_id,
  secret,
  backup_codes,
  used_steps: [],
  ...noFailures,
  confirmed_at: null,
  created_at: now,
  updated_at: now,
})

/** The write that confirms an app by its first code. None for a wrong code, and for a confirmed app. */
export const confirmation = Effect.fnUntraced(function* confirmation(current: Versioned<TwoFactor>, code: string) {
  if (current.row.confirmed_at !== null) return Option.none()
  const match = yield* matchCode(current.row, code)
  const now = yield* DateTime.now
  return Option.map(match, (used) => update(TwoFactors, current, { ...used, confirmed_at: now, updated_at: now }))
})
