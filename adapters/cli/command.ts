import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServerError } from "effect/http"
import type { ExtraDefinition } from "../../application/modules/index.ts"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { SecretMissing } from "../../domain/storage/sealing.ts"
import { ConfigurationFault } from "../config/faults.ts"
import type { Configuration } from "../config/load.ts"
import { load } from "../config/load.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { DirectoryInUse } from "../postgres/directory-lock.ts"
import { DirectoryUnusable } from "../postgres/embedded.ts"
import { misconfigured } from "./doctor.ts"
import { type Rotate, secretCommand } from "./secret-command.ts"
import { codes, outage, reasonOf, Stop, said } from "./stop.ts"
import { userCommand } from "./user-command.ts"
import type { UserWork } from "./users.ts"

type OnFault = (fault: ConfigurationFault) => Effect.Effect<void, unknown>
type Action<R> = (configuration: Configuration) => Effect.Effect<void, unknown, R>

/** What the commands do; the program's root puts it together. */
export interface Actions<R> {
  /** The modules that a configuration can turn on. */
  readonly optional: ReadonlyArray<ExtraDefinition>
  readonly serve: Action<R>
  readonly migrate: Action<R>
  readonly doctor: Action<R>
  readonly schema: Action<R>
  readonly webhookSecret: Action<R>
  readonly rotateSecrets: Rotate<R>
  /** Does something to users on everything that use cases stand on. */
  readonly users: (configuration: Configuration, work: UserWork) => Effect.Effect<void, unknown, R>
}

/** The command line. Without a command it serves. */
export const command = <R>({ optional, ...actions }: Actions<R>) => {
  const run = <Q>(action: Action<Q>, misconfigured: OnFault = Effect.fail) =>
    Effect.fnUntraced(
      function* ({ config }: { readonly config: Option.Option<string> }) {
        const source = { file: Option.getOrUndefined(config), directory: process.cwd(), environment: process.env }
        yield* action(yield* load(source, optional))
      },
      (effect) => said(Effect.mapError(Effect.catchIf(effect, isMisconfigured, misconfigured), stopOf)),
    )

  const root = Command.make("sallyport").pipe(
    Command.withSharedFlags({
      config: Flag.String("config").pipe(
        Flag.withMetavar("FILE"),
        Flag.withDescription("Configuration, .ts, .js or .json; else sallyport.config.{ts,js,json} here, else the environment alone"),
        Flag.optional,
      ),
    }),
    Command.withDescription("An authentication and identity server. Without a command it serves."),
  )
  const inherited =
    <Q>(action: Action<Q>, misconfigured?: OnFault) =>
    () =>
      Effect.flatMap(root, run(action, misconfigured))

  return root.pipe(
    Command.withHandler(run(actions.serve)),
    Command.withSubcommands([
      Command.make("serve", {}, inherited(actions.serve)).pipe(Command.withDescription("Serve until SIGTERM or Ctrl+C")),
      Command.make("migrate", {}, inherited(actions.migrate)).pipe(
        Command.withDescription("Bring the database up to date and print what was done; every start does this, too"),
      ),
      Command.make("doctor", {}, inherited(actions.doctor, misconfigured)).pipe(
        Command.withDescription("Check configuration, secret, database, mail server, SMS gateway and public_url"),
      ),
      userCommand((action) => inherited(action)(), actions.users),
      Command.make("schema", {}, inherited(actions.schema)).pipe(Command.withDescription("Print the GraphQL schema")),
      secretCommand((action) => inherited(action)(), actions.rotateSecrets),
      Command.make("webhook-secret", {}, inherited(actions.webhookSecret)).pipe(
        Command.withDescription("Print the secret that the receiver of the SMS webhook checks signatures with"),
      ),
    ]),
  )
}

const isMisconfigured = (fault: unknown): fault is ConfigurationFault => fault instanceof ConfigurationFault

/** What ends the process in an orderly way, in words and with its code. */
const stopOf = (fault: unknown): unknown => {
  if (fault instanceof ConfigurationFault) return new Stop({ code: codes.configuration, lines: fault.faults })
  if (fault instanceof SecretMissing) return new Stop({ code: codes.configuration, lines: [fault.message] })
  if (fault instanceof StoreUnavailable) return new Stop({ code: codes.unavailable, lines: [`The store ${outage(fault)}.`] })
  if (fault instanceof DirectoryInUse || fault instanceof DirectoryUnusable)
    return new Stop({ code: codes.unavailable, lines: [fault.message] })
  if (fault instanceof DatabaseRefused) return new Stop({ code: codes.failed, lines: [fault.message] })
  if (fault instanceof HttpServerError.ServeError)
    return new Stop({
      code: codes.configuration,
      lines: [
        `listen: found ${reasonOf(fault)}, wanted an address of this machine and a port that is free (listen.host, listen.port, or SALLYPORT_PUBLIC_URL)`,
      ],
    })
  return fault
}
