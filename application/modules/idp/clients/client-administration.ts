import { Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { IdempotencyKeyReused } from "../../../../domain/errors.ts"
import { find, orFail } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../../service/idempotency.ts"
import { NextPage, PageInput, type PageRequest, page } from "../../../service/paging.ts"
import { ClientNotFound } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { type Client, Metadata } from "./client.ts"
import { changeClient, createClient, removeClient, rotateClientSecret, WrittenMetadata } from "./client-records.ts"
import { type StoredClient, StoredClients } from "./stored-clients.ts"

/** The form of a client for administrators. */
const Shown = Schema.Struct({
  client_id: Schema.String,
  /** Whether it is in the configuration, where only the operator changes it. */
  configured: Schema.Boolean,
  /** The number of valid secrets of a client in the store: two during a rotation. */
  secrets: Schema.Int,
  ...Metadata.fields,
  created_at: Schema.NullOr(Schema.DateTimeUtc),
  updated_at: Schema.NullOr(Schema.DateTimeUtc),
}).annotate({ identifier: "OauthClientRecord", description: "A client of the identity provider as administrators see it." })

const ofRow = ({ client_id, metadata, secret_hashes, created_at, updated_at }: StoredClient): typeof Shown.Type => ({
  ...metadata,
  client_id,
  configured: false,
  secrets: secret_hashes.length,
  created_at,
  updated_at,
})

const ofConfigured = ({ client_secret: _, secret_hashes: __, ...client }: Client): typeof Shown.Type => ({
  ...client,
  configured: true,
  secrets: 0,
  created_at: null,
  updated_at: null,
})

/** A page of clients. The first page begins with those of the configuration. */
export const listClients = Effect.fnUntraced(function* listClients({ clients }: Settings, request: PageRequest) {
  const { rows, rest } = yield* page(StoredClients, {}, request)
  const configured = request.cursor === undefined ? clients.map(ofConfigured) : []
  return { clients: [...configured, ...rows.map(ofRow)], ...rest }
})

/** One client; fails with `client_not_found` without one. */
export const shownClient = Effect.fnUntraced(function* shownClient({ clients }: Settings, client_id: string) {
  const configured = clients.find((each) => each.client_id === client_id)
  if (configured !== undefined) return ofConfigured(configured)
  return ofRow(yield* orFail(find(StoredClients, { client_id }), () => new ClientNotFound()))
})

const One = { client_id: Schema.String }
/** A client, and its new secret if there is one. */
const WithSecret = Schema.Struct({ client: Shown, client_secret: Schema.NullOr(Schema.String) })

const Creation = Schema.toEncoded(Schema.Struct({ ...Metadata.fields, ...IdempotencyKey }))
type Created = Pick<Effect.Success<ReturnType<typeof createClient>>, "row" | "client_secret">

const Rotation = Schema.Struct({ ...One, ...IdempotencyKey, revoke_previous: Schema.optionalKey(Schema.Boolean) })
const NewSecret = Schema.Struct({ client_secret: Schema.String })

const list = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/clients/list",
    summary: "The clients of the identity provider, those of the configuration first.",
    access: { permission: "clients:read" },
    input: Schema.Struct(PageInput),
    output: Schema.Struct({ clients: Schema.Array(Shown), ...NextPage }),
    handler: Effect.fnUntraced(function* identityProviderListClients(request) {
      return Endpoint.reply(yield* listClients(settings, request))
    }),
  })

const show = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/clients/show",
    summary: "One client of the identity provider.",
    access: { permission: "clients:read" },
    input: Schema.Struct(One),
    output: Schema.Struct({ client: Shown }),
    errors: [ClientNotFound],
    handler: Effect.fnUntraced(function* identityProviderShowClient({ client_id }) {
      return Endpoint.reply({ client: yield* shownClient(settings, client_id) })
    }),
  })

const create = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/clients/create",
    summary: "Adds a client. Only this response has its secret.",
    access: { permission: "clients:write" },
    input: Creation,
    output: WithSecret,
    errors: [IdempotencyKeyReused],
    handler: idempotent(
      WithSecret,
      Effect.fnUntraced(function* identityProviderCreateClient(written: WrittenMetadata, keep: Keep<typeof WithSecret.Type>) {
        const shown = ({ row, client_secret }: Created) => ({ client: ofRow(row), client_secret })
        return Endpoint.reply(shown(yield* createClient(settings, written, ofPrincipal, (made) => keep(shown(made)))))
      }),
    ),
  })

const change = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/clients/update",
    summary: "Changes the given members of a client. The response has a secret if the client needs one and had none.",
    access: { permission: "clients:write" },
    input: Schema.Struct({ ...One, changes: WrittenMetadata }),
    output: WithSecret,
    errors: [ClientNotFound],
    handler: Effect.fnUntraced(function* identityProviderUpdateClient({ client_id, changes }) {
      const { row, client_secret } = yield* changeClient(settings, client_id, changes, ofPrincipal)
      return Endpoint.reply({ client: ofRow(row), client_secret })
    }),
  })

const rotateSecret = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/clients/rotate-secret",
    summary: "Gives a client a new secret. The previous one stays valid until the next rotation, unless `revoke_previous` is true.",
    access: { permission: "clients:secrets" },
    input: Rotation,
    output: NewSecret,
    errors: [ClientNotFound, IdempotencyKeyReused],
    takesReason: true,
    handler: idempotent(
      NewSecret,
      Effect.fnUntraced(function* identityProviderRotateClientSecret(
        { client_id, revoke_previous = false }: typeof Rotation.Type,
        keep: Keep<typeof NewSecret.Type>,
      ) {
        const kept = (client_secret: string) => keep({ client_secret })
        const { client_secret } = yield* rotateClientSecret(settings, client_id, revoke_previous, ofPrincipal, kept)
        return Endpoint.reply({ client_secret })
      }),
    ),
  })

const removal = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/clients/delete",
    summary: "Removes a client. It and all of its tokens are refused from then on.",
    access: { permission: "clients:write" },
    input: Schema.Struct(One),
    output: Endpoint.Success,
    errors: [ClientNotFound],
    takesReason: true,
    handler: Effect.fnUntraced(function* identityProviderDeleteClient({ client_id }) {
      yield* removeClient(settings, client_id)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

/** The endpoints with which administrators manage clients. */
export const clientAdministration = (settings: Settings) =>
  [list(settings), show(settings), create(settings), change(settings), rotateSecret(settings), removal(settings)] as const
