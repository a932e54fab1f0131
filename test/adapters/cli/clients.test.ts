import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { createNewClient, deleteClient, listAllClients, rotateSecret, showClient, updateClient } from "../../../adapters/cli/clients.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { StoredClients } from "../../../application/modules/idp/clients/stored-clients.ts"
import { identityProvider } from "../../../application/modules/idp/index.ts"
import { builtWith, spa } from "../../application/modules/idp/provider.ts"
import { core, rows, world } from "../../world.ts"
import { printed, refused } from "./printed.ts"

const modules = [...core, admin.build({ admin_emails: [], admin_user_ids: [] }), builtWith({ clients: [spa] })]
const commands = Layer.merge(world(modules), commandPolicies(modules))
const raw = { secret: "a secret for these tests only, 32+ bytes", email_password: { enabled: true } }
const configuration = configurationOf({ ...raw, modules: { idp: { clients: [spa] } } }, [identityProvider]).pipe(Effect.orDie)

const given = { metadata: Option.none<string>(), name: Option.some("The Wiki"), redirectUris: ["https://wiki.example.com/"], scopes: [] }
const nothing = { metadata: Option.none<string>(), name: Option.none<string>(), redirectUris: [], scopes: [] }

describe("client", () => {
  it.effect("create prints the id and the secret once, and the other commands never the secret", () =>
    Effect.gen(function* () {
      const settings = yield* configuration
      const [line = ""] = yield* printed(createNewClient({ ...given, json: true }, settings))
      const { client_id, client_secret } = JSON.parse(line)
      assert.match(client_secret, /^[\w-]{43}$/)
      const list = yield* printed(listAllClients({ limit: 100, json: false }, settings))
      assert.deepStrictEqual(
        list.map((each) => each.split("\t").slice(0, 4)),
        [
          ["spa", "-", "true", "0"],
          [client_id, "The Wiki", "false", "1"],
        ],
      )
      const shown = (yield* printed(showClient({ client: client_id, json: false }, settings))).join("\n")
      assert.include(shown, "https://wiki.example.com/")
      assert.notInclude(shown + list.join("\n"), client_secret)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("update changes the given members, and rotate-secret gives a second secret", () =>
    Effect.gen(function* () {
      const settings = yield* configuration
      yield* printed(createNewClient({ ...given, json: true }, settings))
      const [{ client_id: client } = { client_id: "" }] = yield* rows(StoredClients)
      const metadata = Option.some('{"consent":true}')
      const lines = yield* printed(updateClient({ ...nothing, metadata, client, json: false }, settings))
      assert.deepStrictEqual(lines, [`${client} is changed.`])
      const [row] = yield* rows(StoredClients)
      assert.deepInclude(row?.metadata, { consent: true, client_name: "The Wiki" })
      assert.match(
        (yield* printed(rotateSecret({ client, revokePrevious: false, json: false }, settings))).join(),
        /secret is shown only now: [\w-]{43}$/,
      )
      assert.lengthOf((yield* rows(StoredClients))[0]?.secret_hashes ?? [], 2)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("delete removes a client with --yes only", () =>
    Effect.gen(function* () {
      const settings = yield* configuration
      yield* printed(createNewClient({ ...given, json: true }, settings))
      const [{ client_id: client } = { client_id: "" }] = yield* rows(StoredClients)
      assert.include((yield* printed(deleteClient({ client, yes: false, json: false }, settings))).join(), "add --yes")
      assert.lengthOf(yield* rows(StoredClients), 1)
      yield* printed(deleteClient({ client, yes: true, json: true }, settings))
      assert.lengthOf(yield* rows(StoredClients), 0)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("refuses wrong metadata, clients of the configuration, and a service without the module", () =>
    Effect.gen(function* () {
      const settings = yield* configuration
      const wrong = (metadata: string) => refused(createNewClient({ ...nothing, metadata: Option.some(metadata), json: false }, settings))
      assert.strictEqual((yield* wrong("{"))[0], 1)
      assert.include((yield* wrong('{"redirect_uris":["http://a.example.com"]}')).join(), "redirect_uris")
      assert.include(
        (yield* refused(rotateSecret({ client: "spa", revokePrevious: false, json: false }, settings))).join(),
        "configuration",
      )
      const without = yield* Effect.orDie(configurationOf(raw, []))
      assert.include((yield* refused(listAllClients({ limit: 1, json: false }, without))).join(), "modules.idp")
    }).pipe(Effect.provide(commands)),
  )
})
