import { Effect, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/storage/table.ts"
import { Accounts, Users } from "../../../domain/storage/tables.ts"
import type { Factor } from "../../service/module.ts"
import type { Descriptor } from "./wire.ts"

/** `provider_id` of the account that a passkey is; its `account_id` is the credential's id. */
export const provider_id = "passkey"

const shown = {
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  /** Null until somebody has signed in with it. */
  last_used_at: Schema.NullOr(Schema.DateTimeUtc),
  /** Whether it is on several devices, so that losing one does not lose it. */
  backed_up: Schema.Boolean,
  /** Ways to the authenticator that has it. */
  transports: Schema.Array(Schema.String),
}

/** A passkey as its owner sees it. */
export const Passkey = Schema.Struct(shown).annotate({ identifier: "Passkey" })

/** A passkey as it is stored: a further part of the account whose id it has. */
const StoredPasskey = Schema.Struct({
  ...shown,
  user_id: Schema.String,
  credential_id: Schema.String,
  public_key: Schema.String,
  counter: Schema.Int,
  backup_eligible: Schema.Boolean,
})
export type StoredPasskey = typeof StoredPasskey.Type

export const Passkeys = Table.make("passkey", StoredPasskey, {
  key: "id",
  unique: ["credential_id"],
  references: { id: Accounts, user_id: Users },
})

/** The most passkeys of one user. */
export const most = 50

/** A user's passkeys, the oldest first. */
export const passkeysOf = Effect.fnUntraced(function* passkeysOf(user_id: string) {
  return yield* (yield* Store).list(Passkeys, { user_id }, { limit: most, order: "created_at" })
})

/** A passkey needs no first factor beside it; while a user has one, sensitive changes need a recent proof. */
export const factor: Factor<Store> = {
  second: false,
  isHeldBy: Effect.fnUntraced(function* isHeldBy(user_id) {
    return (yield* (yield* Store).list(Passkeys, { user_id }, { limit: 1 })).length > 0
  }),
}

export const descriptorOf = ({ credential_id, transports }: StoredPasskey): Descriptor => ({
  type: "public-key",
  id: credential_id,
  transports,
})

/** What authenticators know a user by: nothing that says who they are. */
export const handleOf = (userId: string) => Base64Url.encode(userId)
