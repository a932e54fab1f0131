import { Array, DateTime, Effect } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import type { SealedEvents } from "../../../domain/policies.ts"
import { findEach, put } from "../../../domain/ports/store.ts"
import { liveAt } from "../../../domain/storage/live.ts"
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

/** The ids of the hours and days of these events, with the events of each. */
const periodsOf = (events: ReadonlyArray<SecurityEvent>) =>
  steps.flatMap((step) => {
    const groups = Array.groupBy(events, ({ at }) => idAt(step, at))
    return Object.entries(groups).map(([id, own]) => ({ id, own, expires_at: expiryOf(step, own[0].at) }))
  })

/**
 * The writes that count these events. An event counts in the hour in which it happened. The writes are not conditional: their commit
 * replaces the row of the start, or the end of the chain, which was read before.
 */
export const countWrites = Effect.fnUntraced(function* countWrites(events: ReadonlyArray<SecurityEvent>) {
  const periods = periodsOf(events)
  const stored = yield* findEach(
    Figures,
    periods.map(({ id }) => id),
  )
  const isLive = liveAt(Figures, yield* DateTime.now)
  const rows = periods.map(({ id, own, expires_at }) => ({ id, counts: countsWith(stored.get(id)?.counts ?? {}, own), expires_at }))
  return rows.filter(isLive).map((row) => put(Figures, row))
})

/** The writes that count the events of a seal. */
export const countingWrites = Effect.fnUntraced(function* countingWrites({ number, events }: SealedEvents) {
  const start = yield* startWrite(number)
  return [...(yield* countWrites(events)), ...start]
})
