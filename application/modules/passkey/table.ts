import { Effect, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import type { Factor } from "../../../domain/policies.ts"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { authenticatorOf } from "./authenticators.ts"
import type { Descriptor } from "./wire.ts"

/** `provider_id` of the account for a passkey; its `account_id` is the credential id. */
export const provider_id = "passkey"

const publicFields = {
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  /** Null until the first sign-in with it. */
  last_used_at: Schema.NullOr(Schema.DateTimeUtc),
  /** Whether it is synced to several devices, so that it survives the loss of one. */
  backed_up: Schema.Boolean,
  transports: Schema.Array(Schema.String),
}

/** The form of a passkey for its owner. */
export const Passkey = Schema.Struct({
  ...publicFields,
  authenticator: Schema.NullOr(Schema.String).annotate({
    description: "The password manager or platform that has it, such as 1Password, as it claims itself; null if it is unknown.",
  }),
}).annotate({ identifier: "Passkey" })

/** A passkey as stored. It has the id of its account. */
const StoredPasskey = Schema.Struct({
  ...publicFields,
  user_id: Schema.String,
  credential_id: Schema.String,
  public_key: Schema.String,
  counter: Schema.Int,
  backup_eligible: Schema.Boolean,
  aaguid: Schema.NullOr(Schema.String),
  /** The id of the user who added it, if it has moved to another user since: authenticators keep the handle. */
  added_by: Schema.NullOr(Schema.String),
})
export type StoredPasskey = typeof StoredPasskey.Type

export const Passkeys = Table.make("passkey", StoredPasskey, {
  key: "id",
  unique: ["credential_id"],
  references: { id: Accounts, user_id: Users },
  data: {
    personal: ["name", "created_at", "last_used_at", "backed_up", "transports", "credential_id", "aaguid"],
    other: ["id", "user_id", "public_key", "counter", "backup_eligible", "added_by"],
  },
})

/** Limit on the passkeys of one user. */
export const maxPasskeys = 50

/** A passkey as its owner sees it. */
export const shown = (passkey: StoredPasskey) => ({ ...passkey, authenticator: authenticatorOf(passkey.aaguid) })

/** A user's passkeys, the oldest first. */
export const passkeysOf = (user_id: string) =>
  Store.use(({ list }) => list(Passkeys, { user_id }, { limit: maxPasskeys, order: "created_at" }))

/**
 * The factor of this module. A passkey is not a second factor, but while a user has one, sensitive changes require recent authentication.
 */
export const factor: Factor<Store> = {
  second: false,
  heldBy: Effect.fnUntraced(function* heldBy(userIds) {
    const each = yield* (yield* Store).listForEach(Passkeys, "user_id", userIds, { limit: 1 })
    return new Set(each.flat().map(({ user_id }) => user_id))
  }),
}

export const descriptorOf = ({ credential_id, transports }: StoredPasskey): Descriptor => ({
  type: "public-key",
  id: credential_id,
  transports,
})

/** The user handle for authenticators: the id, which contains no personal data (WebAuthn section 5.4.3). */
export const handleOf = (userId: string) => Base64Url.encode(userId)
