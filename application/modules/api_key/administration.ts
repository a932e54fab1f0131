import { Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { permittedBy, ServiceAccounts, serviceAccountOf } from "../../../domain/administration/service-accounts.ts"
import { IdempotencyKeyReused } from "../../../domain/errors.ts"
import { commitOrConflict, orFail, retryOnConflict, Store, update, type Versioned } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../service/idempotency.ts"
import { NextPage, PageInput } from "../../service/paging.ts"
import { ApiKeyNotFound, TooManyApiKeys } from "./errors.ts"
import { NewKey, newKey, type Owner, revoked, rotated } from "./keys.ts"
import { pageOfKeys } from "./list.ts"
import { defaultOverlap, Overlap } from "./own.ts"
import { managed } from "./owners.ts"
import type { ApiKeySettings } from "./settings.ts"
import { ListedKey, OwnerKind, ShownKey, shown } from "./shown.ts"
import { type ApiKey, ApiKeys } from "./tables.ts"

// The keys of service accounts, which administrators make, and the keys of all owners, which they list and revoke.

/** The service account as the owner of a key; unknown to a caller who lacks one of its permissions. */
const accountWith = Effect.fnUntraced(function* accountWith(id: string) {
  const account = yield* orFail(serviceAccountOf(id), () => new ApiKeyNotFound({ message: "There is no such service account." }))
  const permissions = permittedBy(account.row)
  const unchanged = yield* ofPrincipal(null, permissions)
  const owner: Owner = { kind: "service_account", id, mayManage: permissions, writes: [...unchanged, update(ServiceAccounts, account, {})] }
  return owner
})

const WithText = Schema.Struct({ key: Schema.String, api_key: ShownKey })
const Creation = Schema.Struct({ ...IdempotencyKey, ...NewKey, service_account_id: Schema.String })

const create = (settings: ApiKeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/api-keys/create",
    summary: "Makes a key for a service account, with at most its permissions. Only this response has the key.",
    access: { permission: "api_keys:write" },
    input: Creation,
    output: WithText,
    errors: [ApiKeyNotFound, TooManyApiKeys, IdempotencyKeyReused],
    takesReason: true,
    handler: idempotent(
      WithText,
      Effect.fnUntraced(function* adminCreateApiKey(
        { service_account_id, ...input }: Omit<typeof Creation.Type, "idempotency_key">,
        keep: Keep<typeof WithText.Type>,
      ) {
        const owner = yield* accountWith(service_account_id)
        const { text, key, writes } = yield* newKey(settings, owner, input)
        const answer = { key: text, api_key: shown(key) }
        yield* commitOrConflict([...(yield* keep(answer)), ...writes])
        return Endpoint.reply(answer)
      }, retryOnConflict),
    ),
  })

const stored = Effect.fnUntraced(function* storedKey(id: string) {
  return yield* orFail((yield* Store).read(ApiKeys, { id }), () => new ApiKeyNotFound())
})

const Rotation = Schema.Struct({ ...IdempotencyKey, key_id: Schema.String, overlap: Overlap })

const rotate = (settings: ApiKeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/api-keys/rotate",
    summary: "Gives a key of a service account another text. The one before stays valid for `overlap` seconds, by default a day.",
    access: { permission: "api_keys:write" },
    input: Rotation,
    output: WithText,
    errors: [ApiKeyNotFound, IdempotencyKeyReused],
    takesReason: true,
    handler: idempotent(
      WithText,
      Effect.fnUntraced(function* adminRotateApiKey(
        { key_id, overlap = defaultOverlap }: Omit<typeof Rotation.Type, "idempotency_key">,
        keep: Keep<typeof WithText.Type>,
      ) {
        const key = yield* stored(key_id)
        if (key.row.owner_kind !== "service_account" || key.row.revoked_at !== null) return yield* new ApiKeyNotFound()
        const { writes: unchanged } = yield* accountWith(key.row.owner_id)
        const { text, key: next, writes } = yield* rotated(settings, key, overlap)
        const answer = { key: text, api_key: shown(next) }
        yield* commitOrConflict([...(yield* keep(answer)), ...unchanged, ...writes])
        return Endpoint.reply(answer)
      }, retryOnConflict),
    ),
  })

/** The writes that make a revocation fail if the caller loses a right that the owner has: callers revoke no key of those above them. */
const authorityOver = Effect.fnUntraced(function* authorityOver({ row }: Versioned<ApiKey>) {
  if (row.user_id === null) return yield* ofPrincipal(null, managed(row.permissions))
  const user = yield* (yield* Store).read(Users, { id: row.user_id })
  return yield* ofPrincipal(Option.getOrNull(Option.map(user, ({ row }) => row)))
})

const revoke = Endpoint.make({
  method: "POST",
  path: "/admin/api-keys/revoke",
  summary: "Ends a key of any owner at once, also during a rotation.",
  access: { permission: "api_keys:revoke" },
  input: Schema.Struct({ key_id: Schema.String }),
  output: Success,
  errors: [ApiKeyNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminRevokeApiKey({ key_id }) {
    const key = yield* stored(key_id)
    const unchanged = yield* authorityOver(key)
    if (key.row.revoked_at === null) yield* commitOrConflict([...unchanged, yield* revoked(key)])
    return Endpoint.reply(succeeded)
  }, retryOnConflict),
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/api-keys/list",
  summary: "The keys of all owners, or of one, the earliest first, with their last use.",
  access: { permission: "api_keys:read" },
  input: Schema.Struct({
    owner_kind: Schema.optionalKey(OwnerKind),
    owner_id: Schema.optionalKey(Schema.String),
    ...PageInput,
  }),
  output: Schema.Struct({ api_keys: Schema.Array(ListedKey), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListApiKeys({ owner_kind, owner_id, ...request }) {
    const owner = owner_kind === undefined || owner_id === undefined ? {} : { owner_kind, owner_id }
    return Endpoint.reply(yield* pageOfKeys(owner, request))
  }),
})

export const administration = (settings: ApiKeySettings) => [create(settings), rotate(settings), revoke, list] as const
