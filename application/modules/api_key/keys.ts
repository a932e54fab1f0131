import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { permissions } from "../../../domain/administration/permissions.ts"
import { Forbidden, InvalidRequest, invalidMember } from "../../../domain/errors.ts"
import { insert, remove, removeVersioned, Store, update, type Versioned, type Write } from "../../../domain/ports/store.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { isNetwork } from "../../../domain/values/network.ts"
import { TooManyApiKeys } from "./errors.ts"
import { hashOf } from "./examine.ts"
import { firstMail } from "./expiry.ts"
import { hintOf, keyOf, type OwnerKind } from "./key-form.ts"
import { managed } from "./owners.ts"
import type { ApiKeySettings } from "./settings.ts"
import { type ApiKey, ApiKeyNotices, ApiKeySecrets, ApiKeys, ApiKeyUses } from "./tables.ts"

const Name = Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" }))
const Network = Schema.String.check(Schema.makeFilter(isNetwork, { expected: "an address or a network such as 203.0.113.0/24" }))
const Addresses = Schema.Array(Network).check(Schema.isMaxLength(20))
const Permissions = Schema.Array(Schema.String.check(Schema.isMaxLength(129))).check(Schema.isMaxLength(250))

/** The members of a new key. */
export const NewKey = {
  name: Name,
  permissions: Schema.optionalKey(Permissions),
  addresses: Schema.optionalKey(Addresses),
  expires_at: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromString)),
}
const Input = Schema.Struct(NewKey)

/** The changes of a key: narrower rights, another name. */
export const Changes = Schema.Struct({
  name: Schema.optionalKey(Name),
  permissions: Schema.optionalKey(Permissions),
  addresses: Schema.optionalKey(Addresses),
})

/** The owner of a new key. */
export interface Owner {
  readonly kind: OwnerKind
  readonly id: string
  /** Which permissions of the administration its keys can have. */
  readonly mayManage: ReturnType<typeof managed>
  /** The writes that make the commit fail once the owner has changed. They write the owner, so that its keys are counted one by one. */
  readonly writes: ReadonlyArray<Write>
}

/** The maximum number of keys that are valid. */
const limits = { user: 50, organization: 100, service_account: 20 } as const satisfies Record<OwnerKind, number>

/** The writes that add a key, and its text, which is shown once. */
export const newKey = Effect.fnUntraced(function* newKey(settings: ApiKeySettings, owner: Owner, input: typeof Input.Type) {
  const now = yield* DateTime.now
  const { name, permissions = [], addresses = [] } = input
  yield* checkPermissions(settings, owner, permissions)
  const removals = yield* room(owner, now)
  const { text, hash } = yield* newSecret(settings, owner.kind)
  const key: ApiKey = {
    id: yield* newId,
    owner_kind: owner.kind,
    owner_id: owner.id,
    user_id: owner.kind === "user" ? owner.id : null,
    name,
    hint: hintOf(text),
    permissions,
    addresses,
    expires_at: yield* endOf(settings, input.expires_at, now),
    revoked_at: null,
    created_at: now,
    updated_at: now,
  }
  const writes = [
    ...owner.writes,
    ...removals,
    insert(ApiKeys, key),
    insert(ApiKeySecrets, { hash, key_id: key.id, valid_until: null }),
    ...firstMail(key, now),
  ]
  return { text, key, writes }
})

const newSecret = Effect.fnUntraced(function* newSecret({ prefix }: ApiKeySettings, kind: OwnerKind) {
  const text = keyOf(prefix, kind, yield* (yield* SecureRandom.SecureRandom).randomBytes(32))
  return { text, hash: yield* hashOf(text) }
})

/** Fails unless the permissions are known, and the owner has those of the administration. */
const checkPermissions = Effect.fnUntraced(function* checkPermissions(
  settings: ApiKeySettings,
  { mayManage }: Pick<Owner, "mayManage">,
  given: ReadonlyArray<string>,
) {
  const known: ReadonlyArray<string> = [...settings.permissions, ...permissions]
  const unknown = given.findIndex((permission) => !known.includes(permission))
  const message = `permissions.${unknown}: Expected one of ${known.join(", ")}`
  if (unknown !== -1) return yield* new InvalidRequest({ member: "permissions", message })
  const lacking = [...managed(given)].filter((permission) => !mayManage.has(permission))
  if (lacking.length > 0) return yield* new Forbidden({ message: `The owner of the key lacks ${lacking.join(", ")}.` })
})

