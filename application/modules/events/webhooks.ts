import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { Store } from "../../../domain/ports/store.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { configured, type Settings, type Webhook } from "./settings.ts"
import { purpose, States, type StoredWebhook, Webhooks } from "./tables.ts"

const Secrets = Schema.fromJsonString(Schema.Array(Schema.String))

/** A new secret of 256 bits (Standard Webhooks). */
export const newSecret = Effect.gen(function* newWebhookSecret() {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(32)
  return `whsec_${Base64.encode(bytes)}`
})

export const sealSecrets = (secrets: ReadonlyArray<string>) => Effect.flatMap(Keys, (keys) => keys.seal(purpose, JSON.stringify(secrets)))

/** The secrets of a stored webhook; none if no listed secret of the service decrypts them. */
export const openSecrets = Effect.fnUntraced(function* openSecrets({ sealed_secrets }: StoredWebhook) {
  const text = yield* (yield* Keys).open(purpose, sealed_secrets)
  return Option.getOrElse(Option.flatMap(text, Schema.decodeUnknownOption(Secrets)), () => [])
})

/** All webhooks that are not disabled. */
export const enabledWebhooks = (settings: Settings) =>
  Effect.gen(function* findEnabled() {
    const stored = yield* storedWebhooks(settings)
    const disabled = yield* disabledIds(settings)
    const all = [
      ...configured(settings),
      ...(yield* Effect.forEach(stored, (row) => Effect.map(openSecrets(row), (secrets): Webhook => ({ ...row, secrets })))),
    ]
    return all.filter(({ id }) => !disabled.has(id))
  })

/** The number of disabled webhooks. A webhook that was removed from the configuration does not count, although its state remains. */
export const countDisabled = (settings: Settings) =>
  Effect.gen(function* countDisabledWebhooks() {
    const all = [...configured(settings), ...(yield* storedWebhooks(settings))]
    const disabled = yield* disabledIds(settings)
    return all.filter(({ id }) => disabled.has(id)).length
  })

const storedWebhooks = ({ max_webhooks }: Settings) =>
  Effect.flatMap(Store, ({ list }) => list(Webhooks, {}, { limit: max_webhooks + 1, order: "id" }))

const disabledIds = (settings: Settings) =>
  Effect.map(statesOf(settings), (states) => new Set(states.flatMap(({ id, disabled_at }) => (disabled_at === null ? [] : [id]))))

/** The states of all webhooks that have one. */
export const statesOf = ({ webhooks, max_webhooks }: Settings) =>
  Effect.flatMap(Store, ({ list }) => list(States, {}, { limit: webhooks.length + max_webhooks + 1, order: "id" }))

/** The longest time without success before a webhook is disabled. */
const patience = { hours: 120 }

export const isWornOut = (failingSince: DateTime.Utc, now: DateTime.Utc) =>
  DateTime.isLessThanOrEqualTo(DateTime.add(failingSince, patience), now)
