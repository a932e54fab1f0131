import { Schema } from "effect"
import { Permissions } from "../../../domain/organizations/access-control.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Users } from "../../../domain/users/tables.ts"
import { ownerKinds } from "./key-form.ts"

const ApiKey = Schema.Struct({
  id: Schema.String,
  owner_kind: Schema.Literals(ownerKinds),
  /** No reference: the modules with organizations and service accounts may be off. A key whose owner is gone is refused. */
  owner_id: Schema.String,
  /** The owner if it is a user, with whom the key is removed. */
  user_id: Schema.NullOr(Schema.String),
  name: Schema.String,
  /** The last characters of the random part. */
  hint: Schema.String,
  permissions: Schema.Array(Schema.String),
  /** What a key of an organization may do there, at most with the role of the member who made it. Null: nothing. */
  statement: Schema.NullOr(Permissions),
  organization_role: Schema.NullOr(Schema.String),
  /** The networks that may use the key (CIDR); none: all. */
  addresses: Schema.Array(Schema.String),
  /** Null: without an end. */
  expires_at: Schema.NullOr(Schema.DateTimeUtc),
  revoked_at: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})
export type ApiKey = typeof ApiKey.Type

/** The keys, without the secrets that prove them. */
export const ApiKeys = Table.make("api_key", ApiKey, {
  key: "id",
  indexed: [["owner_kind", "owner_id", "id"], "user_id"],
  references: { user_id: Users },
  data: {
    personal: ["id", "name", "hint", "permissions", "statement", "addresses", "expires_at", "revoked_at", "created_at", "updated_at"],
    other: ["owner_kind", "owner_id", "user_id", "organization_role"],
  },
})

const ApiKeySecret = Schema.Struct({
  hash: Schema.String,
  key_id: Schema.String,
  /** The end of a secret that a rotation has replaced. Null: the current one. */
  valid_until: Schema.NullOr(Schema.DateTimeUtc),
})

/** The secrets of keys as hashes: during a rotation a key has two. */
export const ApiKeySecrets = Table.make("api_key_secret", ApiKeySecret, {
  key: "hash",
  indexed: ["key_id"],
  references: { key_id: ApiKeys },
  data: { secret: ["hash"], other: ["key_id", "valid_until"] },
})

const ApiKeyNotice = Schema.Struct({ key_id: Schema.String, at: Schema.DateTimeUtc })

/** The next mails about the ends of keys of users. */
export const ApiKeyNotices = Table.make("api_key_notice", ApiKeyNotice, {
  key: "key_id",
  indexed: ["at"],
  references: { key_id: ApiKeys },
  data: { other: ["key_id", "at"] },
})

const ApiKeyUse = Schema.Struct({
  key_id: Schema.String,
  at: Schema.DateTimeUtc,
  ip_address: Schema.NullOr(Schema.String),
})
export type ApiKeyUse = typeof ApiKeyUse.Type

/** The last uses, apart from the keys: a use does not make a change of its key fail. */
export const ApiKeyUses = Table.make("api_key_use", ApiKeyUse, {
  key: "key_id",
  references: { key_id: ApiKeys },
  isLog: true,
  data: { personal: ["at", "ip_address"], other: ["key_id"] },
})
