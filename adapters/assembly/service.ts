import { Context, Effect, Layer, Logger, Metric, References } from "effect"
import type { SecureRandom } from "effect/crypto"
import { RateLimiter } from "effect/persistence"
import * as ImportTables from "../../application/import/tables.ts"
import { core } from "../../application/modules/index.ts"
import * as Auth from "../../application/service/auth.ts"
import * as Channels from "../../application/service/channels.ts"
import type { AnyModule } from "../../application/service/module.ts"
import { originOf } from "../../application/service/origin.ts"
import { policiesOf } from "../../application/service/policies.ts"
import { recorderOf } from "../../application/service/recording.ts"
import * as RateLimits from "../../domain/limits/rate-limits.ts"
import * as Outbox from "../../domain/mail/outbox.ts"
import * as OutboxTables from "../../domain/mail/outbox-tables.ts"
import * as OutboxWake from "../../domain/mail/outbox-wake.ts"
import { Policies } from "../../domain/policies.ts"
import * as Blocklist from "../../domain/ports/blocklist.ts"
import * as BreachedPasswords from "../../domain/ports/breached-passwords.ts"
import { Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandSecrets } from "../../domain/secrets/sealing.ts"
import { Caller, noCaller } from "../../domain/sessions/caller.ts"
import { Settings } from "../../domain/settings.ts"
import { Leases } from "../../domain/storage/lease.ts"
import { RepeatedLines } from "../../domain/storage/repeated-log.ts"
import * as Sweeper from "../../domain/storage/sweeper.ts"
import { Upkeep } from "../../domain/storage/upkeep.ts"
import type { Keys } from "../../domain/tokens/keys.ts"
import type { Configuration } from "../config/load.ts"
import { ConfigurationFault } from "../configuration-faults.ts"
import * as Ethereum from "../crypto/ethereum.ts"
import * as GraphqlShell from "../graphql/graphql-shell.ts"
import { health } from "../http/health.ts"
import * as HttpShell from "../http/http-shell.ts"
import { HttpSettings } from "../http/settings.ts"
import * as HttpClient from "../http-client.ts"
import { loaded } from "../loaded.ts"
import { Measures } from "../measures.ts"
import { isServed, takenPath } from "../openapi/settings.ts"
import * as PublicFetch from "../outgoing/public-fetch.ts"
import * as OwnClock from "../own/clock.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import * as WebAuthn from "../passkeys/web-authn.ts"
import * as CommonPasswords from "../passwords/common-passwords.ts"
import * as PasswordFormats from "../passwords/formats.ts"
import * as PasswordHasher from "../passwords/password-hasher.ts"
import * as PwnedPasswords from "../passwords/pwned-passwords.ts"
import * as PhoneNumbers from "../phone-numbers/phone-numbers.ts"
import { waitForRedis } from "../process/waiting.ts"
import * as RefusedDomains from "../refused-domains/refused-domains.ts"
import { observed } from "../telemetry/operations.ts"
import * as Ports from "../telemetry/ports.ts"
import * as Requests from "../telemetry/requests.ts"
import { aboveThreshold, Threshold, writtenFrom } from "../telemetry/threshold.ts"
import * as MailTexts from "../texts/mail-texts.ts"
import * as Webhooks from "../webhooks/sender.ts"
import { mailer, smsSender } from "./delivery.ts"
import { keys } from "./keys.ts"
import * as Reload from "./reload.ts"
import { Parts } from "./reloadable.ts"
import * as State from "./state.ts"
import { storage } from "./stores.ts"
import { metricsOf, type Observation, observationOf, observedLimiter, observing } from "./telemetry.ts"

/**
 * Builds the service from the enabled modules, with every table it needs. `schema` and `document` build the GraphQL schema and the OpenAPI
 * document where they are served: a start does not wait for them.
 */
