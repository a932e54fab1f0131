import { availableParallelism } from "node:os"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Redacted, References, Schedule } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { HttpRouter } from "effect/http"
import { clientTypesOf } from "./adapters/assembly/client-types.ts"
import { webhookSecrets } from "./adapters/assembly/delivery.ts"
import { type Apply, makeApply, Reload } from "./adapters/assembly/reload.ts"
import { onReload } from "./adapters/assembly/reloadable.ts"
import {
  type Assembled,
  assemble,
  commandPolicies,
  commandStore,
  documentOf,
  infrastructure,
  processServices,
  routes,
  running,
  schemaOf,
  secretRotated,
} from "./adapters/assembly/service.ts"
import { backupCopy, maintenance } from "./adapters/assembly/stores.ts"
import { verifyBackup } from "./adapters/cli/backup-verify.ts"
import { command } from "./adapters/cli/command.ts"
import { migrate } from "./adapters/cli/migrate-command.ts"
import { writeTypes } from "./adapters/cli/types-command.ts"
import * as Welcome from "./adapters/cli/welcome.ts"
import type { Configuration } from "./adapters/config/load.ts"
import type { ConfigurationFault } from "./adapters/configuration-faults.ts"
import { trustedDocuments } from "./adapters/graphql/trusted.ts"
import * as Drain from "./adapters/http/drain.ts"
import * as HttpShell from "./adapters/http/http-shell.ts"
import * as NodeServer from "./adapters/http/node-server.ts"
import { manifest } from "./adapters/manifest.ts"
import { hashTime } from "./adapters/passwords/hash-time.ts"
import { threads } from "./adapters/passwords/password-hasher.ts"
import * as ThreadPriority from "./adapters/passwords/thread-priority.ts"
import * as GarbageCollection from "./adapters/process/garbage-collection.ts"
import { reloadRequests } from "./adapters/process/reload-requests.ts"
import { isUnavailable } from "./adapters/process/start-faults.ts"
import { exitOnSecondSignal, isTerminated, teardown } from "./adapters/process/stop.ts"
import { receivedSecrets } from "./adapters/process/worker-secrets.ts"
import * as Workers from "./adapters/process/workers.ts"
import { optional } from "./application/modules/index.ts"
import { demandSecrets, rotate } from "./domain/secrets/sealing.ts"

/** When to reload the configuration, and how to load it. */
interface Reloads {
  readonly requested: Effect.Effect<void>
  readonly again: Effect.Effect<Configuration, ConfigurationFault>
}

/** Reloads at each request. What fails because another service cannot be reached is repeated. */
const reloading = (apply: Apply, { requested, again }: Reloads) =>
  requested.pipe(
    Effect.andThen(Effect.retry(apply(again), { while: isUnavailable, schedule: Schedule.spaced("30 seconds") })),
    Effect.ignoreCause,
    Effect.forever,
    Effect.forkScoped,
  )

/** The process that starts the workers. It keeps the secrets of those that it starts later. */
const supervised = Effect.fnUntraced(function* supervised(configuration: Configuration, reloads: Reloads) {
  const { workers, port } = configuration.listen
  const shared: Workers.Shared = { port, secrets: yield* configuration.secrets, reloads: 0 }
  yield* onReload((next) =>
    Effect.map(next.secrets, (secrets) =>
      Effect.sync(() => {
        shared.secrets = secrets
      }),
    ),
  )
  const apply = yield* makeApply(configuration)
  // Also after a failure, which each worker counts.
  yield* reloading(
    (load) =>
      Effect.ensuring(
        apply(load),
        Effect.sync(() => Workers.reload(shared)),
      ),
    reloads,
  )
  yield* Workers.supervise(workers, shared)
}, Effect.scoped)

/** The service as one layer, from the socket to the database. */
const service = (assembled: Assembled, configuration: Configuration, reloads: Reloads) =>
  Layer.mergeAll(
    Layer.effectDiscard(Effect.flatMap(Reload, ({ apply }) => reloading(apply, reloads))),
    (Workers.workerNumber() ?? 1) === 1 ? Welcome.layer(configuration) : Layer.empty,
    GarbageCollection.afterStart,
    GarbageCollection.boundHeap,
    ThreadPriority.layer,
    Drain.onStop(() => (isTerminated() ? configuration.listen.drain_delay : 0)),
  ).pipe(
    Layer.provide(HttpRouter.serve(Layer.provide(routes(assembled, configuration), Drain.closingConnections), HttpShell.options)),
    Layer.provide(NodeServer.layer(configuration.listen)),
    Layer.provide(running(assembled, configuration)),
    Layer.provide(Drain.layer),
  )

