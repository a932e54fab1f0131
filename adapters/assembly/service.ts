import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Logger, References } from "effect"
import { RateLimiter } from "effect/persistence"
import * as ImportTables from "../../application/import/tables.ts"
import { core } from "../../application/modules/index.ts"
import * as Auth from "../../application/service/auth.ts"
import type { AnyModule } from "../../application/service/module.ts"
import { policiesOf } from "../../application/service/policies.ts"
import * as RateLimits from "../../domain/limits/rate-limits.ts"
import * as Outbox from "../../domain/mail/outbox.ts"
import * as OutboxTables from "../../domain/mail/outbox-tables.ts"
import * as OutboxWake from "../../domain/mail/outbox-wake.ts"
import { Policies } from "../../domain/policies.ts"
import * as Blocklist from "../../domain/ports/blocklist.ts"
import * as BreachedPasswords from "../../domain/ports/breached-passwords.ts"
import { Store } from "../../domain/ports/store.ts"
import { Settings } from "../../domain/settings.ts"
import { demandSecrets } from "../../domain/storage/sealing.ts"
import * as Sweeper from "../../domain/storage/sweeper.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { ConfigurationFault } from "../config/faults.ts"
import type { Configuration } from "../config/load.ts"
import * as Ethereum from "../crypto/ethereum.ts"
import { health } from "../http/health.ts"
import * as HttpShell from "../http/http-shell.ts"
import { isServed, takenPath } from "../openapi/settings.ts"
import * as OwnClock from "../own/clock.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import * as WebAuthn from "../passkeys/web-authn.ts"
import * as CommonPasswords from "../passwords/common-passwords.ts"
import * as PasswordFormats from "../passwords/formats.ts"
import * as PasswordHasher from "../passwords/password-hasher.ts"
import * as PwnedPasswords from "../passwords/pwned-passwords.ts"
import { mailer, smsSender } from "./delivery.ts"
import { keys } from "./keys.ts"
import { loaded } from "./loaded.ts"
import { storage } from "./stores.ts"

/**
 * Builds the service from the enabled modules, with every table it needs, and with its GraphQL shell where that is enabled. `document` builds
 * the OpenAPI document where it is served: a start does not wait for it.
 */
export const assemble = Effect.fnUntraced(function* assemble(configuration: Configuration) {
  const { settings, graphql } = configuration
  const modules = [...core, ...configuration.modules]
  const auth = yield* fitting(() => Auth.make(modules))
  if (graphql.enabled && Object.values(auth.endpoints).some(({ path }) => `${settings.base_path}${path}` === graphql.path))
    return yield* new ConfigurationFault({
      faults: [`graphql.path: found "${graphql.path}", the path of an endpoint, wanted another path`],
    })
  const schema = graphql.enabled ? yield* schemaOf(auth, configuration) : undefined
  const document = yield* servedDocumentOf(auth, configuration)
  return { auth, modules, schema, document, tables: [...auth.tables, ...OutboxTables.tables, RateLimits.Counters, ...ImportTables.tables] }
})
export type Assembled = Effect.Success<ReturnType<typeof assemble>>

const fitting = <A>(build: () => A) =>
  Effect.try({
    try: build,
    catch: (error) =>
      new ConfigurationFault({ faults: [`extensions: found a conflict (${(error as Error).message}), wanted modules without conflicts`] }),
  })

/** The GraphQL schema of a service. */
export const schemaOf = <R>(auth: Auth.Auth<R>, { graphql }: Pick<Configuration, "graphql">) =>
  Effect.flatMap(
    Effect.promise(() => import("../graphql/schema.ts")),
    ({ makeSchema }) => fitting(() => makeSchema(auth, graphql)),
  )

/** The OpenAPI document of a service. */
export const documentOf = <R>(auth: Auth.Auth<R>, { settings, rest, modules }: Configuration) =>
  Effect.flatMap(
    Effect.promise(() => import("../openapi/document.ts")),
    ({ openApi }) => fitting(() => openApi({ auth, modules: [...core, ...modules], settings, rest: rest.enabled })),
  )