export const assemble = Effect.fnUntraced(function* assemble(configuration: Configuration) {
  const { settings, graphql } = configuration
  const modules = [...core, ...configuration.modules]
  const made = yield* fitting(() => Auth.make(modules))
  const tables = [...made.tables, ...OutboxTables.tables, RateLimits.Counters, Leases, Upkeep, ...ImportTables.tables]
  const observation = observationOf(made, modules, tables, configuration)
  const auth = observed(made, modules, observation)
  if (graphql.enabled && Object.values(auth.endpoints).some(({ path }) => `${settings.base_path}${path}` === graphql.path))
    return yield* new ConfigurationFault({
      faults: [`graphql.path: found "${graphql.path}", the path of an endpoint, wanted another path`],
    })
  const schema = graphql.enabled ? yield* servedSchemaOf(auth, configuration) : undefined
  const document = yield* servedDocumentOf(auth, configuration)
  return { auth, modules, schema, document, tables, observation }
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

/** The effect that builds the GraphQL schema. With `extensions` it is built at the start: only these can conflict. */
const servedSchemaOf = Effect.fnUntraced(function* servedSchemaOf<R>(auth: Auth.Auth<R>, configuration: Configuration) {
  const schema = schemaOf(auth, configuration)
  return configuration.hasExtensions ? Effect.succeed(yield* schema) : schema
})

/** The OpenAPI document of a service. */
export const documentOf = <R>(auth: Auth.Auth<R>, { settings, httpSettings, rest, modules }: Configuration) =>
  Effect.flatMap(
    Effect.promise(() => import("../openapi/document.ts")),
    ({ openApi }) => fitting(() => openApi({ auth, modules: [...core, ...modules], settings, httpSettings, rest: rest.enabled })),
  )

/** The effect that builds the OpenAPI document; undefined if the service does not serve the document. */
const servedDocumentOf = Effect.fnUntraced(function* servedDocumentOf<R>(auth: Auth.Auth<R>, configuration: Configuration) {
  const { settings, docs, graphql } = configuration
  if (!isServed(docs, settings)) return undefined
  const taken = takenPath(Object.values(auth.endpoints), settings.base_path, graphql)
  if (taken !== undefined)
    return yield* new ConfigurationFault({
      faults: [`docs.enabled: found that an endpoint or GraphQL uses the path ${taken}, wanted false or a free path`],
    })
  return documentOf(auth, configuration)
})

/** The routes of all shells. */
export const routes = ({ auth, schema, document }: Assembled, configuration: Configuration) => {
  const { rest, graphql, pages } = configuration
  return Layer.mergeAll(
    pages === undefined
      ? HttpShell.layer(auth, { rest: rest.enabled })
      : loaded(async () => (await import("./pages.ts")).layer(auth, configuration, pages)),
    schema === undefined ? Layer.empty : GraphqlShell.layer(auth, schema, graphql),
    document === undefined ? Layer.empty : loaded(async () => (await import("../openapi/openapi-shell.ts")).layer(auth, document)),
    Layer.unwrap(Store.useSync(({ ping }) => health(ping))),
  )
}

/** The layers of a running service without its routes: background work, counters, telemetry, and the services that use cases need. */
export const running = ({ auth, modules, tables, observation }: Assembled, configuration: Configuration) =>
  Layer.mergeAll(
    Outbox.worker,
    Sweeper.layer(tables),
    Layer.effectDiscard(auth.background),
    Requests.layer(observation),
    metricsOf(observation.instruments, modules, configuration),
    Reload.layer(tables, configuration),
  ).pipe(
    Layer.provideMerge(observedLimiter(observation)),
    Layer.provideMerge(RateLimiter.layer),
    Layer.provideMerge(counters(configuration)),
    Layer.provideMerge(State.layer(configuration)),
    Layer.provideMerge(OutboxWake.layer),
    Layer.provideMerge(
      Layer.effectDiscard(demandSecrets(tables)).pipe(Layer.provideMerge(infrastructure(tables, configuration, observation))),
    ),
    Layer.provideMerge(tracesOf(observation, configuration)),
  )

/** Where the rate limiter counts. */
const counters = ({ settings: { rate_limit }, redis }: Configuration) => {
  if (rate_limit.store === "redis" && redis !== undefined)
    return waitForRedis(loaded(async () => (await import("../redis/rate-limits.ts")).layer(redis.url)))
  return rate_limit.store === "store" ? RateLimits.layerStore : RateLimits.layerMemory
}

const tracesOf = ({ instruments }: Observation, { telemetry: { traces } }: Configuration) =>
  traces === undefined ? untraced : loaded(async () => (await import("../telemetry/traces.ts")).layer(traces, instruments))

/** Without it, Effect makes spans that no tracer receives. */
const untraced = Layer.succeed(References.TracerEnabled, false)

/** A command calls no endpoint, so this names the command line in place of one. */
const commandLine = { name: "command", path: "the command line", module: "command", signsIn: undefined }

/** The policies of modules and a caller, for commands. */
export const commandPolicies = (modules: ReadonlyArray<AnyModule>) =>
  Layer.merge(Layer.succeed(Policies, policiesOf(commandLine, modules)), Layer.succeed(Caller, noCaller))

/** The Store for commands of operators, whose commits contain the records of their events. */
export const commandStore = (modules: ReadonlyArray<AnyModule>) => {
  const recorder = recorderOf(modules)
  if (recorder === undefined) return Layer.empty
  return Layer.effect(Store, recorder.storeOf(originOf(commandLine, Context.make(Caller, noCaller))))
}

/** What modules do after a rotation of the secret. */
export const secretRotated = (modules: ReadonlyArray<AnyModule>): Effect.Effect<void, never, Store | Keys | SecureRandom.SecureRandom> =>
  Effect.provide(
    Effect.forEach(modules, (module) => module.secretRotated, { discard: true }),
    commandStore(modules).pipe(Layer.merge(Layer.succeed(Policies, policiesOf(commandLine, modules)))),
  )

const unobserved: Observation = { instruments: undefined, traces: false, database: "other" }

/** The services that use cases need, for the server and for commands. */
export const infrastructure = (tables: ReadonlyArray<AnyTable>, configuration: Configuration, observation = unobserved) => {
  const { settings, passwords, modules, secrets, store, texts, owned } = configuration
  const deliveries = observing(observation, Ports.deliveries).pipe(
    Layer.provideMerge(Layer.merge(mailer(configuration), smsSender(configuration))),
  )
  return Layer.mergeAll(
    Outbox.layer.pipe(Layer.provide(Channels.layer(modules))),
    observing(observation, Ports.passwordHasher).pipe(
      Layer.provideMerge(PasswordHasher.layer(passwords.hash, { keys: PasswordFormats.keysOf(passwords) })),
    ),
    PasswordFormats.layer(passwords),
    MailTexts.layer(texts, owned.texts),
    passwords.blocklist === "common" ? CommonPasswords.layer : Blocklist.layerNone,
    passwords.breached.enabled ? PwnedPasswords.layer(passwords.breached) : BreachedPasswords.layerNone,
    RefusedDomains.layer(settings),
  ).pipe(
    Layer.provide(deliveries),
    Layer.provideMerge(observing(observation, Ports.store)),
    Layer.provideMerge(storage(store, tables)),
    Layer.provideMerge(keys(secrets)),
    Layer.provideMerge(observing(observation, Ports.webhooks)),
    Layer.provideMerge(Layer.mergeAll(Ethereum.layer, PhoneNumbers.layer, WebAuthn.layer, Webhooks.layer, httpClient(configuration))),
    Layer.provideMerge(PublicFetch.layer()),
    Layer.provideMerge(Layer.merge(Layer.succeed(Settings, settings), Layer.succeed(HttpSettings, configuration.httpSettings))),
  )
}

const httpClient = ({ http }: Configuration) => (http === undefined ? HttpClient.layer : OwnHttpClient.layer(http))

/** The logger, the reloadable parts, the clock and the registry of metrics of the process. */
export const processServices = ({ log, clock }: Pick<Configuration, "log" | "clock">) => {
  const format = log.format ?? (process.stdout.isTTY ? "pretty" : "json")
  const threshold = writtenFrom(levels[log.level])
  const setLevel = ({ log }: Configuration) => Effect.sync(() => void Object.assign(threshold, writtenFrom(levels[log.level])))
  return Layer.mergeAll(
    Logger.layer([aboveThreshold(threshold, format === "pretty" ? Logger.consolePretty() : Logger.consoleJson)]),
    // The logger compares levels instead, because those of running fibers cannot be changed.
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(Threshold, threshold),
    Layer.sync(Parts, () => new Set([(next) => Effect.succeed(setLevel(next))])),
    Layer.succeed(References.LogToStderr, false),
    Layer.sync(Metric.MetricRegistry, () => new Map()),
    Layer.sync(RepeatedLines, () => new Map()),
    Layer.sync(Measures, () => new Set()),
    clock === undefined ? Layer.empty : OwnClock.layer(clock),
  )
}
const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const
