import { DateTime, Effect, Option } from "effect"
import type { Credential, Held, HeldByMachine, Machine } from "../../../domain/policies.ts"
import { check, Store, type Versioned } from "../../../domain/ports/store.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import { networkTest } from "../../../domain/values/network.ts"
import { keyTest } from "./key-form.ts"
import { heldByKey } from "./owners.ts"
import type { ApiKeySettings } from "./settings.ts"
import { type ApiKey, ApiKeySecrets, ApiKeys } from "./tables.ts"

/** Why a key is refused. */
export const refusals = ["not_found", "revoked", "expired", "owner_inactive", "address", "permission", "budget"] as const
export type Refusal = (typeof refusals)[number]

/** A key that is valid now, and what it permits. */
export interface Live {
  readonly key: Versioned<ApiKey>
  readonly held: Held
}

export const hashOf = (text: string) => tokenHash("api_key", text)

/** The secret of this text, with its key. Asks the store only for a text with a correct checksum. */
export const readKey = Effect.fnUntraced(function* readKey({ prefix }: ApiKeySettings, text: string) {
  if (!keyTest(prefix)(text)) return Option.none()
  return yield* (yield* Store).readWithReferenced(ApiKeySecrets, { hash: yield* hashOf(text) }, "key_id")
})

/** The key with this text, for a request from this address; the reason if it is refused. */
export const examine = Effect.fnUntraced(function* examineKey(settings: ApiKeySettings, text: string, address: string | null) {
  const found = yield* readKey(settings, text)
  if (Option.isNone(found)) return "not_found" as const
  const [secret, key] = found.value
  if (hasEnded(secret.row.valid_until, yield* DateTime.now)) return "revoked" as const
  const end = yield* endOf(key.row)
  if (end !== undefined) return end
  const held = yield* heldByKey(key.row)
  if (Option.isNone(held)) return "owner_inactive" as const
  if (!isAdmittedFrom(key.row, address)) return "address" as const
  const { checks } = held.value
  return { key, held: { ...held.value, checks: [...checks, check(ApiKeys, key), check(ApiKeySecrets, secret)] } } satisfies Live
})

/** What a key permits now without a request, whatever its text is by now. */
export const heldById = Effect.fnUntraced(function* heldById({ kind, id }: Credential) {
  const key = kind === "api_key" ? yield* (yield* Store).read(ApiKeys, { id }) : Option.none()
  if (Option.isNone(key) || (yield* endOf(key.value.row)) !== undefined) return Option.none()
  const held = yield* heldByKey(key.value.row)
  return Option.map(
    held,
    ({ checks, ...rest }): HeldByMachine => ({
      ...principalOf(key.value.row),
      ...rest,
      checks: [...checks, check(ApiKeys, key.value)],
    }),
  )
})

/** A key of a service account acts as the account. A key of a user acts as itself, so that records tell its changes from the user's own. */
export const principalOf = ({ id, owner_kind, owner_id }: ApiKey): Pick<Machine, "kind" | "id"> =>
  owner_kind === "service_account" ? { kind: "service_account", id: owner_id } : { kind: "api_key", id }

/** How a key has ended; undefined: it has not. */
const endOf = ({ revoked_at, expires_at }: ApiKey) =>
  Effect.map(DateTime.now, (now) => (revoked_at !== null ? "revoked" : hasEnded(expires_at, now) ? "expired" : undefined))

/** A key with addresses is refused to a caller without a known one. */
const isAdmittedFrom = ({ addresses }: ApiKey, address: string | null) =>
  addresses.length === 0 || (address !== null && networkTest(addresses)(address))
