import { DateTime, Effect, Schema } from "effect"
import { orFail, retryOnConflict, Store, update } from "../../../../../domain/ports/store.ts"
import { after } from "../../../../../domain/sessions/session.ts"
import * as Endpoint from "../../../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../../../service/paging.ts"
import { ClientNotFound } from "../../errors.ts"
import { AgentKind } from "../client-values.ts"
import { type AgentClient, AgentClients, keptFor } from "./agent-clients.ts"

/** An agent as administrators see it. */
const Shown = Schema.Struct({
  client_id: Schema.String,
  kind: AgentKind,
  client_name: Schema.NullOr(Schema.String),
  redirect_uris: Schema.Array(Schema.String),
  token_endpoint_auth_method: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  read_at: Schema.DateTimeUtc,
  withdrawn_at: Schema.NullOr(Schema.DateTimeUtc),
  blocked_at: Schema.NullOr(Schema.DateTimeUtc),
}).annotate({ identifier: "AgentClient", description: "A client with a metadata document, or with a registration that needed no token." })

const shown = ({ metadata, native_redirect_uris, ...row }: AgentClient): typeof Shown.Type => ({
  client_id: row.client_id,
  kind: row.kind,
  client_name: metadata.client_name,
  redirect_uris: [...metadata.redirect_uris, ...native_redirect_uris],
  token_endpoint_auth_method: metadata.token_endpoint_auth_method,
  created_at: row.created_at,
  read_at: row.read_at,
  withdrawn_at: row.withdrawn_at,
  blocked_at: row.blocked_at,
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/clients/agents",
  summary: "The agents: clients with a metadata document, and clients that registered without a token.",
  access: { permission: "clients:read" },
  input: Schema.Struct(PageInput),
  output: Schema.Struct({ clients: Schema.Array(Shown), ...NextPage }),
  handler: Effect.fnUntraced(function* identityProviderListAgents(request) {
    const { rows, rest } = yield* page(AgentClients, {}, request)
    return Endpoint.reply({ clients: rows.map(shown), ...rest })
  }),
})

const forever = DateTime.makeUnsafe("9999-12-31T00:00:00Z")

/** A block is a change of the row, so every process refuses the client and its tokens at once. */
const marked = (isBlocked: boolean) =>
  Effect.fnUntraced(function* markAgent({ client_id }: { readonly client_id: string }) {
    const store = yield* Store
    const stored = yield* orFail(store.read(AgentClients, { client_id }), () => new ClientNotFound())
    const now = yield* DateTime.now
    const changes = isBlocked ? { blocked_at: now, expires_at: forever } : { blocked_at: null, expires_at: after(now, keptFor) }
    yield* store.commit([update(AgentClients, stored, changes)])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict)

const shared = {
  method: "POST",
  access: { permission: "clients:write" },
  input: Schema.Struct({ client_id: Schema.String }),
  output: Endpoint.Success,
  errors: [ClientNotFound],
  takesReason: true,
} as const

const block = Endpoint.make({
  ...shared,
  path: "/admin/clients/block",
  summary: "Blocks an agent: this service refuses it and its tokens, and does not read its document.",
  handler: marked(true),
})

const unblock = Endpoint.make({
  ...shared,
  path: "/admin/clients/unblock",
  summary: "Ends the block of an agent.",
  handler: marked(false),
})

/** The endpoints with which administrators see and block agents. */
export const agentAdministration = [list, block, unblock] as const
