import { Context, Effect } from "effect"
import type { Configuration } from "../config/load.ts"

/**
 * A part of the service that a reload changes. It prepares everything that can fail for the next configuration, and returns the effect that
 * makes the change.
 */
export type Part = (next: Configuration) => Effect.Effect<Effect.Effect<void>, unknown>

/** The parts of one service. */
export const Parts = Context.Reference<Set<Part>>("sallyport/ReloadableParts", { defaultValue: () => new Set() })

/** Adds a part until the scope ends. */
export const onReload = (part: Part) =>
  Effect.flatMap(Parts, (parts) =>
    Effect.acquireRelease(
      Effect.sync(() => parts.add(part)),
      () => Effect.sync(() => parts.delete(part)),
    ),
  )