const sallyport = command({
  version: manifest.version,
  optional,
  serve: Effect.fnUntraced(function* serve(loaded, again) {
    const reloads = { requested: yield* reloadRequests(loaded.files), again }
    if (Workers.isPrimary(loaded.listen.workers)) return yield* Effect.provide(supervised(loaded, reloads), processServices(loaded))
    const worker = Workers.workerNumber()
    const configuration = worker === undefined ? loaded : { ...loaded, secrets: yield* Effect.cached(receivedSecrets) }
    const assembled = yield* assemble(configuration)
    const serving = Effect.provide(Layer.launch(service(assembled, configuration, reloads)), processServices(configuration))
    yield* worker === undefined ? serving : Effect.annotateLogs(serving, { worker })
  }, Effect.scoped),
  migrate: Effect.fnUntraced(function* runMigrate(configuration, options) {
    const { tables } = yield* assemble(configuration)
    yield* migrate(maintenance(tables, configuration), options)
  }),
  schema: Effect.fnUntraced(function* printSchema(configuration) {
    const { auth } = yield* assemble(configuration)
    const { printed } = yield* Effect.promise(() => import("./adapters/graphql/schema.ts"))
    yield* Console.log(printed(yield* schemaOf(auth, configuration)))
  }),
  openapi: Effect.fnUntraced(function* printOpenApi(configuration) {
    const { auth } = yield* assemble(configuration)
    yield* Console.log(JSON.stringify(yield* documentOf(auth, configuration), null, 2))
  }),
  types: Effect.fnUntraced(function* printTypes(configuration, options) {
    const { auth } = yield* assemble(configuration)
    yield* writeTypes(yield* clientTypesOf(auth, configuration), options)
  }),
  webhookSecret: Effect.fnUntraced(function* printWebhookSecrets(configuration) {
    for (const secret of yield* webhookSecrets(configuration)) yield* Console.log(Redacted.value(secret))
  }),
  rotateSecrets: Effect.fnUntraced(function* rotateSecrets(configuration, removeUnreadable, report) {
    const { modules, tables } = yield* assemble(configuration)
    const rotation = Effect.flatMap(rotate(tables, { removeUnreadable }), report)
    const services = Layer.merge(infrastructure(tables, configuration), commandPolicies(modules))
    yield* Effect.provide(Effect.andThen(Effect.andThen(rotation, demandSecrets(tables)), secretRotated(modules)), services)
  }),
  doctor: Effect.fnUntraced(function* runDoctor(configuration, options) {
    const { auth, tables, schema, document } = yield* assemble(configuration)
    if (schema !== undefined) yield* schema
    if (document !== undefined) yield* document
    yield* trustedDocuments(configuration.graphql.trusted_documents)
    const { doctor } = yield* Effect.promise(() => import("./adapters/doctor/doctor.ts"))
    const { applicationChecks } = yield* Effect.promise(() => import("./adapters/doctor/application-checks.ts"))
    const application = applicationChecks(configuration, process.cwd(), clientTypesOf(auth, configuration))
    const machine = { hashTime, threads: threads(), memory: process.availableMemory() }
    yield* doctor(configuration, maintenance(tables, configuration), machine, options, application)
  }),
  verifyBackup: Effect.fnUntraced(function* runVerifyBackup(configuration, options) {
    const { tables } = yield* assemble(configuration)
    const note = maintenance(tables, configuration)?.noteChecked
    yield* verifyBackup(
      backupCopy(tables, configuration, options),
      (isSound, made) => (note === undefined ? Effect.void : note("backup", isSound, made)),
      options.json,
    )
  }),
  work: Effect.fnUntraced(function* runWork(configuration, work) {
    const { modules, tables } = yield* assemble(configuration)
    const services = commandStore(modules).pipe(Layer.provideMerge(infrastructure(tables, configuration)))
    yield* Effect.provide(work, Layer.merge(services, commandPolicies(modules)))
  }),
  transfer: Effect.fnUntraced(function* runTransfer(configuration, work) {
    const { modules, tables } = yield* assemble(configuration)
    yield* Effect.provide(work, Layer.merge(infrastructure(tables, configuration), commandPolicies(modules)))
  }),
})

// Password hashes run on the native thread pool; more threads than cores only add contention.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(2, availableParallelism()))
GarbageCollection.keepPausesShort()
exitOnSecondSignal()
sallyport.pipe(
  Command.run({ version: manifest.version }),
  // Other programs read the output of commands, so log lines go to standard error; `serve` logs to standard output instead.
  Effect.provideService(References.LogToStderr, true),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })]),
  (program) => NodeRuntime.runMain(program, { teardown }),
)
