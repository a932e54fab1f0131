import { availableParallelism } from "node:os"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Array, Console, Effect, Layer, Logger, Redacted, References } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { HttpRouter } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { command } from "./adapters/cli/command.ts"
import { doctor } from "./adapters/cli/doctor.ts"
import { keepPausesShort } from "./adapters/cli/garbage-collection.ts"
import { migrate } from "./adapters/cli/migrate.ts"
import { exitOnSecondSignal, teardown } from "./adapters/cli/stop.ts"
import { waitForStore } from "./adapters/cli/wait-for-store.ts"
import * as Welcome from "./adapters/cli/welcome.ts"
import { ConfigurationFault } from "./adapters/config/faults.ts"
import type { Configuration, KeptStore } from "./adapters/config/load.ts"
import * as Ed25519 from "./adapters/crypto/ed25519.ts"
import * as Ethereum from "./adapters/crypto/ethereum.ts"
import * as Mac from "./adapters/crypto/mac.ts"
import * as GraphqlShell from "./adapters/graphql/graphql-shell.ts"
import { makeSchema, printed } from "./adapters/graphql/schema.ts"
import { trustedDocuments } from "./adapters/graphql/trusted.ts"
import { health } from "./adapters/http/health.ts"
import * as HttpShell from "./adapters/http/http-shell.ts"
import * as NodeServer from "./adapters/http/node-server.ts"
import * as ConsoleMail from "./adapters/mail/console.ts"
import * as NoMail from "./adapters/mail/none.ts"
import * as SmtpMail from "./adapters/mail/smtp.ts"
import * as StoreMemory from "./adapters/memory/memory-store.ts"
import * as MongoDatabase from "./adapters/mongo/database.ts"
import * as MongoMigrations from "./adapters/mongo/migrations.ts"
import * as MongoStore from "./adapters/mongo/mongo-store.ts"
import * as WebAuthn from "./adapters/passkeys/web-authn.ts"
import * as CommonPasswords from "./adapters/passwords/common-passwords.ts"
import * as PasswordFormats from "./adapters/passwords/formats.ts"
import * as PasswordHasher from "./adapters/passwords/password-hasher.ts"
import * as PwnedPasswords from "./adapters/passwords/pwned-passwords.ts"
import * as Database from "./adapters/postgres/database.ts"
import * as Embedded from "./adapters/postgres/embedded.ts"
import * as Migrations from "./adapters/postgres/migrations.ts"
import * as PostgresStore from "./adapters/postgres/postgres-store.ts"
import * as ConsoleSms from "./adapters/sms/console.ts"
import * as NoSms from "./adapters/sms/none.ts"
import * as TwilioSms from "./adapters/sms/twilio.ts"
import * as WebhookSms from "./adapters/sms/webhook.ts"
import * as ImportTables from "./application/import/tables.ts"
import { core, optional } from "./application/modules/index.ts"
import * as Auth from "./application/service/auth.ts"
import * as RateLimits from "./domain/limits/rate-limits.ts"
import * as Outbox from "./domain/mail/outbox.ts"
import * as OutboxTables from "./domain/mail/outbox-tables.ts"
import * as OutboxWake from "./domain/mail/outbox-wake.ts"
import * as Blocklist from "./domain/ports/blocklist.ts"
import * as BreachedPasswords from "./domain/ports/breached-passwords.ts"
import { Store } from "./domain/ports/store.ts"
import { Settings } from "./domain/settings.ts"
import { demandSecrets, rotate, unreadable } from "./domain/storage/sealing.ts"
import * as Sweeper from "./domain/storage/sweeper.ts"
import type { AnyTable } from "./domain/storage/table.ts"
import * as Keys from "./domain/tokens/keys.ts"
import manifest from "./package.json" with { type: "json" }

