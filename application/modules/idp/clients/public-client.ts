import { Schema } from "effect"
import type { Client } from "./client.ts"
import { AgentKind } from "./client-values.ts"

/** The form of a client for users. */
export const PublicClient = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  client_uri: Schema.NullOr(Schema.String),
  logo_uri: Schema.NullOr(Schema.String),
  policy_uri: Schema.NullOr(Schema.String),
  tos_uri: Schema.NullOr(Schema.String),
  /** Only for an agent. Only its host is verified: the other members are what the client says of itself. */
  agent: Schema.optionalKey(Schema.Struct({ kind: AgentKind, host: Schema.NullOr(Schema.String) })),
}).annotate({ identifier: "OauthClient", description: "A client as users see it." })

export const publicClient = (client: Client): typeof PublicClient.Type => {
  const { client_id, client_name, client_uri, logo_uri, policy_uri, tos_uri, agent } = client
  const shown = { client_id, client_name, client_uri, logo_uri, policy_uri, tos_uri }
  return agent === undefined ? shown : { ...shown, agent: { kind: agent.kind, host: agent.host } }
}
