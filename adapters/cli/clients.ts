import { Effect, Option, Schema } from "effect"
import { listClients, shownClient } from "../../application/modules/idp/clients/client-administration.ts"
import {
  changeClient,
  createClient,
  removeClient,
  rotateClientSecret,
  WrittenMetadata,
} from "../../application/modules/idp/clients/client-records.ts"
import { faults } from "../../application/service/faults.ts"
import { operator } from "../../domain/administration/principal.ts"
import type { Configuration } from "../config/load.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import { printRecord, printResult, printRows } from "./printed.ts"
import { stopOnRefusal } from "./users.ts"

// Commands on the clients of the identity provider that are in the store.

interface OfClient {
  readonly client: string
  readonly json: boolean
}

/** Metadata from the command line. `metadata` is JSON; the other flags take precedence. */
export interface GivenMetadata {
  readonly metadata: Option.Option<string>
  readonly name: Option.Option<string>
  readonly redirectUris: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
}

/** One of the commands below. */
export type ClientWork = ReturnType<
  typeof listAllClients | typeof showClient | typeof createNewClient | typeof updateClient | typeof rotateSecret | typeof deleteClient
>

const settingsOf = ({ identityProvider }: Configuration) =>
  identityProvider === null
    ? stop("modules.idp: found nothing, wanted at least {}: there are no clients", codes.configuration)
    : Effect.succeed(identityProvider)

const Metadata = Schema.fromJsonString(WrittenMetadata)

/** The metadata of the flags. */
const written = Effect.fnUntraced(function* written({ metadata, name, redirectUris, scopes }: GivenMetadata) {
  const given = yield* Effect.mapError(Schema.decodeUnknownEffect(Metadata)(Option.getOrElse(metadata, () => "{}")), ({ issue }) =>
    stop(`--metadata: ${faults(issue).message}`),
  )
  const result: WrittenMetadata = {
    ...given,
    ...(Option.isSome(name) ? { client_name: name.value } : {}),
    ...(redirectUris.length === 0 ? {} : { redirect_uris: redirectUris }),
    ...(scopes.length === 0 ? {} : { scopes }),
  }
  return result
})

type Shown = Effect.Success<ReturnType<typeof shownClient>>

/** The members of a client in a line. */
const lineOf = ({ client_id, client_name, configured, secrets, token_endpoint_auth_method, created_at }: Shown) => ({
  client_id,
  client_name,
  configured,
  secrets,
  token_endpoint_auth_method,
  created_at,
})

export const listAllClients = Effect.fnUntraced(function* listAllClients(
  { limit, json }: { readonly limit: number; readonly json: boolean },
  configuration: Configuration,
) {
  const { clients } = yield* listClients(yield* settingsOf(configuration), { limit })
  yield* printRows(clients.map(lineOf), json)
})

/** A member as text: lists separated by blanks, keys as JSON. */
const cellOf = (value: unknown) => {
  if (Array.isArray(value)) return value.join(" ")
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)
}

export const showClient = Effect.fnUntraced(function* showClient({ client, json }: OfClient, configuration: Configuration) {
  const { created_at, updated_at, ...members } = yield* stopOnRefusal(shownClient(yield* settingsOf(configuration), client))
  const cells = Object.entries(members).map(([name, value]) => [name, value === null ? null : cellOf(value)])
  yield* printRecord({ ...Object.fromEntries(cells), created_at, updated_at }, json)
})

/** The sentence and the JSON of a client that may have got a secret. The secret is shown only here. */
const printSecret = (done: string, client_id: string, client_secret: string | null, json: boolean) =>
  printResult(
    client_secret === null ? `${done}.` : `${done}. Its secret is shown only now: ${client_secret}`,
    client_secret === null ? { client_id } : { client_id, client_secret },
    json,
  )

export const createNewClient = Effect.fnUntraced(function* createNewClient(
  { json, ...given }: GivenMetadata & { readonly json: boolean },
  configuration: Configuration,
) {
  const settings = yield* settingsOf(configuration)
  const { row, client_secret } = yield* stopOnRefusal(createClient(settings, yield* written(given), operator))
  yield* printSecret(`${row.client_id} is a client`, row.client_id, client_secret, json)
})

export const updateClient = Effect.fnUntraced(function* updateClient(
  { client, json, ...given }: GivenMetadata & OfClient,
  configuration: Configuration,
) {
  const settings = yield* settingsOf(configuration)
  const { client_secret } = yield* stopOnRefusal(changeClient(settings, client, yield* written(given), operator))
  yield* printSecret(`${client} is changed`, client, client_secret, json)
})

export const rotateSecret = Effect.fnUntraced(function* rotateSecret(
  { client, revokePrevious, json }: OfClient & { readonly revokePrevious: boolean },
  configuration: Configuration,
) {
  const settings = yield* settingsOf(configuration)
  const { client_secret } = yield* stopOnRefusal(rotateClientSecret(settings, client, revokePrevious, operator))
  yield* printSecret(`${client} has a new secret`, client, client_secret, json)
})

export const deleteClient = Effect.fnUntraced(function* deleteClient(
  { client, yes, json }: OfClient & { readonly yes: boolean },
  configuration: Configuration,
) {
  const settings = yield* settingsOf(configuration)
  const { client_name } = yield* stopOnRefusal(shownClient(settings, client))
  const result = { client_id: client, client_name, removed: yes }
  if (!yes) return yield* printResult(`${client} would be removed; add --yes to remove it.`, result, json)
  yield* stopOnRefusal(removeClient(settings, client))
  yield* printResult(`${client} is removed; it and all of its tokens are refused.`, result, json)
})
