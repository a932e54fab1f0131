import { Argument, Command, Flag } from "effect/cli"
import { type ClientWork, createNewClient, deleteClient, listAllClients, rotateSecret, showClient, updateClient } from "./clients.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"
import type { StoreCommand } from "./store-command.ts"

const one = { client: Argument.String("client").pipe(Argument.withDescription("The client's client_id")), json: jsonFlag }

const metadata = {
  metadata: Flag.String("metadata").pipe(
    Flag.withMetavar("JSON"),
    Flag.withDescription("Members of the client as in modules.idp.clients, as a JSON object"),
    Flag.optional,
  ),
  name: Flag.String("name").pipe(Flag.withDescription("The name that users see (client_name)"), Flag.optional),
  redirectUris: Flag.String("redirect-uri").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("A URL to which codes are sent; can be repeated"),
    Flag.atLeast(0),
  ),
  scopes: Flag.String("scope").pipe(Flag.withDescription("A scope that the client may request; can be repeated"), Flag.atLeast(0)),
}

const revokePrevious = Flag.Boolean("revoke-previous").pipe(
  Flag.withDescription("End the previous secret at once; by default it stays valid until the next rotation"),
  Flag.withDefault(false),
)

const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Remove the client; without this flag, the command only prints what would be removed"),
  Flag.withDefault(false),
)

/** `client` shows and changes the clients of the identity provider without a session. */
export const clientCommand = <S>(onStore: StoreCommand<ClientWork, S>) =>
  Command.make("client").pipe(
    Command.withDescription("Manage the clients of the identity provider; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "List the clients, those of the configuration first", { limit: limitFlag, json: jsonFlag }, listAllClients),
      onStore("show", "Show a client with all of its members, without its secrets", one, showClient),
      onStore("create", "Create a client, and print its id and its secret", { ...metadata, json: jsonFlag }, createNewClient),
      onStore("update", "Change the given members of a client", { ...one, ...metadata }, updateClient),
      onStore("rotate-secret", "Give a client a new secret, and print it", { ...one, revokePrevious }, rotateSecret),
      onStore("delete", "Remove a client; it and all of its tokens are refused from then on", { ...one, yes }, deleteClient),
    ]),
  )
