import { Effect, Schema } from "effect"
import { InvalidState } from "../../../../domain/errors.ts"
import { check, conflictIfTaken, retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { destinationOf, isOfDevice } from "../../../../domain/values/redirect-uri.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { keptAgent } from "../clients/agents/agent-clients.ts"
import type { Client } from "../clients/client.ts"
import { PublicClient, publicClient } from "../clients/public-client.ts"
import type { Settings } from "../settings.ts"
import { AuthorizationRequests } from "../tables.ts"
import { allowance, consentOf, missingScopes } from "./consent.ts"
import { openRequest } from "./opened-request.ts"
import { ChosenOrganization, chosenOrganization } from "./organization-choice.ts"
import { resumed } from "./stored-requests.ts"

/** A requested scope, and whether the user has allowed it before. */
export const RequestedScope = Schema.Struct({ scope: Schema.String, granted: Schema.Boolean })

const Input = Schema.Struct({ request_uri: Schema.String })

const ConsentRequest = Schema.Struct({
  client: PublicClient,
  /** The target of the response: the host of the client's redirect URI, or the scheme of an app. */
  destination: Schema.String,
  /** Only for an agent: whether the response goes to a program on the user's device, which any other program there could pretend to be. */
  on_device: Schema.optionalKey(Schema.Boolean),
  /** Only for an agent: the resource server that it wants to use. */
  resource: Schema.optionalKey(Schema.Struct({ resource: Schema.String, name: Schema.String })),
  scopes: Schema.Array(RequestedScope),
  /** The organization that the user signs in for, with the scope `organization`. */
  organization: Schema.NullOr(ChosenOrganization),
}).annotate({ identifier: "ConsentRequest", description: "The request of a client for which the user decides." })

/** What a user needs to know of an agent's request. */
const shownOfAgent = ({ agent }: Client, redirect_uri: string, requested: string | null) => {
  if (agent === undefined) return {}
  const server = agent.resources.find(({ resource }) => resource === requested)
  const on_device = !redirect_uri.startsWith("https:") || isOfDevice(redirect_uri)
  return server === undefined ? { on_device } : { on_device, resource: { resource: server.resource, name: server.name } }
}

const showRequest = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/oauth2/consent",
    summary: "Returns what a client requests, for the page on which the user decides.",
    access: "session",
    impersonation: "never",
    input: Input,
    output: ConsentRequest,
    errors: [InvalidState],
    handler: Effect.fnUntraced(function* identityProviderConsent({ request_uri }) {
      const { client, redirect_uri, scope, request, stored } = yield* openRequest(settings, request_uri)
      const { user } = yield* CurrentSession
      const missing = missingScopes(scope, yield* consentOf(user.id, client.client_id))
      const scopes = scope.split(" ").map((each) => ({ scope: each, granted: !missing.includes(each) }))
      const organization = yield* chosenOrganization(request, stored.row, user.id)
      return Endpoint.reply({
        client: publicClient(client),
        destination: destinationOf(redirect_uri),
        ...shownOfAgent(client, redirect_uri, request.resource),
        scopes,
        organization,
      })
    }),
  })

const allow = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/consent/allow",
    summary: "Allows the request of a client. The browser then goes to `redirect`.",
    access: "session",
    input: Input,
    output: Endpoint.Redirect,
    errors: [InvalidState],
    handler: Effect.fnUntraced(function* identityProviderAllow({ request_uri }) {
      const { session } = yield* rereadSession
      const { stored, client, scope } = yield* openRequest(settings, request_uri)
      const { writes } = yield* allowance(session.row.user_id, client.client_id, scope)
      const kept = yield* keptAgent(client)
      const decided = update(AuthorizationRequests, stored, { allowed_in: session.row.id, denied_in: null })
      yield* conflictIfTaken((yield* Store).commit([check(Sessions, session), ...writes, ...kept, decided]))
      return yield* resumed(client.client_id, request_uri)
    }, retryOnConflict),
  })

const deny = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/consent/deny",
    summary: "Denies the request of a client. The browser then goes to `redirect`, and the client gets `access_denied`.",
    access: "session",
    input: Input,
    output: Endpoint.Redirect,
    errors: [InvalidState],
    handler: Effect.fnUntraced(function* identityProviderDeny({ request_uri }) {
      const { session } = yield* CurrentSession
      const { stored, client } = yield* openRequest(settings, request_uri)
      yield* (yield* Store).commit([update(AuthorizationRequests, stored, { allowed_in: null, denied_in: session.id })])
      return yield* resumed(client.client_id, request_uri)
    }, retryOnConflict),
  })

/** The endpoints of the page on which users allow or deny what a client requests. */
export const consentPage = (settings: Settings) => [showRequest(settings), allow(settings), deny(settings)] as const