/** What builds the OpenAPI document, where the service serves it. */
const servedDocumentOf = Effect.fnUntraced(function* servedDocumentOf<R>(auth: Auth.Auth<R>, configuration: Configuration) {
  const { settings, docs, graphql } = configuration
  if (!isServed(docs, settings)) return undefined
  const taken = takenPath(Object.values(auth.endpoints), settings.base_path, graphql)
  if (taken !== undefined)
    return yield* new ConfigurationFault({
      faults: [`docs.enabled: found that the path ${taken} is already in use, wanted false or another path there`],
    })
  return documentOf(auth, configuration)
})

/** The routes of all shells. */
export const routes = ({ auth, schema, document }: Assembled, { rest, graphql }: Configuration) =>
  Layer.mergeAll(
    HttpShell.layer(auth, { rest: rest.enabled }),
    schema === undefined ? Layer.empty : loaded(async () => (await import("../graphql/graphql-shell.ts")).layer(auth, schema, graphql)),
    document === undefined ? Layer.empty : loaded(async () => (await import("../openapi/openapi-shell.ts")).layer(auth, document)),
    Layer.unwrap(Store.useSync(({ ping }) => health(ping))),
  )

/** The layers of a running service without its routes: background work, counters, and the services that use cases need. */
export const running = ({ tables }: Assembled, configuration: Configuration) =>
  Layer.mergeAll(Outbox.worker, Sweeper.layer(tables)).pipe(
    Layer.provideMerge(RateLimiter.layer),
    Layer.provideMerge(configuration.settings.rate_limit.store === "store" ? RateLimits.layerStore : RateLimits.layerMemory),
    Layer.provideMerge(OutboxWake.layer),
    Layer.provideMerge(Layer.effectDiscard(demandSecrets(tables)).pipe(Layer.provideMerge(infrastructure(tables, configuration)))),
  )

/** The rules of modules for commands, which call no endpoint. */
export const commandPolicies = (modules: ReadonlyArray<AnyModule>) =>
  Layer.succeed(Policies, policiesOf({ name: "command", path: "the command line", module: "command", signsIn: undefined }, modules))

/** The services that use cases need, for the server and for commands. */
export const infrastructure = (tables: ReadonlyArray<AnyTable>, configuration: Configuration) => {
  const { settings, secrets, store, mail, sms } = configuration
  return Layer.mergeAll(
    Outbox.layer,
    PasswordHasher.layer(settings.email_password.hash, { keys: PasswordFormats.keysOf(settings.email_password) }),
    PasswordFormats.layer,
    settings.email_password.blocklist === "common" ? CommonPasswords.layer : Blocklist.layerNone,
    settings.email_password.breached.enabled ? PwnedPasswords.layer(settings.email_password.breached) : BreachedPasswords.layerNone,
  ).pipe(
    Layer.provide([mailer(mail), smsSender({ sms, secrets })]),
    Layer.provideMerge(storage(store, tables)),
    Layer.provideMerge(keys(secrets)),
    Layer.provideMerge(Layer.mergeAll(Ethereum.layer, WebAuthn.layer, httpClient(configuration))),
    Layer.provideMerge(Layer.succeed(Settings, settings)),
  )
}

const httpClient = ({ http }: Configuration) => (http === undefined ? NodeHttpClient.layerUndici : OwnHttpClient.layer(http))

/** The logger and the clock of the process. */
export const processServices = ({ log, clock }: Configuration) => {
  const format = log.format ?? (process.stdout.isTTY ? "pretty" : "json")
  return Layer.mergeAll(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.consoleJson]),
    Layer.succeed(References.MinimumLogLevel, levels[log.level]),
    Layer.succeed(References.LogToStderr, false),
    clock === undefined ? Layer.empty : OwnClock.layer(clock),
  )
}
const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const