/** The end of a new key. */
const endOf = Effect.fnUntraced(function* endOf(
  { default_days, max_days, allow_unlimited }: ApiKeySettings,
  wanted: DateTime.Utc | null | undefined,
  now: DateTime.Utc,
) {
  if (wanted === undefined) return DateTime.add(now, { days: default_days })
  if (wanted === null && allow_unlimited) return null
  const latest = DateTime.add(now, { days: max_days })
  if (wanted === null || hasEnded(wanted, now) || !hasEnded(wanted, latest))
    return yield* invalidMember("expires_at", `Expected a moment in the next ${max_days} days`)
  return wanted
})

/** Fails if the owner has as many valid keys as it can have. Returns the writes that remove keys which have ended. */
const room = Effect.fnUntraced(function* roomForKey({ kind, id }: Owner, now: DateTime.Utc) {
  const most = limits[kind]
  const all = yield* (yield* Store).list(ApiKeys, { owner_kind: kind, owner_id: id }, { limit: 2 * most + 1, order: "id" })
  const ended = all.filter((key) => key.revoked_at !== null || hasEnded(key.expires_at, now))
  if (all.length - ended.length >= most) return yield* new TooManyApiKeys()
  if (ended.length < most) return []
  const oldest = ended.slice(0, ended.length - most + 1)
  const secrets = yield* (yield* Store).listForEach(
    ApiKeySecrets,
    "key_id",
    oldest.map((key) => key.id),
    { limit: 2 },
  )
  return [
    ...secrets.flat().map(({ hash }) => remove(ApiKeySecrets, hash)),
    ...oldest.flatMap((key) => [remove(ApiKeyUses, key.id), remove(ApiKeyNotices, key.id), remove(ApiKeys, key.id)]),
  ]
})

/** The writes that change a key. Its permissions become no more than they were. */
export const changed = Effect.fnUntraced(function* changedKey(key: Versioned<ApiKey>, changes: typeof Changes.Type) {
  const { permissions = [] } = changes
  if (!permissions.every((permission) => key.row.permissions.includes(permission)))
    return yield* invalidMember("permissions", "Expected permissions that the key has: a key only loses permissions")
  const next = { ...key.row, ...changes, updated_at: yield* DateTime.now }
  return { key: next, writes: [update(ApiKeys, key, next)] }
})

/** The longest time in which the secret before a rotation stays valid, in seconds. */
export const maxOverlap = 7 * 86_400

/** The writes that give a key another secret. The one before stays valid for a while; a still older one ends at once. */
export const rotated = Effect.fnUntraced(function* rotatedKey(settings: ApiKeySettings, key: Versioned<ApiKey>, overlap: number) {
  const now = yield* DateTime.now
  const { text, hash } = yield* newSecret(settings, key.row.owner_kind)
  const secrets = yield* (yield* Store).list(ApiKeySecrets, { key_id: key.row.id }, { limit: 10 })
  const writes = yield* Effect.forEach(secrets, (secret) => ended(secret.hash, secret.valid_until === null && overlap > 0, now, overlap))
  const next = { ...key.row, hint: hintOf(text), updated_at: now }
  const added = insert(ApiKeySecrets, { hash, key_id: key.row.id, valid_until: null })
  return { text, key: next, writes: [update(ApiKeys, key, next), ...writes.flat(), added] }
})

const ended = Effect.fnUntraced(function* endedSecret(hash: string, staysFor: boolean, now: DateTime.Utc, overlap: number) {
  const secret = yield* (yield* Store).read(ApiKeySecrets, { hash })
  if (Option.isNone(secret)) return []
  if (!staysFor) return [removeVersioned(ApiKeySecrets, secret.value)]
  return [update(ApiKeySecrets, secret.value, { valid_until: DateTime.add(now, { seconds: overlap }) })]
})

/** The write that ends a key with all of its secrets. */
export const revoked = Effect.fnUntraced(function* revokedKey(key: Versioned<ApiKey>) {
  const now = yield* DateTime.now
  return update(ApiKeys, key, { revoked_at: now, updated_at: now })
})
