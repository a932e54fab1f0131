import { Argument, Command, Flag } from "effect/cli"
import { type ClientWork, createNewClient, deleteClient, listAllClients, rotateSecret, showClient, updateClient } from "./clients.ts"
import { makeCommandRunner, type RunCommand, type WithConfiguration } from "./command-runner.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"

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
export const clientCommand = <R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<ClientWork, R>) => {
  const runOnStore = makeCommandRunner(withConfiguration, runCommand)
  return Command.make("client").pipe(
    Command.withDescription("Manage the clients of the identity provider; stop a server with an embedded store first"),
    Command.withSubcommands([
      Command.make("list", { limit: limitFlag, json: jsonFlag }, (input) =>
        runOnStore((configuration) => listAllClients(input, configuration)),
      ).pipe(Command.withDescription("List the clients, those of the configuration first")),
      Command.make("show", one, (input) => runOnStore((configuration) => showClient(input, configuration))).pipe(
        Command.withDescription("Show a client with all of its members, without its secrets"),
      ),
      Command.make("create", { ...metadata, json: jsonFlag }, (input) =>
        runOnStore((configuration) => createNewClient(input, configuration)),
      ).pipe(Command.withDescription("Create a client, and print its id and its secret")),
      Command.make("update", { ...one, ...metadata }, (input) => runOnStore((configuration) => updateClient(input, configuration))).pipe(
        Command.withDescription("Change the given members of a client"),
      ),
      Command.make("rotate-secret", { ...one, revokePrevious }, (input) =>
        runOnStore((configuration) => rotateSecret(input, configuration)),
      ).pipe(Command.withDescription("Give a client a new secret, and print it")),
      Command.make("delete", { ...one, yes }, (input) => runOnStore((configuration) => deleteClient(input, configuration))).pipe(
        Command.withDescription("Remove a client; it and all of its tokens are refused from then on"),
      ),
    ]),
  )
}
