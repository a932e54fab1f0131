import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Store, update } from "../../../../../domain/ports/store.ts"
import * as Table from "../../../../../domain/ports/table.ts"
import { after } from "../../../../../domain/sessions/session.ts"
import { readLive } from "../../../../../domain/storage/live.ts"
import type { Settings } from "../../settings.ts"
import { type Agent, type Client, Metadata, offlineAccess } from "../client.ts"
import { AgentKind } from "../client-values.ts"
import { documentUrl } from "./document-address.ts"

const day = 86_400
/** Seconds for which an agent is kept that no user has allowed anything. */
export const unusedFor = day
/** Seconds for which it is kept after a user has. */
export const keptFor = 90 * day
/** Seconds for which the last copy of a document counts that cannot be read any more. */
const usableFor = 7 * day
/** Seconds for which tokens of an agent can be refreshed after its document was withdrawn. */
const grace = day

const AgentClient = Schema.Struct({
  /** The URL of the client ID metadata document; for an open registration `open_` and the hash of what was registered. */
  client_id: Schema.String,
  kind: AgentKind,
  metadata: Metadata,
  /** Redirect URIs with a scheme that the configuration permits, and that other clients cannot have. */
  native_redirect_uris: Schema.Array(Schema.String),
  created_at: Schema.DateTimeUtc,
  /** When the document was read last; of an open registration, when it was stored. */
  read_at: Schema.DateTimeUtc,
  /** Until when the document is not read again. */
  fresh_until: Schema.DateTimeUtc,
  /** When the document was found to be gone or not valid. */
  withdrawn_at: Schema.NullOr(Schema.DateTimeUtc),
  /** When an administrator blocked the client. */
  blocked_at: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type AgentClient = typeof AgentClient.Type

/** The agents: clients with a metadata document, and clients that registered without a token. */
export const AgentClients = Table.make("agent_client", AgentClient, { key: "client_id", expires: "expires_at" })

const openPrefix = "open_"
/** Whether a client_id can be that of an agent. No other client has such an id. */
export const isAgentId = (client_id: string): boolean => client_id.startsWith(openPrefix) || /^https?:\/\//.test(client_id)
export const openId = (hash: string): string => `${openPrefix}${hash}`

/** Whether the configuration permits an agent: it may have changed after the agent was stored. */
const isPermitted = ({ metadata_clients, open_registration }: Settings, { kind, client_id }: AgentClient, public_only: boolean) => {
  if (kind === "open") return open_registration !== null
  return metadata_clients !== null && documentUrl(client_id, metadata_clients, !public_only) !== undefined
}

/** Whether the stored copy of a document still counts. */
const isUsable = ({ kind, read_at, withdrawn_at, blocked_at }: AgentClient, now: DateTime.Utc) => {
  if (blocked_at !== null) return false
  if (kind === "open") return true
  const end = withdrawn_at === null ? after(read_at, usableFor) : after(withdrawn_at, grace)
  return DateTime.isLessThan(now, end)
}

const standardScopes = ["openid", "profile", "email"]

/** An agent as a client: what it may request is decided by the configuration, not by what it says of itself. */
export const asClient = (settings: Settings, row: AgentClient, public_only: boolean): Client => {
  const { client_id, kind, metadata, native_redirect_uris, withdrawn_at } = row
  const agent: Agent = {
    kind,
    host: kind === "document" ? new URL(client_id).host : null,
    resources: settings.resources,
    isWithdrawn: withdrawn_at !== null,
  }
  const native = native_redirect_uris.filter((uri) => settings.open_registration?.native_redirect_uris.includes(uri))
  return {
    ...metadata,
    client_id,
    client_secret: Redacted.make(""),
    secret_hashes: [],
    public_only,
    redirect_uris: [...metadata.redirect_uris, ...native],
    scopes: [
      ...standardScopes,
      ...(metadata.refresh_tokens ? [offlineAccess] : []),
      ...new Set(settings.resources.flatMap(({ scopes }) => scopes)),
    ],
    resources: settings.resources.map(({ resource }) => resource),
    agent,
  }
}

/** The row of an agent that can be used; none if there is none, or it is blocked or not permitted, or its document was withdrawn. */
export const usableAgent = Effect.fnUntraced(function* usableAgent(settings: Settings, client_id: string, public_only: boolean) {
  const now = yield* DateTime.now
  const stored = yield* readLive(AgentClients, { client_id })
  return Option.filter(stored, ({ row }) => isPermitted(settings, row, public_only) && isUsable(row, now))
})

/** The writes that keep an agent for longer, since a user has allowed it something. */
export const keptAgent = Effect.fnUntraced(function* keptAgent({ client_id, agent }: Client) {
  if (agent === undefined) return []
  const stored = yield* (yield* Store).read(AgentClients, { client_id })
  const expires_at = after(yield* DateTime.now, keptFor)
  // A block has no end, and one write a day is enough.
  const isDue = Option.filter(
    stored,
    ({ row }) => row.blocked_at === null && DateTime.isGreaterThan(expires_at, after(row.expires_at, day)),
  )
  return Option.toArray(isDue).map((found) => update(AgentClients, found, { expires_at }))
})
