import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { ExtraDefinition } from "../../application/modules/index.ts"
import { type Configuration, load, loadDefinitions, loadKeyManagement } from "../config/load.ts"
import { type Source, unreadFiles } from "../config/source.ts"
import { ConfigurationFault } from "../configuration-faults.ts"
import type { Options as DoctorOptions } from "../doctor/doctor.ts"
import { text } from "../flags.ts"
import { initCommand } from "../init/init-command.ts"
import type { Selected } from "../key-management/layer.ts"
import { endingOf } from "../process/start-faults.ts"
import { printStop, Stop } from "../process/stop.ts"
import { workerNumber } from "../process/workers.ts"
import { addCommand } from "./add-command.ts"
import { type ApiKeyWork, apiKeyCommand } from "./api-keys.ts"
import { type AuditWork, auditCommand } from "./audit.ts"
import { backupCommand, restoreCommand } from "./backup-command.ts"
import type { VerifyOptions } from "./backup-verify.ts"
import { type ClientWork, clientCommand } from "./clients.ts"
import { doctorCommand } from "./doctor-command.ts"
import { type ErasureWork, erasuresCommand } from "./erasures.ts"
import { type EventsWork, eventsCommand } from "./events.ts"
import { type FiguresWork, figuresCommand } from "./figures.ts"
import { mailCommand } from "./mail-command.ts"
import { type Options as MigrateOptions, migrateCommand } from "./migrate-command.ts"
import { outboxCommand, type RecordWork, sessionCommand } from "./records.ts"
import { type Rotate, secretCommand } from "./secret-command.ts"
import { settingsCommand } from "./settings-command.ts"
import { makeStoreCommand } from "./store-command.ts"
import type { TransferWork } from "./transfer.ts"
import { exportCommand, importCommand } from "./transfer-command.ts"
import { type Options as TypesOptions, typesCommand } from "./types-command.ts"
import { userCommand } from "./user-command.ts"
import type { UserWork } from "./users.ts"

type OnFault = (fault: ConfigurationFault) => Effect.Effect<void, unknown>
type Action<R> = (configuration: Configuration) => Effect.Effect<void, unknown, R>

/** A command of one of these kinds. */
type Work<W extends Effect.Effect<any, any, any>> = Effect.Effect<Effect.Success<W>, Effect.Error<W>, Effect.Services<W>>

/** The actions behind the commands; `main.ts` provides them. */
export interface Actions<R> {
  readonly version: string
  /** The modules that a configuration can enable. */
  readonly optional: ReadonlyArray<ExtraDefinition>
  /** `again` loads the configuration as it is then. */
  readonly serve: (configuration: Configuration, again: Effect.Effect<Configuration, ConfigurationFault>) => Effect.Effect<void, unknown, R>
  readonly migrate: (configuration: Configuration, options: MigrateOptions) => Effect.Effect<void, unknown, R>
  readonly doctor: (configuration: Configuration, options: DoctorOptions) => Effect.Effect<void, unknown, R>
  readonly verifyBackup: (configuration: Configuration, options: VerifyOptions) => Effect.Effect<void, unknown, R>
  readonly schema: Action<R>
  readonly openapi: Action<R>
  readonly types: (configuration: Configuration, options: TypesOptions) => Effect.Effect<void, unknown, R>
  readonly webhookSecret: Action<R>
  readonly rotateSecrets: Rotate<R>
  /** Runs a command on stored records with the services that use cases need. The audit log records what it changes. */
  readonly work: (
    configuration: Configuration,
    work: Work<UserWork | RecordWork | AuditWork | EventsWork | ClientWork | ApiKeyWork | ErasureWork | FiguresWork>,
  ) => Effect.Effect<void, unknown, R>
  /** Runs an import or an export. Its users are not recorded one by one. */
  readonly transfer: (configuration: Configuration, work: Work<TransferWork>) => Effect.Effect<void, unknown, R>
}

