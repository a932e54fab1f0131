import { DateTime, Effect, Option, Schema } from "effect"
import { consume, countByNetwork } from "../../../../../domain/limits/limits.ts"
import { conflictIfTaken, insert, retryOnConflict, Store, update } from "../../../../../domain/ports/store.ts"
import { after } from "../../../../../domain/sessions/session.ts"
import { challengeOf } from "../../../../../domain/tokens/pkce.ts"
import { withoutLocalPort } from "../../../../../domain/values/redirect-uri.ts"
import { InvalidClientMetadata, InvalidRedirectUri } from "../../errors.ts"
import type { Settings } from "../../settings.ts"
import { Metadata } from "../client.ts"
import type { RegistrationMetadata } from "../registration-metadata.ts"
import { type AgentClient, AgentClients, asClient, openId, unusedFor } from "./agent-clients.ts"
import { agentMetadata, isAgentRedirectUri } from "./document-content.ts"

const perNetwork = { limit: 60, window: 600 }
const newPerNetwork = { limit: 50, window: 86_400 }
const newInAll = { name: "idp/new_registrations", limit: 1000, window: 86_400 }

const distinct = (uris: ReadonlyArray<string>) => [...new Set(uris)].toSorted()

/** What an agent registers: members that are not here have no effect, and it always is a public client. */
const metadataOf = Effect.fnUntraced(function* metadataOf(given: RegistrationMetadata, redirect_uris: ReadonlyArray<string>) {
  const written = {
    ...agentMetadata,
    token_endpoint_auth_method: "none",
    client_name: given.client_name ?? null,
    redirect_uris: distinct(redirect_uris.map(withoutLocalPort)),
    refresh_tokens: given.grant_types?.includes("refresh_token") ?? false,
  }
  return yield* Effect.mapError(
    Schema.decodeUnknownEffect(Metadata)(written),
    () => new InvalidClientMetadata({ message: "client_name: wanted a name of at most 64 characters" }),
  )
})

/** The row of a registration: a new one, or the one that was stored before, which lives for another day at least. */
const keptRegistration = Effect.fnUntraced(function* keptRegistration(row: AgentClient) {
  const store = yield* Store
  const stored = yield* store.read(AgentClients, { client_id: row.client_id })
  if (Option.isNone(stored)) {
    yield* countByNetwork("new_registrations", newPerNetwork)
    yield* consume(newInAll, "all")
    yield* conflictIfTaken(store.commit([insert(AgentClients, row)]))
    return row
  }
  if (DateTime.isLessThan(stored.value.row.expires_at, row.expires_at)) {
    yield* store.commit([update(AgentClients, stored.value, { expires_at: row.expires_at })])
  }
  return stored.value.row
})

/**
 * Registers a public client without a token (RFC 7591). Registrations with equal metadata are one client, which
 * has no secret. Redirect URIs that are not permitted are left out while one remains (section 3.2.1).
 */
export const registerAgent = Effect.fnUntraced(function* registerAgent(
  settings: Settings,
  native: ReadonlyArray<string>,
  given: RegistrationMetadata,
) {
  yield* countByNetwork("registration", perNetwork)
  const uris = given.redirect_uris ?? []
  const web = uris.filter(isAgentRedirectUri).slice(0, 20)
  const native_redirect_uris = distinct(uris.filter((uri) => native.includes(uri))).slice(0, 20)
  if (web.length + native_redirect_uris.length === 0) return yield* new InvalidRedirectUri()
  const metadata = yield* metadataOf(given, web)
  const { client_name, redirect_uris, refresh_tokens } = metadata
  const client_id = openId(yield* challengeOf(JSON.stringify([client_name, redirect_uris, native_redirect_uris, refresh_tokens])))

  const now = yield* DateTime.now
  const times = { created_at: now, read_at: now, fresh_until: now, expires_at: after(now, unusedFor) }
  const row: AgentClient = { client_id, kind: "open", metadata, native_redirect_uris, withdrawn_at: null, blocked_at: null, ...times }
  const { created_at } = yield* retryOnConflict(keptRegistration(row))
  return {
    client_id,
    client_id_issued_at: Math.floor(DateTime.toEpochMillis(created_at) / 1000),
    client_name: client_name ?? undefined,
    redirect_uris: [...web, ...native_redirect_uris],
    grant_types: ["authorization_code", ...(refresh_tokens ? ["refresh_token"] : [])],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: asClient(settings, row, true).scopes.join(" "),
  }
})
