import { Effect, Option } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { WebhookNotFound } from "../errors.ts"
import { configured, type Settings } from "../settings.ts"
import { States, Webhooks } from "../tables.ts"
import { openSecrets } from "../webhooks.ts"

/** Whether there is such a webhook, in the configuration or the store. */
export const isKnown = Effect.fnUntraced(function* isKnownWebhook(settings: Settings, id: string) {
  return settings.webhooks.some((webhook) => webhook.id === id) || Option.isSome(yield* (yield* Store).read(Webhooks, { id }))
})

/** A webhook with its secrets. Fails if it is disabled: what is sent to it is set aside. */
export const enabledWebhook = Effect.fnUntraced(function* enabledWebhook(settings: Settings, id: string) {
  const { read } = yield* Store
  const inFile = configured(settings).find((webhook) => webhook.id === id)
  const stored = inFile === undefined ? Option.getOrUndefined(yield* read(Webhooks, { id })) : undefined
  const webhook = stored === undefined ? inFile : { ...stored.row, secrets: yield* openSecrets(stored.row) }
  if (webhook === undefined) return yield* new WebhookNotFound()
  const state = yield* read(States, { id })
  if (Option.exists(state, ({ row }) => row.disabled_at !== null))
    return yield* new InvalidRequest({ message: "The webhook is disabled: enable it first." })
  return webhook
})
