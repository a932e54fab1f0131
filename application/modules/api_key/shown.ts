import { Schema } from "effect"
import { Permissions } from "../../../domain/organizations/access-control.ts"
import { ownerKinds } from "./key-form.ts"
import type { ApiKey, ApiKeyUse } from "./tables.ts"

export const OwnerKind = Schema.Literals(ownerKinds).annotate({ identifier: "ApiKeyOwnerKind" })

export const Owner = Schema.Struct({ kind: OwnerKind, id: Schema.String }).annotate({ identifier: "ApiKeyOwner" })

/** What a key of an organization may do there. */
const Statement = Schema.NullOr(Permissions).pipe(
  Schema.annotateKey({ description: 'What a key of an organization may do in it, by resource, such as `{ team: ["create"] }`.' }),
)

/** A key as its owner and administrators see it. */
export const ShownKey = Schema.Struct({
  id: Schema.String,
  owner: Owner,
  name: Schema.String,
  hint: Schema.String.pipe(Schema.annotateKey({ description: "The last four characters before the checksum." })),
  permissions: Schema.Array(Schema.String),
  statement: Statement,
  addresses: Schema.Array(Schema.String),
  expires_at: Schema.NullOr(Schema.DateTimeUtc),
  revoked_at: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "ApiKey" })

export const shown = ({ owner_kind, owner_id, user_id: _, organization_role: __, ...rest }: ApiKey): typeof ShownKey.Type => ({
  ...rest,
  owner: { kind: owner_kind, id: owner_id },
})

/** A key in a list, with its last use. */
export const ListedKey = Schema.Struct({
  ...ShownKey.fields,
  last_used_at: Schema.NullOr(Schema.DateTimeUtc),
  last_used_from: Schema.NullOr(Schema.String),
}).annotate({ identifier: "ListedApiKey" })

export const listed = (key: ApiKey, use: ApiKeyUse | undefined): typeof ListedKey.Type => ({
  ...shown(key),
  last_used_at: use?.at ?? null,
  last_used_from: use?.ip_address ?? null,
})