/** Builds the service from the enabled modules, with its GraphQL schema and every table it needs. */
const assemble = Effect.fnUntraced(function* assemble({ modules, settings, graphql }: Configuration) {
  const { auth, schema } = yield* Effect.try({
    try: () => {
      const auth = Auth.make([...core, ...modules])
      return { auth, schema: makeSchema(auth) }
    },
    catch: (error) =>
      new ConfigurationFault({ faults: [`extensions: found a conflict (${(error as Error).message}), wanted modules that fit together`] }),
  })
  if (graphql.enabled && Object.values(auth.endpoints).some(({ path }) => `${settings.base_path}${path}` === graphql.path))
    return yield* new ConfigurationFault({
      faults: [`graphql.path: found "${graphql.path}", the path of an endpoint, wanted another path`],
    })
  return { auth, schema, tables: [...auth.tables, ...OutboxTables.tables, RateLimits.Counters, ...ImportTables.tables] }
})
type Assembled = Effect.Success<ReturnType<typeof assemble>>

/** The service as one layer, from the socket to the database. */
const service = ({ auth, schema, tables }: Assembled, configuration: Configuration) => {
  const { settings, listen, rest, graphql } = configuration

  const routes = Layer.mergeAll(
    HttpShell.layer(auth, { rest: rest.enabled }),
    graphql.enabled ? GraphqlShell.layer(auth, schema, graphql) : Layer.empty,
    Layer.unwrap(Store.useSync(({ ping }) => health(ping))),
  )

  return Welcome.layer(configuration).pipe(
    Layer.provide(HttpRouter.serve(routes, HttpShell.options)),
    Layer.provide(NodeServer.layer(listen)),
    Layer.provide([Outbox.worker, Sweeper.layer(tables)]),
    Layer.provide(RateLimiter.layer),
    Layer.provide(settings.rate_limit.store === "store" ? RateLimits.layerStore : RateLimits.layerMemory),
    Layer.provide(OutboxWake.layer),
    Layer.provide(Layer.effectDiscard(demandSecrets(tables)).pipe(Layer.provideMerge(infrastructure(tables, configuration)))),
  )
}

/** The services that use cases need, for the server and for commands. */
const infrastructure = (tables: ReadonlyArray<AnyTable>, { settings, secrets, store, mail, sms }: Configuration) =>
  Layer.mergeAll(
    Outbox.layer,
    PasswordHasher.layer(settings.email_password.hash, { keys: PasswordFormats.keysOf(settings.email_password) }),
    PasswordFormats.layer,
    settings.email_password.blocklist === "common" ? CommonPasswords.layer : Blocklist.layerNone,
    settings.email_password.breached.enabled ? PwnedPasswords.layer(settings.email_password.breached) : BreachedPasswords.layerNone,
  ).pipe(
    Layer.provide([mailer(mail), smsSender({ sms, secrets })]),
    Layer.provideMerge(storage(store, tables)),
    Layer.provideMerge(keys(secrets)),
    Layer.provideMerge(Layer.mergeAll(Ethereum.layer, WebAuthn.layer, NodeHttpClient.layerUndici)),
    Layer.provideMerge(Layer.succeed(Settings, settings)),
  )

const keys = (secrets: Configuration["secrets"]) =>
  Layer.orDie(Keys.layer(secrets)).pipe(Layer.provideMerge(Layer.mergeAll(Mac.layer, Ed25519.layer)), Layer.provideMerge(NodeCrypto.layer))

