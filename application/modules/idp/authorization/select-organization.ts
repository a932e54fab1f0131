import { Effect, Schema } from "effect"
import { Forbidden, InvalidState } from "../../../../domain/errors.ts"
import { hasOrganizations } from "../../../../domain/organizations/membership.ts"
import { retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { PublicClient, publicClient } from "../clients/public-client.ts"
import type { Settings } from "../settings.ts"
import { AuthorizationRequests } from "../tables.ts"
import { openRequest } from "./opened-request.ts"
import { candidatesOf } from "./organization-choice.ts"
import { resumed } from "./stored-requests.ts"

const OrganizationRequest = Schema.Struct({
  client: PublicClient,
  organizations: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, slug: Schema.String, role: Schema.String })),
}).annotate({ identifier: "OrganizationRequest", description: "A request of a client for which the user chooses an organization." })

/** A stored request, and the caller's memberships that it accepts. */
const openChoice = Effect.fnUntraced(function* openChoice(settings: Settings, request_uri: string) {
  if (!(yield* hasOrganizations)) return yield* new InvalidState()
  const { user } = yield* CurrentSession
  const opened = yield* openRequest(settings, request_uri)
  return { ...opened, memberships: yield* candidatesOf(opened.request, user.id) }
})

const list = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/oauth2/organizations",
    summary: "Lists the caller's organizations that the request of a client accepts, with the caller's role in each.",
    access: "session",
    impersonation: "never",
    input: Schema.Struct({ request_uri: Schema.String }),
    output: OrganizationRequest,
    errors: [InvalidState],
    handler: Effect.fnUntraced(function* identityProviderOrganizations({ request_uri }) {
      const { client, memberships } = yield* openChoice(settings, request_uri)
      const organizations = memberships.map(({ member: { role }, organization: { id, name, slug } }) => ({ id, name, slug, role }))
      return Endpoint.reply({ client: publicClient(client), organizations })
    }),
  })

const select = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/select-organization",
    summary: "Chooses the organization for the request of a client. The browser then goes to `redirect`.",
    access: "session",
    input: Schema.Struct({ request_uri: Schema.String, organization_id: Schema.String }),
    output: Endpoint.Redirect,
    errors: [Forbidden, InvalidState],
    handler: Effect.fnUntraced(function* identityProviderSelectOrganization({ request_uri, organization_id }) {
      const { stored, memberships } = yield* openChoice(settings, request_uri)
      const chosen = memberships.find(({ organization }) => organization.id === organization_id)
      if (chosen === undefined) return yield* new Forbidden()
      // The page for the decision shows the organization: a decision is not about one that is chosen later.
      yield* (yield* Store).commit([update(AuthorizationRequests, stored, { member_id: chosen.member.id, allowed_in: null })])
      return yield* resumed(stored.row.client_id, request_uri)
    }, retryOnConflict),
  })

/** The endpoints of the page on which users choose the organization for a request with the scope `organization`. */
export const selectOrganization = (settings: Settings) => [list(settings), select(settings)] as const
