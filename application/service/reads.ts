import type { EventType } from "../../domain/events/event-types.ts"
import type { emptySubject } from "../../domain/sessions/subject.ts"
import type { Origin } from "./origin.ts"

/** The maximum number of users whose reads are counted, for all readers together. */
export const capacity = 10_000
/** Above this number, the users in one answer share a record without a subject: the answer is a list, not a look at one user. */
export const fewUsers = 20
/** Milliseconds for which reads are counted before they are stored. */
const window = 60_000

/** Equal reads of one reader. */
export interface CountedReads {
  readonly type: Extract<EventType, "access.read" | "user.private_read">
  /** Null: of users without a record of their own. */
  readonly user_id: string | null
  readonly operations: Set<string>
  readonly until: number
  /** Of the last read. */
  origin: Origin
  count: number
}

type Noted = Pick<ReturnType<typeof emptySubject>, "reached" | "shown_private">

/**
 * What administrators and machines read of users. Reads of one user by one reader become one record a minute, so that they cost no write of
 * their own and no answer waits for one.
 */
export const makeReads = () => {
  const open = new Map<string, CountedReads>()

  const count = (type: CountedReads["type"], given: string | null, times: number, origin: Origin, now: number) => {
    const isFull = open.size >= capacity && !open.has(keyOf({ type, user_id: given, origin }))
    const user_id = isFull ? null : given
    const key = keyOf({ type, user_id, origin })
    const counted = open.get(key) ?? { type, user_id, operations: new Set(), until: now + window, origin, count: 0 }
    counted.count += times
    counted.origin = origin
    counted.operations.add(origin.operation.name)
    open.set(key, counted)
  }

  /** Counts what one call has read. `isRecorded`: other records name the users whom it has reached. */
  const add = ({ reached, shown_private }: Noted, isRecorded: boolean, origin: Origin, now: number) => {
    if (!isRecorded) for (const id of reached) count("access.read", id, 1, origin, now)
    if (shown_private.size > fewUsers) count("user.private_read", null, shown_private.size, origin, now)
    else for (const id of shown_private) count("user.private_read", id, 1, origin, now)
  }

  /** Removes and returns those whose minute is over. */
  const drain = (now: number) => {
    const due = [...open].filter(([, { until }]) => until <= now)
    for (const [key] of due) open.delete(key)
    return due.map(([, counted]) => counted)
  }

  /** Puts back what could not be stored, together with what was read meanwhile. */
  const restore = (all: ReadonlyArray<CountedReads>) => {
    for (const counted of all) {
      const later = open.get(keyOf(counted))
      const { count, origin } = later ?? { count: 0, origin: counted.origin }
      const operations = new Set([...counted.operations, ...(later?.operations ?? [])])
      open.set(keyOf(counted), { ...counted, origin, operations, count: counted.count + count })
    }
  }
  return { add, drain, restore }
}

const keyOf = ({ type, user_id, origin: { actor } }: Pick<CountedReads, "type" | "user_id" | "origin">) =>
  JSON.stringify([type, actor, user_id])
