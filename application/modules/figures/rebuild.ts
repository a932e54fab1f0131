import { DateTime, Effect, Option } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import { commitOrConflict, replace, retryOnConflict, type Store } from "../../../domain/ports/store.ts"
import { countWrites } from "./counting.ts"
import { hourAfter, noteGap, readStart } from "./start.ts"
import { type Gap, type Start, Starts } from "./tables.ts"

/** Events of successive seals, of which some may be gone. */
interface Sealed {
  /** The number of the oldest of these seals. */
  readonly from: number
  readonly events: ReadonlyArray<SecurityEvent>
  /** Whether no event is gone. */
  readonly isWhole: boolean
  /** When the seal was made from which on none is gone; null if it is none of these. */
  readonly whole_since: DateTime.Utc | null
}

/** The log whose events are counted. */
export interface SealedLog {
  /** The number of the last seal. */
  readonly last: Effect.Effect<number, never, Store>
  /** The events of the newest of these seals; undefined if they have expired. */
  readonly newest: (from: number, to: number) => Effect.Effect<Sealed | undefined, never, Store>
}

/**
 * Counts the events of seals that were not counted, the newest first. Each commit notes how far it has come in the row of the start, which
 * seals replace too: an interrupted run goes on there, and no event counts twice.
 */
export const rebuild = Effect.fnUntraced(function* rebuildFigures(log: SealedLog) {
  yield* noteGap(yield* log.last)
  let records = 0
  for (let counted = yield* countNext(log); counted !== undefined; counted = yield* countNext(log)) records += counted
  return { records, counted_since: Option.getOrNull(Option.map(yield* readStart, ({ row }) => row.since)) }
})

/** Counts the next events, and returns their number; undefined if no seal is left. */
const countNext = Effect.fnUntraced(function* countNext({ newest }: SealedLog) {
  const found = yield* readStart
  const gap = Option.isSome(found) ? found.value.row.gaps.at(-1) : undefined
  if (Option.isNone(found) || gap === undefined) return undefined
  const sealed = yield* newest(gap.from, gap.to)
  const writes = sealed === undefined ? [] : yield* countWrites(sealed.events)
  yield* commitOrConflict([...writes, replace(Starts, found, after(found.value.row, gap, sealed))])
  return sealed?.events.length ?? 0
}, retryOnConflict)

/** The row of the start after the newest seals of its last gap were counted. Earlier events than those that are gone are never complete. */
const after = (start: Start, gap: Gap, sealed: Sealed | undefined): Start => {
  const older = start.gaps.slice(0, -1)
  const wholeSince = gap.is_whole ? (sealed?.whole_since ?? null) : null
  const isWhole = gap.is_whole && sealed?.isWhole === true
  const reached = wholeSince === null ? start.since : DateTime.min(start.since, hourAfter(wholeSince))
  if (sealed !== undefined && sealed.from > gap.from)
    return { ...start, since: reached, gaps: [...older, { ...gap, to: sealed.from - 1, is_whole: isWhole }] }
  if (!isWhole) return { ...start, since: reached, gaps: older.map((each) => ({ ...each, is_whole: false })) }
  return { ...start, since: gap.since === null ? reached : DateTime.min(reached, DateTime.makeUnsafe(gap.since)), gaps: older }
}
