import { Effect, Option, Schema } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Users } from "../../../domain/users/tables.ts"

/** The purpose of the key that encrypts the apps' secrets. */
export const secretPurpose = "two_factor"

/** The prefix of the slow hash of a backup code. */
export const slowPrefix = "slow:"
/** The prefix of an earlier version's HMAC that is keyed by the app's own secret. Those without a prefix are keyed by the service's secret. */
export const appKeyPrefix = "app:"
const isKeyedByService = (hash: string) => !hash.startsWith(slowPrefix) && !hash.startsWith(appKeyPrefix)

const TwoFactor = Schema.Struct({
  user_id: Schema.String,
  /** The secret of the user's authenticator app, encrypted. */
  secret: Schema.String,
  /** Hashes of the unused backup codes. */
  backup_codes: Schema.Array(Schema.String),
  /** The latest time steps of accepted codes. */
  used_steps: Schema.Array(Schema.Int),
  /** Wrong codes of the app since the last right one. */
  failures: Schema.Int,
  locked_until: Schema.NullOr(Schema.DateTimeUtc),
  /** Null until the user has confirmed the app with a code. An unconfirmed app challenges no sign-in. */
  confirmed_at: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})
export interface TwoFactor extends Schema.Schema.Type<typeof TwoFactor> {}

/** Authenticator apps, one per user. An operation that confirms or removes one must also write the user. */
export const TwoFactors = Table.make("two_factor", TwoFactor, {
  key: "user_id",
  references: { user_id: Users },
  indexed: ["secret"],
  sealed: { secret: secretPurpose },
  keyed: {
    isIn: ({ backup_codes, confirmed_at }) => confirmed_at !== null && backup_codes.some(isKeyedByService),
    description:
      "backup codes of an earlier version, which become invalid when the secret that they were made with is removed: before you remove it, have these users make new ones (POST /2fa/totp/backup-codes)",
  },
  data: {
    personal: ["locked_until", "confirmed_at", "created_at", "updated_at"],
    secret: ["secret", "backup_codes", "used_steps"],
    other: ["user_id", "failures"],
  },
})

export const isConfirmed = ({ confirmed_at }: TwoFactor) => confirmed_at !== null

/** The app that a user has confirmed. */
export const confirmedOf = (user_id: string) =>
  Store.use(({ read }) => read(TwoFactors, { user_id })).pipe(Effect.map(Option.filter(({ row }) => isConfirmed(row))))
