import { Context, type Effect } from "effect"
import type { Party } from "./security-event.ts"

/** Runs background work as a party that has asked for it: the events of its commits name this party as the actor, not the service. */
export const Acting = Context.Reference("sallyport/Acting", {
  defaultValue: () => ({
    as:
      (_: Party) =>
      <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        work,
  }),
})
