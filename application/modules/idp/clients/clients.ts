import { Effect, Option } from "effect"
import { Store } from "../../../../domain/ports/store.ts"
import type { Settings } from "../settings.ts"
import type { Client } from "./client.ts"
import { StoredClients, storedClient } from "./stored-clients.ts"

/**
 * The client with this id, in the configuration or in the store; none if there is no such client. The store is read each time, so that all
 * processes refuse a removed client at once.
 */
export const clientOf = Effect.fnUntraced(function* clientOf(settings: Settings, client_id: string | undefined) {
  const configured: Client | undefined = settings.clients.find((each) => each.client_id === client_id)
  if (configured !== undefined || client_id === undefined) return Option.fromUndefinedOr(configured)
  const stored = yield* (yield* Store).read(StoredClients, { client_id })
  return Option.isNone(stored) ? Option.none<Client>() : Option.some(yield* storedClient(settings, stored.value.row))
})
