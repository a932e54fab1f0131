import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import type { Configuration } from "../config/load.ts"
import { type Given, toggle } from "../flags.ts"
import type { Change } from "../kinds/store.ts"
import type { WithConfiguration } from "./store-command.ts"

interface Maintenance {
  readonly migrate: Effect.Effect<ReadonlyArray<string>, unknown>
  readonly plan: Effect.Effect<ReadonlyArray<Change>, unknown>
}

const flags = { plan: toggle("plan", "Print the changes that are due, with what they lock, and make none") }

export type Options = Given<typeof flags>

export const migrateCommand = <R, S>(
  run: WithConfiguration<R, S>,
  migrate: (configuration: Configuration, options: Options) => Effect.Effect<void, unknown, R>,
) =>
  Command.make("migrate", flags, (options) => run((configuration) => migrate(configuration, options))).pipe(
    Command.withDescription(
      "Update the database schema while the service runs, and print the statements; by default every start updates it too",
    ),
  )

/** Updates the schema of the database and prints the statements, or prints what is due; null is a store without a database. */
export const migrate = (maintenance: Maintenance | null, { plan }: Options) => {
  if (maintenance === null) return Console.log("The store has no schema: nothing to migrate.")
  const changes = plan ? maintenance.plan : Effect.map(maintenance.migrate, (statements) => statements.map((statement) => ({ statement })))
  return Effect.flatMap(changes, (all: ReadonlyArray<Change>) =>
    Console.log(all.length === 0 ? "Nothing to do." : all.flatMap(linesOf).join("\n")),
  )
}

const linesOf = ({ statement, refusal, note }: Change): ReadonlyArray<string> => [
  `${statement};`,
  ...(note === undefined ? [] : [`    ${note}`]),
  ...(refusal === undefined ? [] : [`    ${refusal}: this needs your decision`]),
]
