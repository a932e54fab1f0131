import { DateTime, Effect } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import type { SealedEvents } from "../../../domain/policies.ts"
import { findEach, put } from "../../../domain/ports/store.ts"
import { expiryOf, idAt, steps } from "./periods.ts"
import { startWrite } from "./start.ts"
import { Figures } from "./tables.ts"

export type Counts = Readonly<Record<string, number>>

/** The maximum number of names of a row. */
export const maxNames = 400
/** Counts the names beyond `maxNames`. */
export const others = "other"

/** The names that an event is counted under. Types, methods and codes are closed sets: no caller can add a name. */
const namesOf = ({ type, outcome, reason, data }: SecurityEvent): ReadonlyArray<string> => {
  const detail = outcome === "success" ? data["method"] : reason
  return typeof detail === "string" ? [type, `${type}/${detail}`] : [type]
}

/** Adds events to the counts of an hour or a day. An event that stands for several refusals counts as many times. */
export const countsWith = (counts: Counts, events: ReadonlyArray<SecurityEvent>): Counts => {
  const sums = new Map(Object.entries(counts))
  const room = (name: string) => sums.has(name) || sums.size - (sums.has(others) ? 1 : 0) < maxNames
  for (const event of events)
    for (const name of namesOf(event)) {
      const counted = room(name) ? name : others
      sums.set(counted, (sums.get(counted) ?? 0) + event.count)
    }
  return Object.fromEntries(sums)
}

/** The rows of all hours and days of these events, with their moments. A late event counts in the hour in which it happened. */
const rowsFor = (events: ReadonlyArray<SecurityEvent>) =>
  steps.flatMap((step) =>
    [...Map.groupBy(events, ({ at }) => idAt(step, at))].map(([id, own]) => ({ id, own, expires_at: expiryOf(step, own[0]?.at ?? epoch) })),
  )
const epoch = DateTime.makeUnsafe(0)

/**
 * The writes that count the events of a seal. They are not conditional: only the commit that replaces the end of the chain has them, and
 * the rows were read after the end of the chain.
 */
export const countingWrites = Effect.fnUntraced(function* countingWrites({ number, events }: SealedEvents) {
  const now = yield* DateTime.now
  const live = rowsFor(events).filter(({ expires_at }) => DateTime.isGreaterThan(expires_at, now))
  const stored = yield* findEach(
    Figures,
    live.map(({ id }) => id),
  )
  const counted = live.map(({ id, own, expires_at }) =>
    put(Figures, { id, counts: countsWith(stored.get(id)?.counts ?? {}, own), expires_at }),
  )
  return [...counted, ...(yield* startWrite(number))]
})
