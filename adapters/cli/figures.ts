import { Effect } from "effect"
import { Command } from "effect/cli"
import { lastSeal, newestSealed } from "../../application/modules/audit/sealed-pages.ts"
import { rebuild } from "../../application/modules/figures/rebuild.ts"
import type { Configuration } from "../config/load.ts"
import { json } from "../flags.ts"
import { printRecord } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"
import { demandModule } from "./users.ts"

export type FiguresWork = ReturnType<typeof rebuildFigures>

const demandFigures = demandModule("figures", ": nothing is counted")

/** Counts the records of the audit log that were sealed while figures were off. */
export const rebuildFigures = Effect.fnUntraced(function* rebuildFigures(
  { json }: { readonly json: boolean },
  configuration: Configuration,
) {
  yield* demandFigures(configuration)
  yield* printRecord(yield* rebuild({ last: lastSeal, newest: newestSealed }), json)
})

export const figuresCommand = <S>(onStore: StoreCommand<FiguresWork, S>) =>
  Command.make("figures").pipe(
    Command.withDescription("Complete the figures of the console; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore(
        "rebuild",
        "Count the records of the audit log from before modules.figures was on: hours of the last 35 days, days of the last 400. Run it again after an interruption; no record counts twice",
        { json },
        rebuildFigures,
      ),
    ]),
  )
