import { DateTime, Effect, Option, Order, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import { UserNotFound } from "../../../../domain/errors.ts"
import { commitOrConflict, remove, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { PublicClient, publicClient } from "../clients/public-client.ts"
import { clientOf } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import { consentOf } from "./consent.ts"
import { Consents } from "./consent-table.ts"

const ConnectedApplication = Schema.Struct({
  client: PublicClient,
  scopes: Schema.Array(Schema.String),
  granted_at: Schema.DateTimeUtc,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "ConnectedApplication", description: "A client, and the scopes that the user has allowed." })

/** The maximum number of applications that are listed. */
const maxListed = 1000

const list = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/oauth2/grants",
    summary: "Lists the applications to which the user has consented, newest first.",
    access: "session",
    impersonation: "never",
    output: Schema.Struct({ grants: Schema.Array(ConnectedApplication) }),
    handler: Effect.fnUntraced(function* identityProviderGrants() {
      const { user } = yield* CurrentSession
      return Endpoint.reply({ grants: yield* consentsOf(settings, user.id) })
    }),
  })

const consentsOf = Effect.fnUntraced(function* consentsOf(settings: Settings, user_id: string) {
  const rows = yield* (yield* Store).list(Consents, { user_id }, { limit: maxListed })
  const shownOf = (client_id: string) =>
    Effect.map(
      clientOf(settings, client_id),
      Option.match({
        onNone: () => ({ client_id, client_name: null, client_uri: null, logo_uri: null, policy_uri: null, tos_uri: null }),
        onSome: publicClient,
      }),
    )
  const grants = yield* Effect.forEach(rows, ({ client_id, scope, granted_at, created_at }) =>
    Effect.map(shownOf(client_id), (client) => ({ client, scopes: scope.split(" "), granted_at, created_at })),
  )
  const newestFirst = Order.mapInput(Order.flip(DateTime.Order), ({ granted_at }: { readonly granted_at: DateTime.Utc }) => granted_at)
  return grants.toSorted(newestFirst)
})

const revoke = Endpoint.make({
  method: "POST",
  path: "/oauth2/grants/revoke",
  summary: "Removes the user's consent to an application, and revokes all tokens that depend on it.",
  access: "session",
  input: Schema.Struct({ client_id: Schema.String }),
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* identityProviderRevokeGrant({ client_id }) {
    const { user } = yield* CurrentSession
    yield* Effect.orDie((yield* Store).commit(yield* revocationOf(user.id, client_id)))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

/** The writes that end a consent. Codes, refresh tokens and access tokens reference its row, so the same commit removes them. */
const revocationOf = Effect.fnUntraced(function* revocationOf(user_id: string, client_id: string) {
  const consent = yield* consentOf(user_id, client_id)
  return Option.toArray(Option.map(consent, ({ row }) => remove(Consents, row.id)))
})

const listOfUser = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/users/consents",
    summary: "Lists the applications to which a user has consented, newest first.",
    access: { permission: "users:read" },
    input: Schema.Struct({ user_id: Schema.String }),
    output: Schema.Struct({ grants: Schema.Array(ConnectedApplication) }),
    errors: [UserNotFound],
    handler: Effect.fnUntraced(function* adminUserConsents({ user_id }) {
      yield* administeredUser(user_id)
      return Endpoint.reply({ grants: yield* consentsOf(settings, user_id) })
    }),
  })

const revokeOfUser = Endpoint.make({
  method: "POST",
  path: "/admin/users/revoke-consent",
  summary: "Removes a user's consent to an application, and revokes all tokens that depend on it.",
  access: { permission: "users:update" },
  input: Schema.Struct({ user_id: Schema.String, client_id: Schema.String }),
  output: Endpoint.Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminRevokeConsent({ user_id, client_id }) {
    const user = yield* administeredUser(user_id)
    yield* commitOrConflict([...(yield* ofPrincipal(user.row)), ...(yield* revocationOf(user_id, client_id))])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

/** The endpoints with which users and administrators list and revoke the access of applications. */
export const connectedApplications = (settings: Settings) => [list(settings), revoke, listOfUser(settings), revokeOfUser] as const
