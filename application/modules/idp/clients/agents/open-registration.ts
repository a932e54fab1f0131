import { DateTime, Effect, Option, Schema } from "effect"
import { consume, countByNetwork } from "../../../../../domain/limits/limits.ts"
import { insert, isCommitted } from "../../../../../domain/ports/store.ts"
import { after } from "../../../../../domain/sessions/session.ts"
import { challengeOf } from "../../../../../domain/tokens/pkce.ts"
import { withoutLocalPort } from "../../../../../domain/values/redirect-uri.ts"
import { InvalidClientMetadata, InvalidRedirectUri } from "../../errors.ts"
import type { Settings } from "../../settings.ts"
import { Metadata } from "../client.ts"
import type { RegistrationMetadata } from "../registration-metadata.ts"
import { AgentClients, asClient, openId, usableAgent } from "./agent-clients.ts"
import { agentMetadata, isAgentRedirectUri } from "./document-content.ts"

/** Seconds for which a registration is kept that no user has allowed anything. */
const unusedFor = 86_400
const perNetwork = { limit: 60, window: 600 }
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

/**
 * Registers a public client without a token (RFC 7591). Equal metadata is one client, however often it is registered, and nobody has a
 * secret of it. Redirect URIs that are not permitted are left out while one remains (section 3.2.1).
 */
export const registerAgent = Effect.fnUntraced(function* registerAgent(
  settings: Settings,
  native: ReadonlyArray<string>,
  given: RegistrationMetadata,
) {
  yield* countByNetwork("registration", perNetwork)
  const uris = (given.redirect_uris ?? []).slice(0, 20)
  const web = uris.filter(isAgentRedirectUri)
  const native_redirect_uris = distinct(uris.filter((uri) => native.includes(uri)))
  if (web.length + native_redirect_uris.length === 0) return yield* new InvalidRedirectUri()
  const metadata = yield* metadataOf(given, web)
  const { client_name, redirect_uris, refresh_tokens } = metadata
  const client_id = openId(yield* challengeOf(JSON.stringify([client_name, redirect_uris, native_redirect_uris, refresh_tokens])))

  const created_at = yield* DateTime.now
  const times = { created_at, read_at: created_at, fresh_until: created_at, expires_at: after(created_at, unusedFor) }
  const row = { client_id, kind: "open" as const, metadata, native_redirect_uris, withdrawn_at: null, blocked_at: null, ...times }
  if (Option.isNone(yield* usableAgent(settings, client_id))) {
    yield* consume(newInAll, "all")
    // Another request may have stored the same client.
    yield* isCommitted([insert(AgentClients, row)])
  }
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
