import { Schema } from "effect"
import type { Client } from "./client.ts"

/** The form of a client for users. */
export const PublicClient = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  client_uri: Schema.NullOr(Schema.String),
  logo_uri: Schema.NullOr(Schema.String),
  policy_uri: Schema.NullOr(Schema.String),
  tos_uri: Schema.NullOr(Schema.String),
}).annotate({ identifier: "OauthClient", description: "A client as users see it." })

export const publicClient = ({ client_id, client_name, client_uri, logo_uri, policy_uri, tos_uri }: Client): typeof PublicClient.Type => ({
  client_id,
  client_name,
  client_uri,
  logo_uri,
  policy_uri,
  tos_uri,
})
