import { Effect, Option, Redacted, Schema } from "effect"
import { Store, type Versioned } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { Settings as CoreSettings } from "../../../../domain/settings.ts"
import { searchedTexts } from "../../../../domain/storage/searched-texts.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { searchable } from "../../../../domain/values/text.ts"
import { isLocal } from "../../../../domain/values/url.ts"
import type { Settings } from "../settings.ts"
import { asClient, isAgentId, usableAgent } from "./agents/agent-clients.ts"
import { type Client, Metadata } from "./client.ts"

const StoredClient = Schema.Struct({
  /** Generated, and never used again: tokens of a removed client must not become valid again. */
  client_id: Schema.String,
  metadata: Metadata,
  /** The hashes of the secrets, the newest first; two during a rotation. */
  secret_hashes: Schema.Array(Schema.String),
  /** The hash of the registration access token (RFC 7592); null for a client that an administrator created. */
  registration_hash: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})
export type StoredClient = typeof StoredClient.Type

/** The clients that are not in the configuration. */
export const StoredClients = Table.make("oauth_client", StoredClient, {
  key: "client_id",
  /** Empty without a name, so that null finds the clients that an earlier version of the program wrote. */
  searched: { search_name: ({ metadata }) => searchable(metadata.client_name ?? "") },
})

/** Gives clients that an earlier version of the program wrote the text by which administrators search. */
export const clientSearchTexts = searchedTexts(StoredClients, { search_name: null })

/** Whether requests to the URLs of a client in the store must stay out of private networks. */
export const isPublicOnly = ({ allow_private_addresses }: Settings, isSelfRegistered: boolean) =>
  Effect.map(CoreSettings, ({ public_url }) => !allow_private_addresses || (isSelfRegistered && !isLocal(new URL(public_url))))

export const storedClient = Effect.fnUntraced(function* storedClient(settings: Settings, row: StoredClient) {
  const { client_id, metadata, secret_hashes, registration_hash } = row
  const public_only = yield* isPublicOnly(settings, registration_hash !== null)
  return { ...metadata, client_id, client_secret: Redacted.make(""), secret_hashes, public_only } satisfies Client
})

export interface Found {
  readonly client: Client
  /** None for a client of the configuration, and for an agent. */
  readonly stored: Option.Option<Versioned<StoredClient>>
}

/**
 * The client with this id, in the configuration or in the store, with its row; none if there is no such client. The store is read each
 * time, so that all processes refuse a removed client at once.
 */
export const findClient = Effect.fnUntraced(function* findClient(settings: Settings, client_id: string | undefined) {
  const configured = settings.clients.find((each) => each.client_id === client_id)
  if (configured !== undefined) return Option.some<Found>({ client: configured, stored: Option.none() })
  if (client_id === undefined) return Option.none<Found>()
  if (isAgentId(client_id)) return yield* findAgent(settings, client_id)
  const stored = yield* (yield* Store).read(StoredClients, { client_id })
  return Option.isNone(stored)
    ? Option.none<Found>()
    : Option.some<Found>({ client: yield* storedClient(settings, stored.value.row), stored })
})

const findAgent = Effect.fnUntraced(function* findAgent(settings: Settings, client_id: string) {
  const public_only = yield* isPublicOnly(settings, true)
  const stored = yield* usableAgent(settings, client_id, public_only)
  return Option.map(stored, ({ row }): Found => ({ client: asClient(settings, row, public_only), stored: Option.none() }))
})

/** As `findClient`, without the row. */
export const clientOf = (settings: Settings, client_id: string | undefined) =>
  Effect.map(
    findClient(settings, client_id),
    Option.map(({ client }) => client),
  )

/** The stored form of a secret. It has 256 random bits, so a plain hash cannot be reversed. */
export const clientSecretHash = (secret: string) => tokenHash("client_secret", secret)