/** Runs an action with the sources of the configuration. */
const running = <Q>(action: (source: Source) => Effect.Effect<void, unknown, Q>, misconfigured: OnFault = Effect.fail) =>
  Effect.fnUntraced(
    function* runCommand({ config }: { readonly config: Option.Option<string> }) {
      const source = { file: Option.getOrUndefined(config), directory: process.cwd(), environment: process.env }
      if (workerNumber() === undefined) yield* Effect.forEach(unreadFiles(source), (line) => Console.error(line), { discard: true })
      yield* action(source)
    },
    (effect) => printStop(Effect.mapError(Effect.catchIf(effect, isMisconfigured, misconfigured), stopOf)),
  )

/** The command line. The default command is `serve`. */
export const command = <R>({ version, optional, serve, ...actions }: Actions<R>) => {
  const serving = running((source) =>
    Effect.flatMap(load(source, optional), (configuration) => serve(configuration, load(source, optional))),
  )
  const root = Command.make("sallyport").pipe(
    Command.withSharedFlags({
      config: text(
        "config",
        "Configuration file (.ts, .js or .json); default: sallyport.config.{ts,js,json} in this folder, else environment variables alone",
      ).pipe(Flag.withMetavar("FILE")),
    }),
    Command.withDescription("An authentication and identity server. The default command is serve."),
  )
  const withConfiguration = <Q>(action: Action<Q>, misconfigured?: OnFault) =>
    root.pipe(Effect.flatMap(running((source) => Effect.flatMap(load(source, optional), action), misconfigured)))

  const withKeyManagement = (action: (selected: Selected) => Effect.Effect<void, unknown>) =>
    root.pipe(Effect.flatMap(running((source) => Effect.flatMap(loadKeyManagement(source), action))))

  /** A file that cannot be read adds no modules. */
  const definitions = (source: Source) =>
    Effect.catchTag(loadDefinitions(source, optional), "ConfigurationFault", ({ faults }) =>
      Effect.as(
        Effect.forEach(faults, (fault) => Console.error(fault)),
        optional,
      ),
    )
  const withModules = (action: (modules: ReadonlyArray<ExtraDefinition>) => Effect.Effect<void, unknown>) =>
    root.pipe(Effect.flatMap(running((source) => Effect.flatMap(definitions(source), action))))

  const onStore = makeStoreCommand(withConfiguration, actions.work)
  const transferring = makeStoreCommand(withConfiguration, actions.transfer)

  return root.pipe(
    Command.withHandler(serving),
    Command.withSubcommands([
      Command.make("serve", {}, () => Effect.flatMap(root, serving)).pipe(Command.withDescription("Serve until SIGTERM or Ctrl+C")),
      migrateCommand(withConfiguration, actions.migrate),
      doctorCommand(withConfiguration, actions.doctor),
      userCommand(onStore),
      clientCommand(onStore),
      apiKeyCommand(onStore),
      sessionCommand(onStore),
      outboxCommand(onStore),
      auditCommand(onStore),
      eventsCommand(onStore),
      erasuresCommand(onStore),
      figuresCommand(onStore),
      importCommand(transferring),
      exportCommand(transferring),
      mailCommand(withConfiguration),
      backupCommand(withConfiguration, actions.verifyBackup),
      restoreCommand(withConfiguration),
      settingsCommand(withModules),
      initCommand("init", version),
      addCommand(optional),
      Command.make("schema", {}, () => withConfiguration(actions.schema)).pipe(Command.withDescription("Print the GraphQL schema")),
      Command.make("openapi", {}, () => withConfiguration(actions.openapi)).pipe(Command.withDescription("Print the OpenAPI document")),
      typesCommand(withConfiguration, actions.types),
      secretCommand({ withConfiguration, withKeyManagement }, actions.rotateSecrets),
      Command.make("webhook-secret", {}, () => withConfiguration(actions.webhookSecret)).pipe(
        Command.withDescription("Print the secret with which the receiver of the SMS webhook verifies signatures"),
      ),
    ]),
  )
}

const isMisconfigured = (fault: unknown): fault is ConfigurationFault => fault instanceof ConfigurationFault

/** Maps expected failures to an exit code and lines for the operator; other failures stay as they are. */
const stopOf = (fault: unknown): unknown => {
  const ending = endingOf(fault)
  return ending === undefined ? fault : new Stop(ending)
}
