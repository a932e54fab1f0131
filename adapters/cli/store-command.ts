import { Effect } from "effect"
import { Command, type GlobalFlag } from "effect/cli"
import type { Configuration } from "../config/load.ts"
import { type Demands, demandStore } from "./users.ts"

/** Reads the configuration and runs an action with it. */
export type WithConfiguration<R, S> = (
  action: (configuration: Configuration) => Effect.Effect<void, unknown, R>,
) => Effect.Effect<void, unknown, S>

/** Makes a command that runs work on the configured store. It fails without what it demands (`demandStore`). */
export type StoreCommand<W, R> = <const Name extends string, const Flags extends Command.Command.Config>(
  name: Name,
  description: string,
  flags: Flags,
  workOf: (input: Command.Command.Config.Infer<Flags>, configuration: Configuration) => W,
  demandsOf?: (input: Command.Command.Config.Infer<Flags>) => Demands,
) => Command.Command<Name, Command.Command.Config.Infer<Flags>, object, unknown, R>

/** `runCommand` runs work with the services that use cases need. */
export const makeStoreCommand =
  <W, R, S>(
    withConfiguration: WithConfiguration<R, S>,
    runCommand: (configuration: Configuration, work: W) => Effect.Effect<void, unknown, R>,
  ): StoreCommand<W, Exclude<S, GlobalFlag.Setting.Identifier<"log-level">>> =>
  (name, description, flags, workOf, demandsOf = () => ({})) =>
    Command.make(name, flags, (input) =>
      withConfiguration((configuration) =>
        Effect.andThen(demandStore(configuration, demandsOf(input)), runCommand(configuration, workOf(input, configuration))),
      ),
    ).pipe(Command.withDescription(description))
