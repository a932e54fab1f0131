import { Effect } from "effect"
import type { Configuration } from "../config/load.ts"
import { type Demands, demandStore } from "./users.ts"

/** Reads the configuration and runs an action with it. */
export type WithConfiguration<R, S> = (
  action: (configuration: Configuration) => Effect.Effect<void, unknown, R>,
) => Effect.Effect<void, unknown, S>

/** Runs work with the services that use cases need. */
export type RunCommand<W, R> = (configuration: Configuration, work: W) => Effect.Effect<void, unknown, R>

/** Runs work on the configured store. Fails without what it demands (`demandStore`). */
export const makeCommandRunner =
  <W, R, S>(withConfiguration: WithConfiguration<R, S>, runCommand: RunCommand<W, R>) =>
  (workOf: (configuration: Configuration) => W, demands: Demands = {}) =>
    withConfiguration((configuration) =>
      Effect.andThen(demandStore(configuration, demands), runCommand(configuration, workOf(configuration))),
    )
