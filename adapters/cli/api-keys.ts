import { DateTime, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { NewKey, newKey, type Owner } from "../../application/modules/api_key/keys.ts"
import { managed } from "../../application/modules/api_key/owners.ts"
import { ServiceAccounts } from "../../domain/administration/service-accounts.ts"
import { insert, Store } from "../../domain/ports/store.ts"
import { newId } from "../../domain/storage/new-id.ts"
import type { Configuration } from "../config/load.ts"
import { argument, type Given, json } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import { printResult } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { stopOnRefusal, valid } from "./users.ts"

// The first key of a program, which no session is needed for.

const creation = {
  name: argument("name", "The name of the program"),
  permissions: Flag.String("permission").pipe(
    Flag.withDescription("What the key permits, such as users:read; can be repeated"),
    Flag.atLeast(0),
  ),
  json,
}

export type ApiKeyWork = ReturnType<typeof createApiKey>

const Named = Schema.Struct({ name: NewKey.name })

/** Adds a service account with a key of the same permissions, in one commit. */
const createApiKey = Effect.fnUntraced(function* createApiKey(
  { permissions, json, ...given }: Given<typeof creation>,
  { apiKeys: settings }: Configuration,
) {
  if (settings === null) return yield* stop("modules.api_key: found nothing, wanted at least {}: there are no keys", codes.configuration)
  const { name } = yield* valid(Named, given)
  const now = yield* DateTime.now
  const mayManage = managed(permissions)
  const account = { id: yield* newId, name, permissions: [...mayManage], organization_id: null, created_at: now, updated_at: now }
  const owner: Owner = { kind: "service_account", id: account.id, mayManage, writes: [insert(ServiceAccounts, account)] }
  const { text, key, writes } = yield* stopOnRefusal(newKey(settings, owner, { name, permissions }))
  yield* Effect.orDie((yield* Store).commit(writes))
  const until = key.expires_at === null ? null : DateTime.formatIso(key.expires_at)
  const result = { key: text, id: key.id, service_account_id: account.id, permissions: permissions.join(" "), expires_at: until }
  yield* printResult(`${name} has a key${until === null ? "" : ` until ${until}`}, which is shown only now: ${text}`, result, json)
})

/** `api-key` makes keys of service accounts without a session. */
export const apiKeyCommand = <S>(onStore: StoreCommand<ApiKeyWork, S>) =>
  Command.make("api-key").pipe(
    Command.withDescription("Make keys for programs; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("create", "Create a service account with a key, and print the key", creation, createApiKey, () => ({
        needsAdmin: true,
        createsDatabase: true,
      })),
    ]),
  )