const storage = (store: Configuration["store"], tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, unknown> => {
  if (store.kind === "memory") return StoreMemory.layer(tables)
  if (store.kind === "mongo") return waitForStore(MongoStore.layer(tables)).pipe(Layer.provide(mongo(store)))
  return waitForStore(PostgresStore.layer(tables)).pipe(Layer.provide(postgres(store)))
}

type Kept<Kind extends KeptStore["kind"]> = Extract<KeptStore, { readonly kind: Kind }>

const postgres = (store: Kept<"embedded" | "postgres">) =>
  store.kind === "embedded" ? Embedded.layer(store.directory) : Database.layer(store.url, { maxConnections: store.max_connections })

const mongo = ({ url, max_connections }: Kept<"mongo">) => MongoDatabase.layer(url, { maxConnections: max_connections })

/** Maintenance of the database, for `migrate` and `doctor`. */
const maintenance = (tables: ReadonlyArray<AnyTable>, { secrets }: Configuration) => ({
  migrate: (store: KeptStore) =>
    store.kind === "mongo"
      ? Effect.provide(MongoMigrations.migrate(tables), mongo(store))
      : Effect.provide(Migrations.migrate(tables), postgres(store)),
  plan: (store: KeptStore) =>
    store.kind === "mongo"
      ? Effect.provide(MongoMigrations.plan(tables), mongo(store))
      : Effect.provide(Migrations.plan(tables), postgres(store)),
  unused: (store: KeptStore) =>
    store.kind === "mongo"
      ? Effect.provide(MongoMigrations.unused(tables), mongo(store))
      : Effect.provide(Migrations.unused(tables), postgres(store)),
  unreadable: (store: KeptStore) =>
    Effect.provide(unreadable(tables), [
      store.kind === "mongo"
        ? Layer.provide(MongoStore.layerMigrated(tables), mongo(store))
        : Layer.provide(PostgresStore.layerMigrated(tables), postgres(store)),
      keys(secrets),
    ]),
})

const mailer = (mail: Configuration["mail"]) => {
  if (mail.kind === "smtp") return Layer.orDie(SmtpMail.layer(mail))
  return mail.kind === "console" ? ConsoleMail.layer : NoMail.layer
}

/** The secrets with which the receiver of the SMS webhook verifies signatures. */
const webhookSecrets = ({ sms, secrets }: Pick<Configuration, "sms" | "secrets">) =>
  sms.kind === "webhook" && sms.secret !== undefined ? Array.ensure(sms.secret) : WebhookSms.derivedFrom(secrets)

const smsSender = ({ sms, secrets }: Pick<Configuration, "sms" | "secrets">) => {
  if (sms.kind === "twilio") return TwilioSms.layer(sms)
  if (sms.kind === "webhook") return Layer.orDie(WebhookSms.layer({ ...sms, secret: webhookSecrets({ sms, secrets }) }))
  return sms.kind === "console" ? ConsoleSms.layer : NoSms.layer
}

const logging = ({ log }: Configuration) => {
  const format = log.format ?? (process.stdout.isTTY ? "pretty" : "json")
  return Layer.mergeAll(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.consoleJson]),
    Layer.succeed(References.MinimumLogLevel, levels[log.level]),
    Layer.succeed(References.LogToStderr, false),
  )
}
const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

const sallyport = command({
  optional,
  serve: Effect.fnUntraced(function* serve(configuration) {
    const assembled = yield* assemble(configuration)
    yield* Effect.provide(Layer.launch(service(assembled, configuration)), logging(configuration))
  }),
  migrate: Effect.fnUntraced(function* runMigrate(configuration) {
    const { tables } = yield* assemble(configuration)
    yield* migrate(configuration.store, maintenance(tables, configuration).migrate)
  }),
  schema: Effect.fnUntraced(function* printSchema(configuration) {
    const { schema } = yield* assemble(configuration)
    yield* Console.log(printed(schema))
  }),
  webhookSecret: (configuration) =>
    Effect.forEach(webhookSecrets(configuration), (secret) => Console.log(Redacted.value(secret)), { discard: true }),
  rotateSecrets: Effect.fnUntraced(function* rotateSecrets(configuration, removeUnreadable, report) {
    const { tables } = yield* assemble(configuration)
    const rotation = Effect.flatMap(rotate(tables, { removeUnreadable }), report)
    yield* Effect.provide(Effect.andThen(rotation, demandSecrets(tables)), infrastructure(tables, configuration))
  }),
  doctor: Effect.fnUntraced(function* runDoctor(configuration) {
    const { tables } = yield* assemble(configuration)
    yield* trustedDocuments(configuration.graphql.trusted_documents)
    yield* doctor(configuration, maintenance(tables, configuration))
  }),
  moving: Effect.fnUntraced(function* runMovingWork(configuration, work) {
    const { tables } = yield* assemble(configuration)
    yield* Effect.provide(work, infrastructure(tables, configuration))
  }),
  users: Effect.fnUntraced(function* runUserWork(configuration, work) {
    const { tables } = yield* assemble(configuration)
    yield* Effect.provide(work, infrastructure(tables, configuration))
  }),
})

// Password hashes run on the native thread pool; more threads than cores only add contention.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(2, availableParallelism()))
keepPausesShort()
exitOnSecondSignal()
sallyport.pipe(
  Command.run({ version: manifest.version }),
  // Other programs read the output of commands, so log lines go to standard error; `serve` logs to standard output instead.
  Effect.provideService(References.LogToStderr, true),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })]),
  (program) => NodeRuntime.runMain(program, { teardown }),
)
