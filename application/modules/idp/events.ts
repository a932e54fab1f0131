import { Equal } from "effect"
import { change, type EventKinds, often } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, type Party, user } from "../../../domain/events/security-event.ts"
import { AgentClients } from "./clients/agents/agent-clients.ts"
import { StoredClients } from "./clients/stored-clients.ts"
import { type AccessToken, AccessTokens, RefreshFamilies, SigningKeys } from "./tables.ts"

/** The types of events that only this module has. */
export const types = {
  "token.reused": change("A code or a refresh token of a client was used twice, so all tokens of its sign-in were revoked."),
  "token.revoked": often("Refresh tokens or an access token of a client were revoked."),
  "token.exchanged": often("A client exchanged an access token of a user for another one, to act as the user or for them."),
  "client.created": change("A client of the identity provider was added."),
  "client.updated": change("A client of the identity provider changed, or got a new secret."),
  "client.deleted": change("A client of the identity provider was removed."),
  "client.discovered": often("A client with a metadata document was used for the first time."),
  "client.document_changed": change("The metadata document of a client changed, or is gone."),
  "client.blocked": change("An administrator blocked an agent."),
  "client.unblocked": change("An administrator unblocked an agent."),
  "secret.rotated": change("A signing key was replaced."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

/**
 * The end of refresh tokens before their expiry. The token endpoint ends them when a code or a token is used twice; in a commit that issues
 * others, it only removes the surplus.
 */
const refreshEvents = rowEvents(RefreshFamilies, ({ before, after }, { operation, writes }): ReadonlyArray<Own> => {
  if (before === null || after !== null) return []
  const isSurplus = writes.some(({ _tag, table }) => _tag === "insert" && table === RefreshFamilies)
  const isReuse = operation.path === "/oauth2/token" && !isSurplus
  const { user_id, client_id } = before
  return [{ type: isReuse ? "token.reused" : "token.revoked", subject: user(user_id), client_id, data: { kind: "refresh_token" } }]
})

const exchange = ({ user_id, client_id, actors }: AccessToken): Own => ({
  type: "token.exchanged",
  subject: user(user_id),
  client_id,
  data: actors === null ? {} : { actors: actors.map(({ kind, id }) => `${kind}:${id}`) },
})

const accessEvents = rowEvents(AccessTokens, ({ before, after }, { operation }): ReadonlyArray<Own> => {
  if (before === null) return after.exchanged_from === null ? [] : [exchange(after)]
  if (after !== null || operation.path !== "/oauth2/revoke") return []
  return [{ type: "token.revoked", subject: user(before.user_id), client_id: before.client_id, data: { kind: "access_token" } }]
})

const keyEvents = rowEvents(SigningKeys, ({ before, after }): ReadonlyArray<Own> => {
  if (before !== null || after === null) return []
  return [{ type: "secret.rotated", subject: { kind: "service", id: null }, data: { kind: "signing_key", id: after.kid } }]
})

const clientEvents = rowEvents(StoredClients, ({ before, after }): ReadonlyArray<Own> => {
  const subject: Party = { kind: "client", id: (after ?? before).client_id }
  if (before === null) return [{ type: "client.created", subject }]
  return [{ type: after === null ? "client.deleted" : "client.updated", subject }]
})

const agentEvents = rowEvents(AgentClients, ({ before, after }): ReadonlyArray<Own> => {
  if (after === null) return []
  const subject: Party = { kind: "client", id: after.client_id }
  // Strangers register clients; nothing has happened until a user allows one something.
  if (before === null) return after.kind === "document" ? [{ type: "client.discovered", subject }] : []
  if ((before.blocked_at === null) !== (after.blocked_at === null)) {
    return [{ type: after.blocked_at === null ? "client.unblocked" : "client.blocked", subject }]
  }
  const isSame = Equal.equals(before.metadata, after.metadata) && (before.withdrawn_at === null) === (after.withdrawn_at === null)
  return isSame ? [] : [{ type: "client.document_changed", subject }]
})

/** The events of tokens that end early, of signing keys, and of clients. */
export const events = [refreshEvents, accessEvents, keyEvents, clientEvents, agentEvents]
