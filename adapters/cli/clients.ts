import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
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
import { argument, type Given, json, type Listing, listing, text, toggle } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import { printRecord, printResult, printRows } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { stopOnRefusal } from "./users.ts"

// Commands on the clients of the identity provider that are in the store.

const one = { client: argument("client", "The client's client_id"), json }

const metadata = {
  metadata: text("metadata", "Members of the client as in modules.idp.clients, as a JSON object").pipe(Flag.withMetavar("JSON")),
  name: text("name", "The name that users see (client_name)"),
  redirectUris: Flag.String("redirect-uri").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("A URL to which codes are sent; can be repeated"),
    Flag.atLeast(0),
  ),
  scopes: Flag.String("scope").pipe(Flag.withDescription("A scope that the client may request; can be repeated"), Flag.atLeast(0)),
}

type OfClient = Given<typeof one>

/** Metadata from the command line. `metadata` is JSON; the other flags take precedence. */
export type GivenMetadata = Given<typeof metadata>

export type ClientWork = ReturnType<
  typeof listAllClients | typeof showClient | typeof createNewClient | typeof updateClient | typeof rotateSecret | typeof deleteClient
>

const settingsOf = ({ identityProvider }: Configuration) =>
  identityProvider === null
    ? stop("modules.idp: found nothing, wanted at least {}: there are no clients", codes.configuration)
    : Effect.succeed(identityProvider)

const Metadata = Schema.fromJsonString(WrittenMetadata)

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

const lineOf = ({ client_id, client_name, configured, secrets, token_endpoint_auth_method, created_at }: Shown) => ({
  client_id,
  client_name,
  configured,
  secrets,
  token_endpoint_auth_method,
  created_at,
})

export const listAllClients = Effect.fnUntraced(function* listAllClients({ limit, json }: Listing, configuration: Configuration) {
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

const revokePrevious = toggle("revoke-previous", "End the previous secret at once; by default it stays valid until the next rotation")
const yes = toggle("yes", "Remove the client; without this flag, the command only prints what would be removed")

/** `client` shows and changes the clients of the identity provider without a session. */
export const clientCommand = <S>(onStore: StoreCommand<ClientWork, S>) =>
  Command.make("client").pipe(
    Command.withDescription("Manage the clients of the identity provider; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "List the clients, those of the configuration first", listing, listAllClients),
      onStore("show", "Show a client with all of its members, without its secrets", one, showClient),
      onStore("create", "Create a client, and print its id and its secret", { ...metadata, json }, createNewClient),
      onStore("update", "Change the given members of a client", { ...one, ...metadata }, updateClient),
      onStore("rotate-secret", "Give a client a new secret, and print it", { ...one, revokePrevious }, rotateSecret),
      onStore("delete", "Remove a client; it and all of its tokens are refused from then on", { ...one, yes }, deleteClient),
    ]),
  )
